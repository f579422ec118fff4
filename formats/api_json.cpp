#include "proffer/formats/api_json.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "proffer/pool_list.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer {
namespace {

using ApiJson = nlohmann::ordered_json;

template <class Bag>
ApiJson json_of(const Bag& bag) {
  auto json = ApiJson::object();
  for (const auto& [kind, n] : bag)
    json[std::string(kind.name())] = n >= kUnbounded ? ApiJson("unbounded") : ApiJson(n);
  return json;
}

ApiJson declines_json(const std::array<std::uint64_t, kDeclineReasons>& declined) {
  auto json = ApiJson::object();
  for (int i = 0; i < kDeclineReasons; ++i) {
    const auto n = declined[static_cast<std::size_t>(i)];
    if (n > 0) json[std::string(to_string(static_cast<DeclineReason>(i)))] = n;
  }
  return json;
}

double api_seconds(Duration time) { return static_cast<double>(to_us(time)) / 1e6; }
ApiJson seconds_or_null(const std::optional<Duration>& time) {
  return time ? ApiJson(api_seconds(*time)) : ApiJson();
}

ApiJson or_null(std::optional<double> value) { return value ? ApiJson(*value) : ApiJson(); }

/// As a value of JSON; `key` gets its unit.
template <class Value>
ApiJson setting_json(const Value& value, std::string&) {
  return value;
}
ApiJson setting_json(const Quantities& value, std::string&) { return json_of(value); }
ApiJson setting_json(const std::optional<Duration>& value, std::string& key) {
  key += "_s";
  return seconds_or_null(value);
}
ApiJson setting_json(Duration value, std::string& key) { return setting_json(std::optional(value), key); }
/// A weight is told in thousandths.
ApiJson setting_json(std::int64_t milli, std::string&) { return static_cast<double>(milli) / 1000; }

void add_use(const PoolState& pool, ApiJson& json) {
  json["used"] = json_of(pool.used);
  json["demand"] = json_of(pool.demand);
  json["fair"] = json_of(pool.fair);
  json["frameworks"] = pool.frameworks;
  json["waiting"] = pool.waiting;
}

ApiJson to_json(const PoolState& pool) {
  ApiJson json{{"name", pool.name}};
  for_each_pool_setting([&](const auto& setting) {
    std::string key(setting.key);
    auto value = setting_json(pool.*setting.state, key);
    json[key] = std::move(value);
    if (key == "min_share") add_use(pool, json);
  });
  return json;
}

ApiJson to_json(const AgentState& agent) {
  return {{"id", to_hex(agent.id.value)},
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
          {"trouble", agent.trouble}};
}

ApiJson to_json(const FrameworkState& framework) {
  return {{"id", to_hex(framework.id.value)},
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
            {"declined", declines_json(framework.offers_declined)},
            {"per_task", or_null(offers_per_task(framework))},
            {"answered_after_s", or_null(answered_after(framework))}}},
          {"tasks",
           {{"launched", framework.tasks_launched},
            {"finished", framework.tasks_finished},
            {"failed", framework.tasks_failed}}}};
}

ApiJson recovery_json(const ClusterState& state) {
  return {{"agents_known", state.agents_known},
          {"agents_back", state.agents_back},
          {"no_offers_for_s", seconds_or_null(state.recovers_for)}};
}

ApiJson preemption_json(const ClusterState& state) {
  return {{"mode", state.preemption},
          {"fair_share_timeout_s", seconds_or_null(state.fair_share_timeout)},
          {"fair_share_threshold", static_cast<double>(state.fair_share_threshold_milli) / 1000},
          {"deadline_s", api_seconds(state.preemption_deadline)}};
}

template <class Entry>
ApiJson list_json(const std::vector<Entry>& entries) {
  auto list = ApiJson::array();
  for (const auto& entry : entries) list.push_back(to_json(entry));
  return list;
}

ApiJson to_json(const ClusterState& state) {
  ApiJson json;
  json["catalog"] = state.catalog_endpoint;
  json["recovery"] = recovery_json(state);
  json["degraded"] = state.degraded;
  json["agents"] = list_json(state.agents);
  json["pools"] = list_json(state.pools);
  json["preemption"] = preemption_json(state);
  json["frameworks"] = list_json(state.frameworks);
  return json;
}

/// What every answer of the interface begins with.
ApiJson head_json(const Snapshot& snapshot) {
  return {{"version", snapshot.version}, {"at_s", static_cast<double>(snapshot.at_ms) / 1000}};
}

std::string written(const ApiJson& json) {
  return json.dump(-1, ' ', false, ApiJson::error_handler_t::replace);
}

ApiJson funnel_json(const OfferCounts& offers) {
  return {{"sent", offers.sent},
          {"accepted", offers.accepted},
          {"declined", declines_json(offers.declined)},
          {"rescinded", offers.rescinded},
          {"expired", offers.expired}};
}

