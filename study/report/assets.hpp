// Files that a page carries, as they stand in the program.
#pragma once

#include <string_view>

namespace proffer::study::reporting {

/// Vega, Vega-Lite and Vega-Embed, in the order in which they must be loaded. No `</script` is in them.
std::string_view vega_js();
std::string_view vega_lite_js();
std::string_view vega_embed_js();
/// The licences of all that is in them.
std::string_view js_licences();

std::string_view page_css();
std::string_view page_js();

}  // namespace proffer::study::reporting
