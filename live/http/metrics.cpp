#include "live/http/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "proffer/sharing/share_tree.hpp"

namespace proffer::live {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;
using Labels = std::vector<std::pair<std::string, std::string>>;

class Families {
 public:
  /// Begins a family; the values that follow are of it.
  void begin(const char* name, const char* help, MetricType type) {
    all_.push_back({});
    all_.back().name = name;
    all_.back().help = help;
    all_.back().type = type;
  }
  template <class Number>
  void add(const Labels& labels, Number value) {
    auto& metric = labelled(labels);
    (all_.back().type == MetricType::Counter ? metric.counter.value : metric.gauge.value) =
        static_cast<double>(value);
  }
  void add(const TimeHistogram& times) {
    auto& histogram = labelled({}).histogram;
    for (std::size_t i = 0; i < times.counts().size(); ++i) {
      const bool last = i == TimeHistogram::kBounds.size();
      histogram.sample_count += times.counts()[i];
      histogram.bucket.push_back({histogram.sample_count, last ? std::numeric_limits<double>::infinity()
                                                               : TimeHistogram::kBounds[i]});
    }
    histogram.sample_sum = times.sum();
  }
  std::string text() const { return prometheus::TextSerializer().Serialize(all_); }

 private:
  ClientMetric& labelled(const Labels& labels) {
    auto& metric = all_.back().metric.emplace_back();
    for (const auto& [name, value] : labels) metric.label.push_back({name, value});
    return metric;
  }

