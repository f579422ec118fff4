#include "cli/mr_summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>

namespace proffer::cli {
namespace {

using Json = nlohmann::ordered_json;

double seconds(Duration time) { return static_cast<double>(to_us(time)) / 1e6; }
Json seconds(std::optional<Time> time) {
  return time ? Json(static_cast<double>(to_us(*time)) / 1e6) : Json();
}

Json counters_json(const JobCounters& counters) {
  auto json = Json::object();
  for (const auto& counter : hadoop_counters(counters)) json[counter.group][counter.name] = counter.value;
  return json;
}

Json job_json(const JobReport& report) {
  return {{"id", report.progress.job.value},
          {"name", report.progress.name},
          {"ok", report.ok},
          {"why", report.why},
          {"output", report.output},
          {"maps", report.progress.maps.total},
          {"reduces", report.progress.reduces.total},
          {"submitted_s", seconds(std::optional(report.submitted))},
          {"started_s", seconds(report.started)},
          {"finished_s", seconds(report.finished)},
          {"counters", counters_json(report.counters)}};
}

Json declined_json(const OfferTotals& totals) {
  auto json = Json::object();
  for (int i = 0; i < kDeclineReasons; ++i) {
    json[std::string(to_string(static_cast<DeclineReason>(i)))] =
        totals.declined[static_cast<std::size_t>(i)];
  }
  return json;
}

Json maps_json(const std::vector<JobReport>& reports) {
  std::uint64_t node = 0, rack = 0, any = 0, local_timed = 0, other_timed = 0;
  double local_seconds = 0, other_seconds = 0;
  for (const auto& report : reports) {
    const auto& c = report.counters;
    node += c.data_local_maps;
    rack += c.rack_local_maps;
    any += c.other_local_maps;
    local_timed += c.timed_local_maps;
    local_seconds += seconds(c.local_map_time);
    other_timed += c.timed_other_maps;
    other_seconds += seconds(c.other_map_time);
  }
  return {{"node", node},
          {"rack", rack},
          {"any", any},
          {"local_timed", local_timed},
          {"local_seconds", local_seconds},
          {"other_timed", other_timed},
          {"other_seconds", other_seconds}};
}

}  // namespace

std::string mr_summary_json(const MapReduce& jobs, const std::string& framework, const std::string& policy) {
  const auto reports = jobs.reports();
  const auto& totals = jobs.offer_totals();
  Json json{{"framework", framework}, {"policy", policy}, {"jobs", Json::array()}};
  for (const auto& report : reports) json["jobs"].push_back(job_json(report));
  json["maps"] = maps_json(reports);
  json["offers"] = {{"received", totals.received},
                    {"accepted", totals.accepted},
                    {"tasks_launched", totals.tasks_launched},
                    {"declined", declined_json(totals)}};
  return json.dump(2) + "\n";
}

std::string counters_text(const JobReport& report) {
  std::string text;
  std::string group;
  for (const auto& counter : hadoop_counters(report.counters)) {
    if (counter.group != group) text += counter.group + "\n";
    group = counter.group;
    text += fmt::format("    {}={}\n", counter.name, counter.value);
  }
  return text;
}

std::string offers_text(const OfferTotals& totals) {
  const auto declined = std::accumulate(totals.declined.begin(), totals.declined.end(), std::uint64_t{0});
  std::string reasons;
  for (std::size_t i = 0; i < totals.declined.size(); ++i) {
    if (totals.declined[i] == 0) continue;
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", to_string(static_cast<DeclineReason>(i)),
                           totals.declined[i]);
  }
  return fmt::format("Offers received={}, accepted={}, declined={}{}", totals.received, totals.accepted,
                     declined, reasons.empty() ? "" : " (" + reasons + ")");
}

}  // namespace proffer::cli
