#include "study/report/cells.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>

#include "proffer/formats/units.hpp"
#include "study/report/spec.hpp"

namespace proffer::study::reporting {
namespace {

constexpr std::size_t kDigestDigits = 12;
constexpr std::size_t kDigestsNamed = 4;

std::string short_digest(const RunResult& run) {
  if (run.digest.size() <= kDigestDigits) return run.digest;
  return run.digest.substr(0, kDigestDigits) + "…";
}

/// Positions of the cells with least and greatest mean response.
std::vector<std::size_t> extremes(const ReportInput& input) {
  std::optional<std::pair<double, std::size_t>> least;
  std::optional<std::pair<double, std::size_t>> greatest;
  for (std::size_t i = 0; i < input.cells.size(); ++i) {
    const auto response = over_seeds(input.cells[i], mean_response);
    if (!response) continue;
    if (!least || response->mean < least->first) least = {response->mean, i};
    if (!greatest || response->mean > greatest->first) greatest = {response->mean, i};
  }
  std::vector<std::size_t> found;
  if (least) found.push_back(least->second);
  if (greatest) found.push_back(greatest->second);
  return found;
}

std::string digests_text(const std::vector<const RunResult*>& runs) {
  std::string text;
  for (std::size_t i = 0; i < runs.size() && i < kDigestsNamed; ++i) {
    text += (i == 0 ? "" : ", ") + short_digest(*runs[i]);
  }
  if (runs.size() > kDigestsNamed) {
    text += " and " + std::to_string(runs.size() - kDigestsNamed) + " more, all in the table of runs";
  }
  return (runs.size() == 1 ? "Digest " : "Digests ") + text + ".";
}

std::string names_text(const std::vector<const ReportCell*>& cells) {
  std::string text;
  for (const auto* cell : cells) text += (text.empty() ? "" : "; ") + label_of(*cell);
  return (cells.size() == 1 ? "Cell: " : "Cells: ") + text + ".";
}

}  // namespace

std::optional<Quantity> quantity_of(const CellValue& value) {
  const bool is_name = value.key == "cell";
  std::string name = is_name ? "delay" : std::string(short_key(value.key));
  auto text = value.text;
  if (const auto equals = text.find('='); equals != std::string::npos && !is_name) {
    const auto start = text.find_last_of(",( ", equals) + 1;  // 0 where there is none
    name = text.substr(start, equals - start);
    text = text.substr(equals + 1, text.find_first_of(",) ", equals) - equals - 1);
  }
  double number = 0;
  const auto* end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, number);
      read.ec == std::errc() && read.ptr == end) {
    return Quantity{name, number, ""};
  }
  if (const auto duration = parse_duration(text)) {
    return Quantity{name, std::chrono::duration<double>(*duration).count(), "s"};
  }
  return {};
}

std::string label_of(const ReportCell& cell) { return cell.cell.name.empty() ? "all runs" : cell.cell.name; }

const ReportCell* baseline_of(const ReportInput& input, const ReportCell& cell) {
  if (input.settings.baseline.empty()) return nullptr;
  std::vector<Cell> cells;
  for (const auto& each : input.cells) cells.push_back(each.cell);
  const auto here = static_cast<std::size_t>(&cell - input.cells.data());
  const auto found = find_cell(cells, input.settings.baseline, here);
  return !found || *found == here ? nullptr : &input.cells[*found];
}

std::vector<const JobRow*> finished_jobs(const RunResult& run) {
  std::vector<const JobRow*> jobs;
  for (const auto& job : run.jobs) {
    if (job.counted && job.ok && job.finished) jobs.push_back(&job);
  }
  return jobs;
}

double response_of(const JobRow& job) { return job.finished.value_or(job.submitted) - job.submitted; }

std::optional<double> mean_response(const RunResult& run) {
  const auto jobs = finished_jobs(run);
  if (jobs.empty()) return {};
  double sum = 0;
  for (const auto* job : jobs) sum += response_of(*job);
  return sum / static_cast<double>(jobs.size());
}

