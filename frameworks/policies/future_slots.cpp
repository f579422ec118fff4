#include "frameworks/policies/future_slots.hpp"

#include <algorithm>
#include <functional>

namespace proffer::policies {

FutureSlots::FutureSlots(const Foresight& foresight, Kind kind, Time until) : until_(until) {
  foresight.each_slot(kind, until, [this](AgentId agent, Time at) { slots_[agent].push_back(at); });
  for (auto& [agent, times] : slots_) std::sort(times.begin(), times.end(), std::greater<>());
}

std::optional<Time> FutureSlots::next(std::span<const AgentId> agents, AgentId but) const {
  std::optional<Time> first;
  for (const auto agent : agents) {
    const auto at = slots_.find(agent);
    if (agent == but || at == slots_.end()) continue;
    first = earlier(first, at->second.empty() ? until_ : at->second.back());
  }
  return first;
}

void FutureSlots::take(AgentId agent) {
  const auto at = slots_.find(agent);
  if (at != slots_.end() && !at->second.empty()) at->second.pop_back();
}

}  // namespace proffer::policies
