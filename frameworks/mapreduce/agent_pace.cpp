#include "frameworks/mapreduce/agent_pace.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::mapreduce {
namespace {

constexpr std::int64_t kUsual = 1000;

}  // namespace

std::int64_t AgentPace::Sum::milli() const {
  return std::max<std::int64_t>(1, kUsual * took.count() / usual.count());
}

void AgentPace::ended(AgentId agent, Duration took, Duration usual) {
  PROFFER_CHECK(took > Duration::zero() && usual > Duration::zero(), "a map that took no time has no pace");
  auto& sum = sums_[agent];
  if (sum.ended > 0) sorted_.erase(std::lower_bound(sorted_.begin(), sorted_.end(), sum.milli()));
  if (sum.ended >= kRemembered) sum = {sum.ended / 2, sum.took / 2, sum.usual / 2};
  ++sum.ended;
  sum.took += took;
  sum.usual += usual;
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), sum.milli()), sum.milli());
}

std::int64_t AgentPace::milli(AgentId agent) const {
  const auto at = sums_.find(agent);
  return at == sums_.end() ? kUsual : at->second.milli() * kUsual / sorted_[sorted_.size() / 2];
}

std::vector<AgentId> AgentPace::slower_than(std::int64_t most) const {
  std::vector<AgentId> slower;
  for (const auto& [agent, sum] : sums_) {
    if (milli(agent) >= most) slower.push_back(agent);
  }
  return slower;
}

void AgentPace::check_invariants() const {
  std::vector<std::int64_t> paces;
  for (const auto& [agent, sum] : sums_) paces.push_back(sum.milli());
  std::sort(paces.begin(), paces.end());
  PROFFER_CHECK(paces == sorted_, "the paces of agents are out of order");
}

}  // namespace proffer::mapreduce
