#include "study/report/spec.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::study::reporting {
namespace {

using formats::JsonNode;
using formats::JsonType;

constexpr std::size_t kLettersAcross = 140;  // of a legend, in the width of a page

void fill(JsonNode& node, const Holes& holes) {
  if (node.type == JsonType::string && node.text.starts_with('$')) {
    const auto hole = holes.find(node.text);
    PROFFER_CHECK(hole != holes.end(), "nothing fills " + node.text);
    node = hole->second;
    return;
  }
  for (auto& item : node.items) fill(item, holes);
  for (auto& [name, value] : node.members) fill(value, holes);
}

/// The types are said column by column: names of cells may look like numbers.
JsonNode data_of(const Table& table) {
  auto parse = JsonNode::object();
  for (const auto& column : table.columns()) parse.set(column.name, column.number ? "number" : "string");
  auto format = JsonNode::object({{"type", "csv"}, {"parse", std::move(parse)}});
  return JsonNode::object({{"values", table.csv()}, {"format", std::move(format)}});
}

}  // namespace

std::string spec_text(std::string_view text, const Holes& holes, const Table& data) {
  const auto tree = formats::parse_json(text, "a figure's template");
  PROFFER_CHECK(tree.ok(), tree.ok() ? "" : tree.error().message);
  auto body = *tree;
  fill(body, holes);
  auto spec = JsonNode::object({{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"}});
  for (auto& [name, value] : body.members) spec.set(name, std::move(value));
  spec.set("data", data_of(data));
  return formats::dump_json(spec) + "\n";
}

JsonNode json_array(const std::vector<std::string>& texts) {
  auto array = JsonNode::array();
  for (const auto& text : texts) array.items.emplace_back(text);
  return array;
}

const std::vector<std::string>& palette() {
  static const std::vector<std::string> colours{
      "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#7A5CC5", "#8C8C8C",
      "#66AAD1", "#F0C566", "#66C5AB", "#E0AFCA", "#9AD2F2", "#E69E66", "#AF9DDC", "#BABABA"};
  return colours;
}

JsonNode colour_scale(const std::vector<std::string>& names, const std::vector<std::size_t>& places) {
  auto range = JsonNode::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    range.items.emplace_back(palette()[(places.empty() ? i : places[i]) % palette().size()]);
  }
  return JsonNode::object({{"domain", json_array(names)}, {"range", std::move(range)}});
}

JsonNode dash_scale(const std::vector<std::string>& names, const std::vector<std::size_t>& places) {
  static const std::vector<std::vector<std::int64_t>> dashes{{1, 0},       {6, 2},  {2, 2},
                                                             {8, 2, 2, 2}, {10, 4}, {4, 4}};
  auto range = JsonNode::array();
  for (const auto place : places) {
    auto dash = JsonNode::array();
    for (const auto length : dashes[place % dashes.size()]) dash.items.emplace_back(length);
    range.items.push_back(std::move(dash));
  }
  return JsonNode::object({{"domain", json_array(names)}, {"range", std::move(range)}});
}

JsonNode legend_for(const std::vector<std::string>& names, Symbol symbol) {
  std::size_t longest = 1;
  for (const auto& name : names) longest = std::max(longest, name.size());
  const auto columns = std::clamp<std::size_t>(kLettersAcross / (longest + 5), 1, 8);
  auto legend = JsonNode::object({{"orient", "bottom"},
                                  {"title", JsonNode()},
                                  {"columns", static_cast<std::int64_t>(columns)},
                                  {"labelLimit", std::int64_t{700}},
                                  {"symbolOpacity", std::int64_t{1}}});
  if (symbol == Symbol::line) legend.set("symbolSize", std::int64_t{500});  // room for a few dashes
  return legend;
}

}  // namespace proffer::study::reporting
