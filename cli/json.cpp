#include "cli/json.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/job.hpp"
#include "cli/offer_rates.hpp"
#include "proffer/pool_list.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Prints JSON. A path may hold bytes that are no text; they become U+FFFD.
std::string pretty(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace); }

template <class Bag>
Json json_of(const Bag& bag) {
  auto json = Json::object();
  for (const auto& [kind, n] : bag)
    json[std::string(kind.name())] = n >= kUnbounded ? Json("unbounded") : Json(n);
  return json;
}

Json declines_json(const FrameworkState& framework) {
  auto json = Json::object();
  for (int i = 0; i < kDeclineReasons; ++i) {
    const auto n = framework.offers_declined[static_cast<std::size_t>(i)];
    if (n > 0) json[std::string(to_string(static_cast<DeclineReason>(i)))] = n;
  }
  return json;
}

double seconds(Duration time) { return static_cast<double>(to_us(time)) / 1e6; }
Json seconds_or_null(const std::optional<Duration>& time) { return time ? Json(seconds(*time)) : Json(); }

Json or_null(std::optional<double> value) { return value ? Json(*value) : Json(); }

/// As a value of JSON; `key` gets its unit.
template <class Value>
Json setting_json(const Value& value, std::string&) {
  return value;
}
Json setting_json(const Quantities& value, std::string&) { return json_of(value); }
Json setting_json(const std::optional<Duration>& value, std::string& key) {
  key += "_s";
  return seconds_or_null(value);
}
Json setting_json(Duration value, std::string& key) { return setting_json(std::optional(value), key); }
/// A weight is told in thousandths.
Json setting_json(std::int64_t milli, std::string&) { return static_cast<double>(milli) / 1000; }

void add_use(const PoolState& pool, Json& json) {
  json["used"] = json_of(pool.used);
  json["demand"] = json_of(pool.demand);
  json["fair"] = json_of(pool.fair);
  json["frameworks"] = pool.frameworks;
  json["waiting"] = pool.waiting;
}

Json to_json(const PoolState& pool) {
  Json json{{"name", pool.name}};
  for_each_pool_setting([&](const auto& setting) {
    std::string key(setting.key);
    auto value = setting_json(pool.*setting.state, key);
    json[key] = std::move(value);
    if (key == "min_share") add_use(pool, json);
  });
  return json;
}

Json to_json(const ClusterState& state) {
  Json json;
  json["catalog"] = state.catalog_endpoint;
  json["recovery"] = {{"agents_known", state.agents_known},
                      {"agents_back", state.agents_back},
                      {"no_offers_for_s", seconds_or_null(state.recovers_for)}};
  json["degraded"] = state.degraded;
  json["agents"] = Json::array();
  for (const auto& agent : state.agents) {
    json["agents"].push_back({{"id", to_hex(agent.id.value)},
                              {"name", agent.name},
                              {"rack", agent.rack},
                              {"data_endpoint", agent.data_endpoint},
                              {"reachable", agent.reachable},
                              {"reach", agent.reach},
                              {"wish", agent.wish},
                              {"tasks", agent.tasks},
                              {"total", json_of(agent.total)},
                              {"used", json_of(agent.used)},
                              {"offered", json_of(agent.offered)},
                              {"trouble", agent.trouble}});
  }
  json["pools"] = Json::array();
  for (const auto& pool : state.pools) json["pools"].push_back(to_json(pool));
  json["preemption"] = {
      {"mode", state.preemption},
      {"fair_share_timeout_s", seconds_or_null(state.fair_share_timeout)},
      {"fair_share_threshold", static_cast<double>(state.fair_share_threshold_milli) / 1000},
      {"deadline_s", seconds(state.preemption_deadline)}};
  json["frameworks"] = Json::array();
  for (const auto& framework : state.frameworks) {
    json["frameworks"].push_back({{"id", to_hex(framework.id.value)},
                                  {"name", framework.name},
                                  {"pool", framework.pool},
                                  {"user", framework.user},
                                  {"priority", framework.priority},
                                  {"connected", framework.connected},
                                  {"given_up_in_s", seconds_or_null(framework.given_up_in)},
                                  {"used", json_of(framework.used)},
                                  {"offered", json_of(framework.offered)},
                                  {"demand", json_of(framework.demand)},
                                  {"fair", json_of(framework.fair)},
                                  {"offers",
                                   {{"sent", framework.offers_sent},
                                    {"accepted", framework.offers_accepted},
                                    {"rescinded", framework.offers_rescinded},
                                    {"expired", framework.offers_expired},
                                    {"declined", declines_json(framework)},
                                    {"per_task", or_null(offers_per_task(framework))},
                                    {"answered_after_s", or_null(answered_after(framework))}}},
                                  {"tasks",
                                   {{"launched", framework.tasks_launched},
                                    {"finished", framework.tasks_finished},
                                    {"failed", framework.tasks_failed}}}});
  }
  return json;
}

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

std::string state_json(const ClusterState& state) { return pretty(to_json(state)); }

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