/// The slots of agents that can be reached, by kind and by what becomes of them.
ApiJson slots_json(const ClusterState& state) {
  Resources total, used, offered;
  for (const auto& agent : state.agents) {
    if (!agent.reachable) continue;
    total += agent.total;
    used += agent.used;
    offered += agent.offered;
  }
  auto json = ApiJson::object();
  for (const auto& [kind, n] : total) {
    json[std::string(kind.name())] = {{"total", n},
                                      {"used", used[kind]},
                                      {"offered", offered[kind]},
                                      {"idle", std::max<std::int64_t>(0, n - used[kind] - offered[kind])}};
  }
  return json;
}

/// Numbers of frameworks by state: up, away (its process may come back), or waiting for nobody any more.
ApiJson framework_counts_json(const ClusterState& state) {
  std::uint64_t up = 0, away = 0, ending = 0;
  for (const auto& framework : state.frameworks) {
    if (framework.connected) {
      ++up;
    } else {
      ++(framework.given_up_in ? away : ending);
    }
  }
  return {{"up", up}, {"away", away}, {"ending", ending}};
}

ApiJson agent_counts_json(const ClusterState& state) {
  auto json = ApiJson::object({{"up", 0}, {"silent", 0}, {"awaited", 0}, {"unreachable", 0}});
  for (const auto& agent : state.agents) json[agent.reach] = json.value(agent.reach, 0) + 1;
  return json;
}

FrameworkTally sum_of(const ClusterTally& tally) {
  FrameworkTally sum;
  for (const auto& [name, one] : tally.frameworks) sum += one;
  return sum;
}

ApiJson ended_json(const FrameworkTally& tally) {
  auto json = ApiJson::object();
  for (int i = 0; i < kTaskStates; ++i) {
    const auto state = static_cast<TaskState>(i);
    if (is_terminal(state)) json[std::string(to_string(state))] = tally.ended[static_cast<std::size_t>(i)];
  }
  return json;
}

ApiJson histogram_json(const TimeHistogram& histogram) {
  auto buckets = ApiJson::array();
  for (std::size_t i = 0; i < histogram.counts().size(); ++i) {
    const bool last = i == TimeHistogram::kBounds.size();
    buckets.push_back({{"up_to_s", last ? ApiJson() : ApiJson(TimeHistogram::kBounds[i])},
                       {"count", histogram.counts()[i]}});
  }
  return {{"sum_s", histogram.sum()}, {"buckets", std::move(buckets)}};
}

/// NamesById of frameworks and agents by id.
struct NamesById {
  explicit NamesById(const ClusterState& state) {
    for (const auto& framework : state.frameworks) frameworks[framework.id] = &framework.name;
    for (const auto& agent : state.agents) agents[agent.id] = &agent.name;
  }
  std::string of(FrameworkId id) const {
    const auto found = frameworks.find(id);
    return found == frameworks.end() ? to_hex(id.value) : *found->second;
  }
  std::string of(AgentId id) const {
    const auto found = agents.find(id);
    return found == agents.end() ? to_hex(id.value) : *found->second;
  }
  std::map<FrameworkId, const std::string*> frameworks;
  std::map<AgentId, const std::string*> agents;
};

ApiJson to_json(const LivingTask& task, const NamesById& names) {
  return {{"task", task.task.value},
          {"job", task.job.value},
          {"framework", names.of(task.framework)},
          {"framework_id", to_hex(task.framework.value)},
          {"agent", names.of(task.agent)},
          {"agent_id", to_hex(task.agent.value)},
          {"state", std::string(to_string(task.state))},
          {"resources", json_of(task.resources)}};
}

ApiJson shares_json(const std::vector<ShareSample>& shares) {
  auto list = ApiJson::array();
  for (const auto& share : shares) {
    list.push_back({{"name", share.name}, {"used", json_of(share.used)}, {"fair", json_of(share.fair)}});
  }
  return list;
}

/// What came to pass between two samples, as a number a second; nothing is known before the first.
ApiJson rates_json(const HistorySample* before, const HistorySample& sample) {
  const auto rate = [&](std::uint64_t then, std::uint64_t now) {
    const auto ms = before == nullptr ? 0 : sample.at_ms - before->at_ms;
    return ms <= 0 || now < then ? ApiJson()
                                 : ApiJson(static_cast<double>(now - then) * 1000 / static_cast<double>(ms));
  };
  static const HistorySample kNothing;
  const auto& then = before == nullptr ? kNothing : *before;
  return {{"sent", rate(then.offers.sent, sample.offers.sent)},
          {"accepted", rate(then.offers.accepted, sample.offers.accepted)},
          {"declined", rate(then.offers.all_declined(), sample.offers.all_declined())},
          {"rescinded", rate(then.offers.rescinded, sample.offers.rescinded)},
          {"expired", rate(then.offers.expired, sample.offers.expired)},
          {"launched", rate(then.launched, sample.launched)}};
}

}  // namespace

std::optional<double> offers_per_task(const FrameworkState& framework) {
  if (framework.tasks_launched == 0) return {};
  return static_cast<double>(framework.offers_sent) / static_cast<double>(framework.tasks_launched);
}

