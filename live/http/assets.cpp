#include "live/http/assets.hpp"

#include <array>

// The assembler copies the files into the program, which costs no compile time. It finds them on the include
// path, as it would a header.
#define PROFFER_WEB_FILE(name, path)          \
  asm(".pushsection .rodata\n"                \
      ".global proffer_web_" #name            \
      "\n"                                    \
      ".global proffer_web_" #name            \
      "_end\n"                                \
      "proffer_web_" #name                    \
      ":\n"                                   \
      ".incbin \"web/" path                   \
      "\"\n"                                  \
      "proffer_web_" #name                    \
      "_end:\n"                               \
      ".popsection\n");                       \
  extern "C" const char proffer_web_##name[]; \
  extern "C" const char proffer_web_##name##_end[]

PROFFER_WEB_FILE(index_html, "index.html");
PROFFER_WEB_FILE(style_css, "style.css");
PROFFER_WEB_FILE(app_js, "app.js");
PROFFER_WEB_FILE(dom_js, "dom.js");
PROFFER_WEB_FILE(data_js, "data.js");
PROFFER_WEB_FILE(charts_js, "charts.js");
PROFFER_WEB_FILE(pages_js, "pages.js");
PROFFER_WEB_FILE(icon_svg, "icon.svg");
PROFFER_WEB_FILE(openapi_json, "openapi.json");

namespace proffer::live {
namespace {

std::string_view web_file(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

constexpr std::string_view kScript = "text/javascript; charset=utf-8";

}  // namespace

std::span<const Asset> assets() {
  static const std::array all{
      Asset{"/", "text/html; charset=utf-8", web_file(proffer_web_index_html, proffer_web_index_html_end)},
      Asset{"/style.css", "text/css; charset=utf-8",
            web_file(proffer_web_style_css, proffer_web_style_css_end)},
      Asset{"/app.js", kScript, web_file(proffer_web_app_js, proffer_web_app_js_end)},
      Asset{"/dom.js", kScript, web_file(proffer_web_dom_js, proffer_web_dom_js_end)},
      Asset{"/data.js", kScript, web_file(proffer_web_data_js, proffer_web_data_js_end)},
      Asset{"/charts.js", kScript, web_file(proffer_web_charts_js, proffer_web_charts_js_end)},
      Asset{"/pages.js", kScript, web_file(proffer_web_pages_js, proffer_web_pages_js_end)},
      Asset{"/icon.svg", "image/svg+xml", web_file(proffer_web_icon_svg, proffer_web_icon_svg_end)},
      Asset{"/api/v1/openapi.json", "application/json",
            web_file(proffer_web_openapi_json, proffer_web_openapi_json_end)},
  };
  return all;
}

}  // namespace proffer::live

#undef PROFFER_WEB_FILE
