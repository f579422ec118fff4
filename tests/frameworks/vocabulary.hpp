// The small language of these tests: agents, offers and tasks in a few letters.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "proffer/bulk.hpp"
#include "proffer/frameworks/policy_spec.hpp"
#include "proffer/frameworks/task_pool.hpp"

namespace proffer::testing {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

inline const Kind kMap{"map"};
inline const Kind kReduce{"reduce"};

inline Time at(Duration since_start) { return Time{since_start}; }
inline AgentId agent_id(std::uint64_t n) { return {{0, n}}; }

/// Agent n; agents 1-10 stand in rack r1, 11-20 in r2, and so on.
inline AgentInfo agent(std::uint64_t n) {
  return {agent_id(n), "a" + std::to_string(n), "r" + std::to_string((n - 1) / 10 + 1), ""};
}

inline Offer offer(std::uint64_t n, const AgentInfo& where, std::int64_t slots = 1, Kind kind = kMap) {
  return {OfferId{1, n}, where, Resources{{kind, slots}}, false};
}

inline Offer idle(Offer offer) {
  offer.idle = true;
  return offer;
}

/// A map whose block lies on these agents.
inline PendingTask map_on(std::string id, const std::vector<std::uint64_t>& agents) {
  PendingTask task{{std::move(id)}, kMap, {}, {}};
  for (const auto n : agents) {
    task.nodes.push_back(agent_id(n));
    task.racks.push_back(agent(n).rack);
  }
  return task;
}

/// A task that runs anywhere.
inline PendingTask anywhere(std::string id, Kind kind = kMap) { return {{std::move(id)}, kind, {}, {}}; }

/// The job's task that was launched first.
inline void end_one(TaskPool& pool, JobId job, Kind kind = kMap, Duration now = {}) {
  std::optional<TaskId> first;
  pool.each_running(kind, [&](const RunningTask& task) {
    if (!first && task.job == job) first = task.id;
  });
  pool.ended(job, kind, first.value(), at(now));
}

/// A policy over a pool. Messages of offers are shown to the policy one after the other.
struct PolicyBench {
  explicit PolicyBench(std::string_view policy_text, PoolOrder mode = PoolOrder::fair,
                       const std::vector<PoolSpec>& pools = {}, const PreemptionConfig& preemption = {})
      : PolicyBench(policy_text, JobSharing{.mode = mode, .pools = pools, .preemption = preemption}) {}
  PolicyBench(std::string_view policy_text, const JobSharing& sharing) : pool(sharing) {
    auto spec = parse_policy(policy_text);
    auto made = make_policy(*spec);
    policy = std::move(*made);
    if (auto* chooses = ability<ChoosesTasks>()) chooses->choose_among(pool);
  }

  /// An optional base of the policy; null: the policy does without.
  template <class Base>
  Base* ability() const {
    return dynamic_cast<Base*>(policy.get());
  }
  bool take_widened() const { return ability<AsksForOffers>()->take_widened(kMap); }
  std::optional<Time> look_again_at() const { return ability<AsksForOffers>()->look_again_at(kMap, pool); }
  std::optional<Time> victims_at() const { return ability<KillsTasks>()->victims_at(pool); }
  std::vector<TaskId> victims(Duration when) const { return ability<KillsTasks>()->victims(pool, at(when)); }

  JobId job(std::uint32_t n, const JobPlace& place = {}) {
    pool.add_job({n}, "job" + std::to_string(n), place);
    return {n};
  }

  /// A job of tasks t0, t1, ... whose blocks lie on these agents; on none: they run anywhere.
  JobId job_of(int tasks, const std::vector<std::uint64_t>& agents) {
    const auto id = job(1);
    for (int i = 0; i < tasks; ++i) pool.add(id, map_on("t" + std::to_string(i), agents));
    return id;
  }

  /// Shows a message of offers. Returns placements as "task@level", and passed slots as the reason.
  std::vector<std::string> offers(const std::vector<Offer>& message, Duration when) {
    for (const auto& standing : standings) pool.entitle(standing.kind, standing.fair);
    policy->opportunity(standings, pool, at(when));
    if (auto* plans = ability<PlansOffers>()) plans->shown(message, pool, at(when));
    std::vector<std::string> said;
    for (const auto& one : message) {
      for (const auto& [kind, slots] : one.resources) {
        if (rides_along(kind)) continue;
        std::vector<Placement> placements;
        auto left = one.resources;
        const auto passed = pool.fill(one, kind, left, *policy, at(when), placements);
        for (const auto& placed : placements) {
          said.push_back(placed.task.value + "@" + std::string(to_string(placed.locality)));
        }
        if (passed) said.emplace_back(to_string(passed->reason));
      }
    }
    pool.check_invariants();
    return said;
  }
  /// One slot on agent n.
  std::string slot(std::uint64_t n, Duration when) {
    const auto said = offers({offer(++next_offer, agent(n))}, when);
    return said.at(0);
  }
  std::string idle_slot(std::uint64_t n, Duration when) {
    const auto said = offers({idle(offer(++next_offer, agent(n)))}, when);
    return said.at(0);
  }
  std::optional<Duration> level_change(Duration when) const {
    const auto change = policy->next_level_change(kMap, pool, at(when));
    if (!change) return {};
    return change->time_since_epoch();
  }

  TaskPool pool;
  std::unique_ptr<Policy> policy;
  std::vector<Standing> standings;
  std::uint64_t next_offer = 0;
};

/// Two jobs of ten maps each, j1-0, j1-1, ... and j2-0, ...: all data of a job lies on the agent of its
/// number.
inline void two_jobs(PolicyBench& bench) {
  for (const std::uint32_t n : {1u, 2u}) {
    const auto job = bench.job(n);
    for (int i = 0; i < 10; ++i)
      bench.pool.add(job, map_on("j" + std::to_string(n) + "-" + std::to_string(i), {n}));
  }
}

}  // namespace proffer::testing