std::optional<double> answered_after(const FrameworkState& framework) {
  auto answered = framework.offers_accepted;
  for (const auto n : framework.offers_declined) answered += n;
  if (answered == 0) return {};
  return api_seconds(framework.offers_held) / static_cast<double>(answered);
}

std::string state_json(const ClusterState& state) {
  return to_json(state).dump(2, ' ', false, ApiJson::error_handler_t::replace);
}

std::string entry_json(const AgentState& agent) { return written(to_json(agent)); }
std::string entry_json(const FrameworkState& framework) { return written(to_json(framework)); }
std::string entry_json(const PoolState& pool) { return written(to_json(pool)); }
std::string entry_json(const LivingTask& task, const ClusterState& state) {
  return written(to_json(task, NamesById(state)));
}

std::string cluster_json(const Snapshot& snapshot) {
  const auto& state = snapshot.view.state;
  auto json = head_json(snapshot);
  json["program"] = snapshot.program;
  json["cluster"] = to_hex(snapshot.cluster.value);
  json["epoch"] = snapshot.epoch.value;
  json["started_s"] = static_cast<double>(snapshot.started_ms) / 1000;
  json["catalog"] = state.catalog_endpoint;
  json["recovery"] = recovery_json(state);
  json["degraded"] = state.degraded;
  json["preemption"] = preemption_json(state);
  json["slots"] = slots_json(state);
  json["agents"] = agent_counts_json(state);
  json["frameworks"] = framework_counts_json(state);
  const auto sum = sum_of(snapshot.tally);
  json["offers"] = funnel_json(sum.offers);
  json["tasks"] = {{"living", state.living}, {"launched", sum.launched}, {"ended", ended_json(sum)}};
  return written(json);
}

std::string pools_json(const Snapshot& snapshot) {
  auto json = head_json(snapshot);
  json["pools"] = list_json(snapshot.view.state.pools);
  return written(json);
}

std::string frameworks_json(const Snapshot& snapshot) {
  auto json = head_json(snapshot);
  json["frameworks"] = list_json(snapshot.view.state.frameworks);
  return written(json);
}

std::string agents_json(const Snapshot& snapshot) {
  const auto& state = snapshot.view.state;
  const NamesById names(state);
  std::map<AgentId, ApiJson> runs;
  for (const auto& use : snapshot.view.uses) {
    auto& list = runs.try_emplace(use.agent, ApiJson::array()).first->second;
    list.push_back({{"framework", names.of(use.framework)},
                    {"id", to_hex(use.framework.value)},
                    {"tasks", use.tasks},
                    {"used", json_of(use.used)}});
  }
  auto json = head_json(snapshot);
  json["agents"] = ApiJson::array();
  for (const auto& agent : state.agents) {
    auto one = to_json(agent);
    const auto found = runs.find(agent.id);
    one["runs"] = found == runs.end() ? ApiJson::array() : std::move(found->second);
    json["agents"].push_back(std::move(one));
  }
  return written(json);
}

std::string offers_json(const Snapshot& snapshot) {
  auto json = head_json(snapshot);
  json["all"] = funnel_json(sum_of(snapshot.tally).offers);
  json["frameworks"] = ApiJson::array();
  for (const auto& [name, tally] : snapshot.tally.frameworks) {
    auto one = funnel_json(tally.offers);
    one["name"] = name;
    one["launched"] = tally.launched;
    one["ended"] = ended_json(tally);
    json["frameworks"].push_back(std::move(one));
  }
  json["held"] = histogram_json(snapshot.tally.held);
  json["slots_claimed"] = ApiJson::object();
  for (const auto& [pool, slots] : snapshot.tally.slots_claimed) json["slots_claimed"][pool] = slots;
  return written(json);
}

std::string tasks_json(const Snapshot& snapshot) {
  const NamesById names(snapshot.view.state);
  auto json = head_json(snapshot);
  json["living"] = snapshot.view.state.living;
  json["tasks"] = ApiJson::array();
  for (const auto& task : snapshot.view.state.tasks) json["tasks"].push_back(to_json(task, names));
  return written(json);
}

std::string history_json(const std::vector<std::shared_ptr<const HistorySample>>& samples) {
  auto list = ApiJson::array();
  const HistorySample* before = nullptr;
  for (const auto& sample : samples) {
    list.push_back({{"at_s", static_cast<double>(sample->at_ms) / 1000},
                    {"total", json_of(sample->total)},
                    {"used", json_of(sample->used)},
                    {"offered", json_of(sample->offered)},
                    {"rates", rates_json(before, *sample)},
                    {"frameworks", shares_json(sample->frameworks)},
                    {"pools", shares_json(sample->pools)}});
    before = sample.get();
  }
  return written(ApiJson{{"samples", std::move(list)}});
}

std::string version_json(const Snapshot& snapshot) { return written({{"version", snapshot.version}}); }
std::string error_json(const std::string& sentence) { return written({{"error", sentence}}); }

}  // namespace proffer
