#include "study/report/assets.hpp"

// The assembler copies the files into the program, which costs no compile time. It finds them on the include
// path, as it would a header.
#define PROFFER_ASSET(name, path)               \
  asm(".pushsection .rodata\n"                  \
      ".global proffer_asset_" #name            \
      "\n"                                      \
      ".global proffer_asset_" #name            \
      "_end\n"                                  \
      "proffer_asset_" #name                    \
      ":\n"                                     \
      ".incbin \"" path                         \
      "\"\n"                                    \
      "proffer_asset_" #name                    \
      "_end:\n"                                 \
      ".popsection\n");                         \
  extern "C" const char proffer_asset_##name[]; \
  extern "C" const char proffer_asset_##name##_end[]

PROFFER_ASSET(vega, "third_party/js/vega.min.js");
PROFFER_ASSET(vega_lite, "third_party/js/vega-lite.min.js");
PROFFER_ASSET(vega_embed, "third_party/js/vega-embed.min.js");
PROFFER_ASSET(licences, "third_party/js/LICENSES.txt");
PROFFER_ASSET(page_css, "study/report/page.css");
PROFFER_ASSET(page_js, "study/report/page.js");

namespace proffer::study::reporting {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view vega_js() { return between(proffer_asset_vega, proffer_asset_vega_end); }
std::string_view vega_lite_js() { return between(proffer_asset_vega_lite, proffer_asset_vega_lite_end); }
std::string_view vega_embed_js() { return between(proffer_asset_vega_embed, proffer_asset_vega_embed_end); }
std::string_view js_licences() { return between(proffer_asset_licences, proffer_asset_licences_end); }
std::string_view page_css() { return between(proffer_asset_page_css, proffer_asset_page_css_end); }
std::string_view page_js() { return between(proffer_asset_page_js, proffer_asset_page_js_end); }

}  // namespace proffer::study::reporting
