// The report: reads what the frameworks left behind, prints the table, and writes summary.json.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "examples/demo/demo.hpp"

namespace proffer::demo {
namespace {

double wait_seconds(const Mode& mode) { return mode.wait ? static_cast<double>(to_us(*mode.wait)) / 1e6 : 0; }

/// Sums over the summaries of all frameworks.
struct Totals {
  double node = 0, rack = 0, any = 0;
  double job_seconds = 0;
  double local_seconds = 0, other_seconds = 0;
  double local_maps = 0, other_maps = 0;
  double offers = 0, tasks = 0;

  void add(const nlohmann::json& summary, Outcome& outcome) {
    for (const auto& job : summary.at("jobs")) {
      job_seconds += job.at("finished_s").get<double>() - job.at("submitted_s").get<double>();
      ++outcome.jobs;
    }
    const auto& maps = summary.at("maps");
    node += maps.at("node").get<double>();
    rack += maps.at("rack").get<double>();
    any += maps.at("any").get<double>();
    local_maps += maps.at("local_timed").get<double>();
    local_seconds += maps.at("local_seconds").get<double>();
    other_maps += maps.at("other_timed").get<double>();
    other_seconds += maps.at("other_seconds").get<double>();
    const auto& offered = summary.at("offers");
    offers += offered.at("received").get<double>();
    tasks += offered.at("tasks_launched").get<double>();
    for (const auto& [reason, n] : offered.at("declined").items())
      outcome.declines[reason] += n.get<std::uint64_t>();
  }

  void finish(Outcome& outcome) const {
    const double maps = node + rack + any;
    outcome.node_local = node / maps;
    outcome.rack_local = rack / maps;
    outcome.any = any / maps;
    outcome.job_seconds_mean = job_seconds / outcome.jobs;
    outcome.local_map_seconds = local_maps > 0 ? local_seconds / local_maps : 0;
    outcome.other_map_seconds = other_maps > 0 ? other_seconds / other_maps : 0;
    outcome.map_seconds = (local_seconds + other_seconds) / (local_maps + other_maps);
    outcome.maps_per_second = maps / outcome.seconds;
    outcome.offers_per_task = offers / tasks;
  }
};

std::string declines_text(const std::map<std::string, std::uint64_t>& declines) {
  std::string text;
  for (const auto& [reason, n] : declines) {
    if (n > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reason, n);
  }
  return text.empty() ? "-" : text;
}

}  // namespace

Result<> read_summaries(const Options& options, const std::string& dir, Outcome& outcome) {
  Totals totals;
  for (int framework = 0; framework < options.frameworks; ++framework) {
    const auto path = fmt::format("{}/{}.json", dir, framework);
    std::ifstream in(path);
    const auto summary = nlohmann::json::parse(in, nullptr, false);
    if (summary.is_discarded()) return Error{ErrorCode::corrupt, path + " is no JSON"};
    totals.add(summary, outcome);
  }
  totals.finish(outcome);
  return {};
}

std::string table_text(const std::vector<Outcome>& outcomes) {
  std::string text =
      fmt::format("{:<8} {:>6} {:>6} {:>6} {:>6} {:>7} {:>8} {:>6} {:>6} {:>7} {:>5}\n", "mode", "wait s",
                  "node %", "rack %", "any %", "job s", "total s", "map s", "offers", "Jain", "same");
  for (const auto& o : outcomes) {
    text += fmt::format(
        "{:<8} {:>6.2f} {:>6.1f} {:>6.1f} {:>6.1f} {:>7.2f} {:>8.1f} {:>6.2f} {:>6.2f} {:>7.3f} {:>5}\n",
        o.mode.name, wait_seconds(o.mode), 100 * o.node_local, 100 * o.rack_local, 100 * o.any,
        o.job_seconds_mean, o.seconds, o.map_seconds, o.offers_per_task, o.jain,
        o.results_equal ? "yes" : "NO");
  }
  text += "declines\n";
  for (const auto& o : outcomes) text += fmt::format("  {:<8} {}\n", o.mode.name, declines_text(o.declines));
  text +=
      "node/rack/any: where maps ran relative to their block; job s: mean from submission to end; map s: "
      "mean\n"
      "run time of a map; offers: per launched task; Jain: fairness of running maps, 1 is even; same: "
      "results\n"
      "equal those made without a cluster.\n";
  return text;
}

std::string summary_json(const Options& options, const Corpus& corpus, const FormulaWait& formula,
                         const std::vector<Outcome>& outcomes) {
  nlohmann::ordered_json json;
  json["modes"] = nlohmann::ordered_json::array();
  for (const auto& o : outcomes) {
    json["modes"].push_back({{"name", o.mode.name},
                             {"wait_s", wait_seconds(o.mode)},
                             {"node_local", o.node_local},
                             {"rack_local", o.rack_local},
                             {"any", o.any},
                             {"job_seconds_mean", o.job_seconds_mean},
                             {"offers_per_task", o.offers_per_task},
                             {"declines", o.declines},
                             {"jain", o.jain},
                             {"results_equal", o.results_equal},
                             {"jobs", o.jobs},
                             {"total_seconds", o.seconds},
                             {"map_seconds_mean", o.map_seconds},
                             {"node_local_map_seconds_mean", o.local_map_seconds},
                             {"other_map_seconds_mean", o.other_map_seconds}});
  }
  json["input_bytes"] = corpus.bytes;
  json["agents"] = options.agents;
  json["frameworks"] = options.frameworks;
  json["uplink_bytes_per_s"] = options.uplink_bytes_per_s;
  json["block_bytes"] = options.block_bytes();
  json["replication"] = options.replication;
  json["formula"] = {{"lambda", options.locality},
                     {"skips", formula.skips},
                     {"slots_per_s", formula.slots_per_second},
                     {"wait_s", static_cast<double>(to_us(formula.wait)) / 1e6},
                     {"wait_by_task_time_s", static_cast<double>(to_us(formula.wait_by_task_time)) / 1e6}};
  return json.dump(2) + "\n";
}

}  // namespace proffer::demo
