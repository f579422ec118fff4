#include "frameworks/policies/quincy.hpp"

#include <algorithm>

#include "frameworks/policies/task_graph.hpp"

namespace proffer::policies {
namespace {

constexpr std::int64_t kCoreCost = 2;
/// The bound on core_cost: with it a task of 1 TB costs less over the core than a job that is short of its
/// share, and sums stay far below what the flow allows.
constexpr std::int64_t kMostCoreCost = 100;
constexpr Duration kLookAgain = std::chrono::seconds(1);

}  // namespace

QuincyPolicy::QuincyPolicy(Settings& settings)
    : fair_(settings.flag("fair")),
      preempt_(settings.flag("preempt")),
      core_cost_(settings.count("core_cost", kCoreCost)),
      solve_every_(settings.duration("solve_every", Duration::zero())) {
  if (core_cost_ <= kMostCoreCost) return;
  settings.fail("core_cost", "a whole number from 0 to 100");
  core_cost_ = kCoreCost;
}

void QuincyPolicy::shown(std::span<const Offer> offers, const Candidates& jobs, Time now) {
  planned_.clear();
  std::set<Kind> kinds;
  for (const auto& offer : offers) {
    agents_[offer.agent.id] = offer.agent;
    for (const auto& [kind, units] : offer.resources) kinds.insert(kind);
  }
  kinds_.insert(kinds.begin(), kinds.end());
  for (const auto kind : kinds) plan_free(kind, offers, jobs, now);
}

/// Plans what is free now, for unlaunched tasks.
void QuincyPolicy::plan_free(Kind kind, std::span<const Offer> offers, const Candidates& jobs, Time now) {
  TaskGraph graph(kind, *tasks_, now, core_cost_);
  std::int64_t free = 0;
  for (const auto& offer : offers) {
    const auto units = offer.resources[kind];
    if (units > 0) graph.add_slots(offer.agent, units);
    free += units;
  }
  const auto slots = fair_ ? std::max(standings_[kind].fair, running(kind) + free) : 0;
  for (const auto job : jobs.in_order(kind)) {
    if (!fair_) {
      graph.add_job(job, {0, free});
      continue;
    }
    const auto lacks = jobs.fair_share(job, kind, slots) - jobs.running(job, kind);
    if (lacks > 0) graph.add_job(job, {std::min(lacks, free), std::min(lacks, free)});
  }
  graph.solve();
  planned_.add(kind, graph.placed());
}

/// Returns when the wait of some task costs more than a farther slot. Slots that bounds forbid are looked at
/// again a second later.
std::optional<Time> QuincyPolicy::next_level_change(Kind kind, const Candidates& jobs, Time now) const {
  std::optional<Time> next;
  const auto note = [&](const WaitingTask& task) {
    const auto moves = moving_cost(task.bytes);
    for (const auto cost : {moves, moves * core_cost_}) {
      const auto at = task.since + Duration(2 * cost);
      if (at > now) next = earlier(next, at);
    }
  };
  bool waits = false;
  const AgentInfo nowhere;
  for (const auto job : jobs.in_order(kind)) {
    waits = true;
    tasks_->each_waiting(job, kind, nowhere, Locality::any, 1, note);
  }
  if (waits) next = earlier(next, now + kLookAgain);
  return next;
}

std::optional<Time> QuincyPolicy::victims_at(const Candidates& jobs) const {
  if (!preempt_) return {};
  const auto waits = [&](Kind kind) { return !jobs.in_order(kind).empty(); };
  if (std::none_of(kinds_.begin(), kinds_.end(), waits)) return {};
  return solved_ ? *solved_ + std::max(solve_every_, kLookAgain) : Time{};
}

std::vector<TaskId> QuincyPolicy::victims(const Candidates& jobs, Time now) {
  if (!preempt_ || (solved_ && now < *solved_ + solve_every_)) return {};
  solved_ = now;
  std::vector<TaskId> victims;
  for (const auto kind : kinds_) {
    if (jobs.in_order(kind).empty()) continue;
    auto losers = this->losers(kind, jobs, now);
    killed_[kind].insert(losers.begin(), losers.end());
    victims.insert(victims.end(), losers.begin(), losers.end());
  }
  return victims;
}

std::int64_t QuincyPolicy::running(Kind kind) const {
  std::int64_t running = 0;
  tasks_->each_running(kind, [&](const RunningTask&) { ++running; });
  return running;
}

/// Returns the tasks that lose their slots when all slots in use go to what runs and what waits. Slots of
/// tasks that were told to end count as free.
std::vector<TaskId> QuincyPolicy::losers(Kind kind, const Candidates& jobs, Time now) {
  TaskGraph graph(kind, *tasks_, now, core_cost_);
  std::vector<RunningTask> running;
  auto& killed = killed_[kind];
  std::set<TaskId> dying;
  std::set<JobId> all(jobs.in_order(kind).begin(), jobs.in_order(kind).end());
  std::int64_t slots = 0;
  tasks_->each_running(kind, [&](const RunningTask& task) {
    graph.add_slots(agents_.at(task.agent), 1);
    ++slots;
    if (killed.contains(task.id)) {
      dying.insert(task.id);
      return;
    }
    running.push_back(task);
    all.insert(task.job);
  });
  for (const auto job : all) {
    const auto share = fair_ ? jobs.fair_share(job, kind, std::max(standings_[kind].fair, slots)) : slots;
    graph.add_job(job, {fair_ ? share : 0, share});
  }
  for (const auto& task : running) graph.add_running(task);
  killed = std::move(dying);
  graph.solve();
  return graph.displaced();
}

}  // namespace proffer::policies
