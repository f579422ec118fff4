#include "cli/collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "proffer/formats/json_tree.hpp"
#include "proffer/study/results_folder.hpp"

namespace proffer::cli {
namespace {

using formats::JsonNode;

JsonNode row_of(const study::ComparedFigure& figure, const std::string& experiment) {
  auto row = JsonNode::object();
  row.set("id", figure.id);
  row.set("experiment", experiment);
  row.set("cell", figure.cell);
  row.set("label", figure.label);
  row.set("measure", figure.measure);
  row.set("paper", figure.paper);
  row.set("ours", figure.ours ? JsonNode(figure.ours->mean) : JsonNode());
  row.set("ci95", figure.ours && figure.ours->half_width ? JsonNode(*figure.ours->half_width) : JsonNode());
  row.set("seeds", static_cast<std::int64_t>(figure.ours ? figure.ours->count : 0));
  row.set("digest", figure.digest);
  row.set("note", figure.note);
  return row;
}

/// Without what would end a cell of a Markdown table.
std::string cell_text(std::string text) {
  std::replace(text.begin(), text.end(), '|', '/');
  return text;
}

std::string markdown_row(const study::ComparedFigure& figure) {
  std::string ours = "-";
  if (figure.ours) ours = fmt::format("{:.3f}", figure.ours->mean);
  if (figure.ours && figure.ours->half_width) ours += fmt::format(" ±{:.3f}", *figure.ours->half_width);
  return fmt::format("| {} | {} | {} | {:g} | {} | {} | {} | {} |\n", figure.id,
                     cell_text(figure.label.empty() ? figure.measure : figure.label), cell_text(figure.cell),
                     figure.paper, ours, figure.ours ? figure.ours->count : 0, figure.digest,
                     cell_text(figure.note));
}

}  // namespace

Result<> collect_figures(const std::vector<std::string>& folders, const std::string& out) {
  auto rows = JsonNode::array();
  std::string table =
      "| id | figure | cell | paper | ours (95%) | seeds | digest | note "
      "|\n|---|---|---|---|---|---|---|---|\n";
  for (const auto& path : folders) {
    const study::ResultsFolder folder(path);
    const auto experiment = folder.experiment();
    if (!experiment) return experiment.error();
    const auto runs = folder.read_summaries(*experiment);
    if (!runs) return runs.error();
    for (const auto& figure : study::summarize(*experiment, *runs).paper) {
      rows.items.push_back(row_of(figure, experiment->name));
      table += markdown_row(figure);
    }
  }
  const auto temporary = out + ".tmp";
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file << (out.ends_with(".md") ? table : formats::dump_json(rows) + '\n');
  file.close();
  if (!file) return Error{ErrorCode::io, out + " cannot be written"};
  std::error_code failed;
  std::filesystem::rename(temporary, out, failed);
  if (failed) return Error{ErrorCode::io, out + " cannot be written: " + failed.message()};
  return {};
}

}  // namespace proffer::cli
