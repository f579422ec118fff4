#include "cli/collect.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/collected_page.hpp"
#include "proffer/formats/json_tree.hpp"
#include "proffer/formats/toml.hpp"
#include "proffer/study/results_folder.hpp"

namespace proffer::cli {
namespace {

using formats::JsonNode;

JsonNode number_node(const std::optional<double>& value) { return value ? JsonNode(*value) : JsonNode(); }

/// A figure of a paper, or a measure that no paper has, with our value.
struct FigureRow {
  std::string id, cell, label, measure;
  std::optional<double> paper;
  std::optional<study::Estimate> ours;
  std::string digest, note;
};

JsonNode row_of(const FigureRow& figure, const std::string& experiment) {
  auto row = JsonNode::object();
  row.set("id", figure.id);
  row.set("experiment", experiment);
  row.set("cell", figure.cell);
  row.set("label", figure.label);
  row.set("measure", figure.measure);
  row.set("paper", number_node(figure.paper));
  row.set("ours", figure.ours ? JsonNode(figure.ours->mean) : JsonNode());
  row.set("ci95", figure.ours ? number_node(figure.ours->half_width) : JsonNode());
  row.set("pi95", figure.ours ? number_node(figure.ours->of_one_more) : JsonNode());
  row.set("seeds", static_cast<std::int64_t>(figure.ours ? figure.ours->count : 0));
  row.set("digest", figure.digest);
  row.set("note", figure.note);
  return row;
}

JsonNode row_of(const study::CheckResult& check, const std::string& experiment) {
  return JsonNode::object({{"id", experiment},
                           {"experiment", experiment},
                           {"cell", check.cell},
                           {"check", check.check},
                           {"passed", check.verdict == study::Verdict::held},
                           {"verdict", std::string(study::to_string(check.verdict))},
                           {"left", number_node(check.left)},
                           {"right", number_node(check.right)}});
}

void add_rows(const Collected& collected, std::vector<JsonNode>& rows) {
  const auto& name = collected.experiment.name;
  for (const auto& figure : collected.summary.paper) {
    rows.push_back(row_of({figure.id, figure.cell, figure.label, figure.measure, figure.paper, figure.ours,
                           figure.digest, figure.note},
                          name));
  }
  for (const auto& cell : collected.summary.cells) {
    for (const auto& measure : collected.measures) {
      const auto at = cell.measures.find(measure);
      if (at == cell.measures.end()) continue;
      rows.push_back(row_of({name, cell.cell.name, measure, measure, {}, at->second, cell.digest, ""}, name));
    }
  }
  for (const auto& check : collected.summary.checks) rows.push_back(row_of(check, name));
}

Result<Collected> read_results(const std::string& path) {
  const study::ResultsFolder folder(path);
  auto experiment = folder.experiment();
  if (!experiment) return experiment.error();
  const auto runs = folder.read_summaries(*experiment);
  if (!runs) return runs.error();
  auto summary = study::summarize(*experiment, *runs);
  auto measures = shown_measures(*experiment, summary);
  return Collected{std::move(*experiment), std::move(summary), std::move(measures)};
}

Result<MeasuredElsewhere> read_rows(const std::string& path) {
  const auto text = formats::read_text_file(path);
  if (!text) return text.error();
  auto parsed = formats::parse_json(*text, path);
  if (!parsed) return parsed.error();
  for (const auto& row : parsed->items) {
    const bool is_row = row.find("id") && row.find("cell") && (row.find("check") || row.find("measure"));
    if (is_row) continue;
    return Error{ErrorCode::invalid, fmt::format("{}:{}: a row needs id, cell, and check or measure; such "
                                                 "files come from `proffer study calibrate --rows`",
                                                 path, row.line)};
  }
  return MeasuredElsewhere{std::filesystem::path(path).stem().string(), std::move(parsed->items)};
}

std::string collected_text(const std::vector<Collected>& all, const std::vector<MeasuredElsewhere>& others,
                           bool as_page) {
  if (as_page) return collected_page(all, others);
  auto rows = JsonNode::array();
  for (const auto& collected : all) add_rows(collected, rows.items);
  for (const auto& other : others) rows.items.insert(rows.items.end(), other.rows.begin(), other.rows.end());
  return formats::dump_json(rows) + '\n';
}

}  // namespace

Result<> collect_figures(const std::vector<std::string>& paths, const std::string& out) {
  std::vector<Collected> all;
  std::vector<MeasuredElsewhere> others;
  for (const auto& path : paths) {
    if (path.ends_with(".json")) {
      auto rows = read_rows(path);
      if (!rows) return rows.error();
      others.push_back(std::move(*rows));
      continue;
    }
    auto collected = read_results(path);
    if (!collected) return collected.error();
    all.push_back(std::move(*collected));
  }
  const auto temporary = out + ".tmp";
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file << collected_text(all, others, out.ends_with(".md"));
  file.close();
  if (!file) return Error{ErrorCode::io, out + " cannot be written"};
  std::error_code failed;
  std::filesystem::rename(temporary, out, failed);
  if (failed) return Error{ErrorCode::io, out + " cannot be written: " + failed.message()};
  return {};
}

}  // namespace proffer::cli
