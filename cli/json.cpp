#include "cli/json.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/job.hpp"

namespace proffer::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Prints JSON. A path may hold bytes that are no text; they become U+FFFD.
std::string pretty(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

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
    local_timed += c.times.local_maps;
    local_seconds += seconds(c.times.local_map_time);
    other_timed += c.times.other_maps;
    other_seconds += seconds(c.times.other_map_time);
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

std::string entries_json(const std::vector<live::StoreEntry>& entries) {
  auto json = Json::array();
  for (const auto& entry : entries) {
    json.push_back({{"path", entry.path},
                    {"folder", entry.is_folder},
                    {"bytes", entry.length},
                    {"files", entry.files},
                    {"replication", entry.replication}});
  }
  return pretty(json);
}

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
  return pretty(json) + "\n";
}

std::string jobs_json(const std::vector<DetachedJob>& jobs) {
  auto list = Json::array();
  for (const auto& job : jobs) {
    list.push_back({{"id", job.id},
                    {"name", job.name},
                    {"user", job.user},
                    {"state", job.state},
                    {"agent", job.agent},
                    {"starts", job.starts},
                    {"exit", job.state == "ended" ? Json(shell_code_of(job)) : Json()},
                    {"text", job.text},
                    {"command", job.summary}});
  }
  return list.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace proffer::cli
