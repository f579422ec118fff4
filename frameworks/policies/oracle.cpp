#include "frameworks/policies/oracle.hpp"

#include <map>

namespace proffer {
namespace {

constexpr std::int64_t kOracleCoreCost = 2;
constexpr Duration kOracleLooksAgain = std::chrono::milliseconds(500);
/// Tasks that are looked at for each slot.
constexpr std::size_t kTasksPerSlot = 8;

}  // namespace

OraclePolicy::OraclePolicy(Settings& settings)
    : horizon_(settings.duration("horizon", std::chrono::seconds(10))),
      core_cost_(settings.count("core_cost", kOracleCoreCost)) {}

void OraclePolicy::shown(std::span<const Offer> offers, const Candidates& jobs, Time now) {
  planned_.clear();
  std::set<Kind> kinds;
  for (const auto& offer : offers) {
    for (const auto& [kind, units] : offer.resources) kinds.insert(kind);
  }
  for (const auto kind : kinds) plan(kind, offers, jobs, now);
}

std::set<AgentId> OraclePolicy::alternatives(Kind kind, std::span<const Offer> offers,
                                             const Candidates& jobs) const {
  std::set<AgentId> agents;
  const auto note = [&](const WaitingTask& task) { agents.insert(task.nodes.begin(), task.nodes.end()); };
  for (const auto job : jobs.in_order(kind)) {
    for (const auto& offer : offers)
      jobs.each_waiting(job, kind, offer.agent, Locality::node, kTasksPerSlot, note);
    if (!offers.empty()) {
      jobs.each_waiting(job, kind, offers.front().agent, Locality::any, kTasksPerSlot, note);
    }
  }
  return agents;
}

void OraclePolicy::plan(Kind kind, std::span<const Offer> offers, const Candidates& jobs, Time now) {
  TaskGraph graph(kind, jobs, now, {core_cost_, horizon_, kTasksPerSlot});
  std::int64_t free = 0;
  for (const auto& offer : offers) {
    const auto units = offer.resources[kind];
    if (units > 0) graph.add_slots(offer.agent, units);
    free += units;
  }
  if (free == 0) return;
  const auto others = alternatives(kind, offers, jobs);
  foresight_->each_release(now + horizon_, [&](Kind of, AgentId agent, Time at) {
    if (of == kind && at >= now && others.contains(agent)) graph.add_release(agent, at - now);
  });
  // What is filled now is released as well, no sooner than anything that is known.
  for (const auto& offer : offers) {
    if (offer.resources[kind] > 0) graph.add_release(offer.agent.id, horizon_);
  }
  for (const auto job : jobs.in_order(kind)) graph.add_job(job, {0, jobs.unlaunched(job, kind)});
  graph.solve();
  planned_.add(kind, graph.placed());
}

/// Releases that nobody could foresee bring other plans: what stands idle is looked at again soon.
std::optional<Time> OraclePolicy::next_level_change(Kind kind, const Candidates& jobs, Time now) const {
  if (jobs.in_order(kind).empty()) return {};
  return now + kOracleLooksAgain;
}

}  // namespace proffer