Choice choose_cells(const ReportInput& input, std::size_t limit) {
  const auto count = input.cells.size();
  std::set<std::size_t> chosen;
  if (count <= limit) {
    for (std::size_t i = 0; i < count; ++i) chosen.insert(i);
  } else {
    for (const auto& cell : input.cells) {
      const auto* baseline = baseline_of(input, cell);
      if (baseline != nullptr && chosen.size() < limit) {
        chosen.insert(static_cast<std::size_t>(baseline - input.cells.data()));
      }
    }
    for (const auto i : extremes(input)) {
      if (chosen.size() < limit) chosen.insert(i);
    }
    for (std::size_t k = 0; k < limit && chosen.size() < limit; ++k) {
      chosen.insert(limit == 1 ? 0 : k * (count - 1) / (limit - 1));
    }
  }
  Choice choice;
  for (const auto i : chosen) choice.cells.push_back(&input.cells[i]);
  if (count > limit) {
    choice.sentence =
        std::to_string(choice.cells.size()) + " of " + std::to_string(count) +
        " cells: the baseline where there is one, those of least and greatest mean response, and "
        "some between them as far as there is room.";
  }
  return choice;
}

std::vector<std::string> labels_of(const Choice& choice) {
  std::vector<std::string> labels;
  for (const auto* cell : choice.cells) labels.push_back(label_of(*cell));
  return labels;
}

std::vector<std::size_t> colours_of(const ReportInput& input, const Choice& choice) {
  std::vector<std::size_t> colours;
  for (const auto* cell : choice.cells) {
    const auto place = static_cast<std::size_t>(cell - input.cells.data());
    colours.push_back(input.cells.size() <= kColours ? place : colours.size());
  }
  return colours;
}

std::string seeds_text(const std::vector<const ReportCell*>& cells) {
  std::set<std::uint64_t> seeds;
  for (const auto* cell : cells) {
    for (const auto& run : cell->runs) seeds.insert(run.seed);
  }
  if (seeds.empty()) return "no seeds";
  if (seeds.size() == 1) return "seed " + std::to_string(*seeds.begin());
  if (*seeds.rbegin() - *seeds.begin() + 1 == seeds.size()) {
    return "seeds " + std::to_string(*seeds.begin()) + "–" + std::to_string(*seeds.rbegin());
  }
  std::string text = "seeds";
  for (const auto seed : seeds) text += (text == "seeds" ? " " : ", ") + std::to_string(seed);
  return text;
}

std::string runs_caption(const Choice& choice) {
  std::vector<const RunResult*> runs;
  for (const auto* cell : choice.cells) {
    for (const auto& run : cell->runs) runs.push_back(&run);
  }
  return (choice.sentence.empty() ? "" : choice.sentence + " ") + names_text(choice.cells) + " Over " +
         seeds_text(choice.cells) + ". " + digests_text(runs);
}

std::string average_caption(const Choice& choice) {
  const bool several = std::any_of(choice.cells.begin(), choice.cells.end(),
                                   [](const auto* cell) { return cell->runs.size() > 1; });
  return runs_caption(choice) +
         (several ? " Bars span the 95% confidence interval of the mean over seeds (Student's t)."
                  : " One seed only, so there is no interval.");
}

std::string pooled_caption(const Choice& choice) {
  return "The runs of a cell are taken together, so there is no interval. " + runs_caption(choice);
}

std::string single_caption(const Choice& choice) {
  std::string text = choice.sentence.empty() ? "" : choice.sentence + " ";
  text += "One run a cell, so no interval: ";
  bool first = true;
  for (const auto* cell : choice.cells) {
    if (cell->runs.empty()) continue;
    const auto& run = cell->runs.front();
    text += (first ? "" : "; ") + label_of(*cell) + " (seed " + std::to_string(run.seed) + ", digest " +
            short_digest(run) + ")";
    first = false;
  }
  return text + ".";
}

}  // namespace proffer::study::reporting
