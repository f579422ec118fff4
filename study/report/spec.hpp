// Vega-Lite specifications: written as templates whose holes are filled, with a table as their data.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/formats/json_tree.hpp"
#include "study/report/table.hpp"

namespace proffer::study::reporting {

/// The values of holes: a hole is a string of the template that starts with "$", and is replaced whole.
using Holes = std::map<std::string, formats::JsonNode>;

/// `text` is JSON of ours, so what is wrong with it, or a hole that nothing fills, aborts.
std::string spec_text(std::string_view text, const Holes& holes, const Table& data);

formats::JsonNode json_array(const std::vector<std::string>& texts);
/// Colours that readers with colour blindness can tell apart (Okabe and Ito's, without black and yellow,
/// which vanish on a dark or a light page), then tints of the same. `places` in the palette, one a name;
/// none: one after the other.
formats::JsonNode colour_scale(const std::vector<std::string>& names,
                               const std::vector<std::size_t>& places = {});
/// The number of cells that may have a colour that stands for nothing else.
inline constexpr std::size_t kColours = 8;
const std::vector<std::string>& palette();
/// Dashes beside the colours, for lines.
formats::JsonNode dash_scale(const std::vector<std::string>& names, const std::vector<std::size_t>& places);
enum class Symbol { point, line };
/// Below the figure, in as many columns as the names leave room for.
formats::JsonNode legend_for(const std::vector<std::string>& names, Symbol symbol = Symbol::point);

}  // namespace proffer::study::reporting
