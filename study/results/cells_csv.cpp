#include "study/results/csv_table.hpp"
#include "study/results/json.hpp"

namespace proffer::study {
namespace {

std::vector<std::string> header_of(const ExperimentSummary& summary) {
  std::vector<std::string> header{"cell"};
  if (!summary.cells.empty()) {
    // A [[cell]] dimension is called as the column in front of it would be.
    for (const auto& value : summary.cells.front().cell.values) {
      header.push_back(value.key == "cell" ? "variant" : value.key);
    }
  }
  for (const auto* name : {"measure", "seeds", "mean", "ci95", "difference", "difference_ci95"})
    header.emplace_back(name);
  return header;
}

std::optional<Estimate> find(const std::map<std::string, Estimate>& figures, const std::string& name) {
  const auto found = figures.find(name);
  if (found == figures.end()) return {};
  return found->second;
}

}  // namespace

std::string cells_csv(const ExperimentSummary& summary) {
  auto text = csv_line(header_of(summary));
  for (const auto& cell : summary.cells) {
    std::vector<std::string> first{cell.cell.name};
    for (const auto& value : cell.cell.values) first.push_back(value.text);
    for (const auto& [name, figure] : cell.measures) {
      auto line = first;
      const auto difference = find(cell.difference, name);
      line.push_back(name);
      line.push_back(std::to_string(figure.count));
      line.push_back(to_field(figure.mean));
      line.push_back(to_field(figure.half_width));
      line.push_back(difference ? to_field(difference->mean) : "");
      line.push_back(difference ? to_field(difference->half_width) : "");
      text += csv_line(line);
    }
  }
  return text;
}

}  // namespace proffer::study