  std::vector<prometheus::MetricFamily> all_;
};

std::string pool_label(const std::string& name) { return name.empty() ? "(root)" : name; }

void add_agents(Families& families, const ClusterState& state) {
  std::map<std::string, int> agents{{"up", 0}, {"silent", 0}, {"awaited", 0}, {"unreachable", 0}};
  int drained = 0, in_trouble = 0;
  std::map<std::string, std::array<std::int64_t, 3>> slots;
  for (const auto& agent : state.agents) {
    ++agents[agent.reach];
    drained += agent.wish.empty() ? 0 : 1;
    in_trouble += agent.trouble.empty() ? 0 : 1;
    if (!agent.reachable) continue;
    for (const auto& [kind, total] : agent.total) {
      auto& [idle, offered, used] = slots[std::string(kind.name())];
      const auto rest = total - agent.used[kind] - agent.offered[kind];
      idle += rest > 0 ? rest : 0;
      offered += agent.offered[kind];
      used += agent.used[kind];
    }
  }
  families.begin("proffer_agents", "Agents, by how they are reached.", MetricType::Gauge);
  for (const auto& [reach, n] : agents) families.add({{"state", reach}}, n);
  families.begin("proffer_agents_draining", "Agents that an operator drains, or has drained.",
                 MetricType::Gauge);
  families.add({}, drained);
  families.begin("proffer_agents_in_trouble", "Agents that cannot start tasks, as they say themselves.",
                 MetricType::Gauge);
  families.add({}, in_trouble);
  families.begin("proffer_slots", "Slots of agents that can be reached, by what becomes of them.",
                 MetricType::Gauge);
  for (const auto& [kind, n] : slots) {
    families.add({{"kind", kind}, {"state", "idle"}}, n[0]);
    families.add({{"kind", kind}, {"state", "offered"}}, n[1]);
    families.add({{"kind", kind}, {"state", "used"}}, n[2]);
  }
}

void add_frameworks(Families& families, const ClusterState& state) {
  int up = 0, away = 0, ending = 0;
  for (const auto& framework : state.frameworks) {
    ++(framework.connected ? up : framework.given_up_in ? away : ending);
  }
  families.begin("proffer_frameworks", "Frameworks: connected, away for now, or given up while tasks end.",
                 MetricType::Gauge);
  families.add({{"state", "up"}}, up);
  families.add({{"state", "away"}}, away);
  families.add({{"state", "ending"}}, ending);
}

/// What a pool has of each kind; nothing is 0.
void add_pool_values(Families& families, const ClusterState& state, const std::set<Kind>& kinds,
                     Quantities PoolState::*bag) {
  for (const auto& pool : state.pools) {
    for (const auto kind : kinds) {
      const auto& quantities = pool.*bag;
      const auto found = quantities.find(kind);
      families.add({{"pool", pool_label(pool.name)}, {"kind", std::string(kind.name())}},
                   found == quantities.end() ? 0 : found->second);
    }
  }
}

/// What a pool could use; a demand without bound has no number, and no line.
void add_demands(Families& families, const ClusterState& state) {
  for (const auto& pool : state.pools) {
    for (const auto& [kind, n] : pool.demand) {
      if (n >= kUnbounded) continue;
      families.add({{"pool", pool_label(pool.name)}, {"kind", std::string(kind.name())}}, n);
    }
  }
}

void add_pools(Families& families, const ClusterState& state) {
  std::set<Kind> kinds;
  for (const auto& agent : state.agents) {
    for (const auto& [kind, n] : agent.total) kinds.insert(kind);
  }
  families.begin("proffer_pool_used_slots", "Slots that tasks of the pool use.", MetricType::Gauge);
  add_pool_values(families, state, kinds, &PoolState::used);
  families.begin("proffer_pool_demand_slots",
                 "Slots that the pool could use now, those it uses included. Absent: without bound.",
                 MetricType::Gauge);
  add_demands(families, state);
  families.begin("proffer_pool_fair_share_slots", "Slots that the pool is entitled to now.",
                 MetricType::Gauge);
  add_pool_values(families, state, kinds, &PoolState::fair);
  families.begin("proffer_pool_min_share_slots", "Slots that the pool is guaranteed.", MetricType::Gauge);
  add_pool_values(families, state, kinds, &PoolState::min_share);
  families.begin("proffer_pool_frameworks", "Frameworks of the pool.", MetricType::Gauge);
  for (const auto& pool : state.pools) families.add({{"pool", pool_label(pool.name)}}, pool.frameworks);
  families.begin("proffer_pool_waiting_frameworks", "Frameworks beyond a limit of the pool.",
                 MetricType::Gauge);
  for (const auto& pool : state.pools) families.add({{"pool", pool_label(pool.name)}}, pool.waiting);
}

void add_offers(Families& families, const ClusterTally& tally) {
  families.begin("proffer_offers_total", "Offers, by framework and by what became of them.",
                 MetricType::Counter);
  for (const auto& [name, one] : tally.frameworks) {
    families.add({{"framework", name}, {"outcome", "sent"}}, one.offers.sent);
    families.add({{"framework", name}, {"outcome", "accepted"}}, one.offers.accepted);
    families.add({{"framework", name}, {"outcome", "declined"}}, one.offers.all_declined());
    families.add({{"framework", name}, {"outcome", "rescinded"}}, one.offers.rescinded);
    families.add({{"framework", name}, {"outcome", "expired"}}, one.offers.expired);
  }
  families.begin("proffer_offers_declined_total", "Declined offers, by framework and reason.",
                 MetricType::Counter);
  for (const auto& [name, one] : tally.frameworks) {
    for (int i = 0; i < kDeclineReasons; ++i) {
      const std::string reason(to_string(static_cast<DeclineReason>(i)));
      families.add({{"framework", name}, {"reason", reason}},
                   one.offers.declined[static_cast<std::size_t>(i)]);
    }
  }
  families.begin("proffer_offer_hold_seconds", "Time until a framework answers an offer.",
                 MetricType::Histogram);
  families.add(tally.held);
}

void add_tasks(Families& families, const Snapshot& snapshot) {
  families.begin("proffer_tasks", "Tasks that have not ended, by state.", MetricType::Gauge);
  for (int i = 0; i < kTaskStates; ++i) {
    const auto state = static_cast<TaskState>(i);
    if (is_terminal(state)) continue;
    families.add({{"state", std::string(to_string(state))}},
                 snapshot.view.living_in[static_cast<std::size_t>(i)]);
  }
  families.begin("proffer_task_launches_total", "Launches of tasks.", MetricType::Counter);
  for (const auto& [name, one] : snapshot.tally.frameworks) families.add({{"framework", name}}, one.launched);
  families.begin("proffer_tasks_ended_total", "Tasks that have ended, by the state in which they ended.",
                 MetricType::Counter);
  for (const auto& [name, one] : snapshot.tally.frameworks) {
    for (int i = 0; i < kTaskStates; ++i) {
      const auto state = static_cast<TaskState>(i);
      if (!is_terminal(state)) continue;
      families.add({{"framework", name}, {"state", std::string(to_string(state))}},
                   one.ended[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace

std::string metrics_text(const Snapshot& snapshot) {
  const auto& state = snapshot.view.state;
  Families families;
  families.begin("proffer_build_info", "The version of the program.", MetricType::Gauge);
  families.add({{"version", snapshot.program}}, 1);
  families.begin("proffer_start_time_seconds", "Start of the allocator's process, since 1970.",
                 MetricType::Gauge);
  families.add({}, static_cast<double>(snapshot.started_ms) / 1000);
  families.begin("proffer_epoch", "Number of starts of the allocator so far.", MetricType::Gauge);
  families.add({}, snapshot.epoch.value);
  families.begin("proffer_recovering", "1 while nothing is offered, since agents of before are awaited.",
                 MetricType::Gauge);
  families.add({}, state.recovers_for ? 1 : 0);
  families.begin("proffer_degraded", "1 while silent agents are not given up, since most are silent.",
                 MetricType::Gauge);
  families.add({}, state.degraded.empty() ? 0 : 1);
  add_agents(families, state);
  add_frameworks(families, state);
  add_pools(families, state);
  add_offers(families, snapshot.tally);
  add_tasks(families, snapshot);
  families.begin("proffer_preempted_slots_total", "Slots that others had to give back for a starved pool.",
                 MetricType::Counter);
  for (const auto& [pool, slots] : snapshot.tally.slots_claimed) {
    families.add({{"pool", pool_label(pool)}}, slots);
  }
  families.begin("proffer_messages_refused_total", "Messages that had no effect.", MetricType::Counter);
  families.add({}, snapshot.tally.refused);
  families.begin("proffer_step_seconds", "Time that the allocator worked on one event.",
                 MetricType::Histogram);
  families.add(snapshot.tally.steps);
  return families.text();
}

}  // namespace proffer::live
