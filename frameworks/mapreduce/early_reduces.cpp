#include "frameworks/mapreduce/early_reduces.hpp"

#include "proffer/check.hpp"

namespace proffer::mapreduce {

void EarlyReduces::count(const Reduce& reduce, bool more) {
  if (reduce.complete) return;
  const auto at = copying_.try_emplace(reduce.agent, 0).first;
  at->second = more ? at->second + 1 : at->second - 1;
  if (at->second == 0) copying_.erase(at);
}

void EarlyReduces::launched(const TaskId& attempt, AgentId agent) {
  const auto [at, fresh] = reduces_.try_emplace(attempt, Reduce{agent});
  PROFFER_CHECK(fresh, "an attempt is launched twice");
  count(at->second, true);
}

void EarlyReduces::remove(const TaskId& attempt) {
  const auto node = reduces_.extract(attempt);
  if (!node.empty()) count(node.mapped(), false);
}

EarlyReduces::Reduce* EarlyReduces::find(const TaskId& attempt) {
  const auto at = reduces_.find(attempt);
  return at == reduces_.end() ? nullptr : &at->second;
}

void EarlyReduces::told(Reduce& reduce, std::uint32_t up_to, bool complete) {
  count(reduce, false);
  reduce.told = up_to;
  reduce.complete = complete;
  count(reduce, true);
}

std::vector<TaskId> EarlyReduces::list_changed() {
  std::vector<TaskId> incomplete;
  for (auto& [attempt, reduce] : reduces_) {
    if (reduce.complete) {
      reduce.outdated = true;
    } else {
      incomplete.push_back(attempt);
    }
  }
  return incomplete;
}

std::vector<TaskId> EarlyReduces::outdated() const {
  std::vector<TaskId> attempts;
  for (const auto& [attempt, reduce] : reduces_) {
    if (reduce.outdated) attempts.push_back(attempt);
  }
  return attempts;
}

std::vector<TaskId> EarlyReduces::waiting() const {
  std::vector<TaskId> attempts;
  for (const auto& [attempt, reduce] : reduces_) {
    if (reduce.runs && !reduce.complete) attempts.push_back(attempt);
  }
  return attempts;
}

std::uint32_t EarlyReduces::copying_on(AgentId agent) const {
  const auto at = copying_.find(agent);
  return at == copying_.end() ? 0 : at->second;
}

void EarlyReduces::check_invariants() const {
  std::map<AgentId, std::uint32_t> copying;
  for (const auto& [attempt, reduce] : reduces_) {
    if (!reduce.complete) ++copying[reduce.agent];
  }
  PROFFER_CHECK(copying == copying_, "copying reduces are miscounted");
}

}  // namespace proffer::mapreduce
