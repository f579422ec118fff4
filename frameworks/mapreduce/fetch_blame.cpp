#include "frameworks/mapreduce/fetch_blame.hpp"

namespace proffer::mapreduce {
namespace {

/// The number of complaints of one reduce after which it is believed, though nobody confirms it.
constexpr std::uint32_t kInsists = 3;

bool is_own_fault(const Complaint& complaint, const std::set<AgentId>& gone) {
  const auto is_asked = [&](AgentId agent) { return agent != complaint.by && !gone.contains(agent); };
  std::set<AgentId> in_vain;
  for (const auto& [map, agent] : complaint.missing) {
    if (is_asked(agent)) in_vain.insert(agent);
  }
  std::size_t asked = 0;
  for (const auto agent : complaint.holders) {
    if (is_asked(agent)) ++asked;
  }
  return in_vain.size() >= 2 && 2 * in_vain.size() > asked;
}

}  // namespace

Blame Complaints::judge(const Complaint& complaint, const std::set<AgentId>& gone) {
  Blame blame;
  blame.own_agent = is_own_fault(complaint, gone);
  for (const auto& [map, agent] : complaint.missing) {
    auto& known = of_maps_[map];
    const auto times = ++known[complaint.by][complaint.reduce];
    const bool is_certain = gone.contains(agent) || agent == complaint.by;
    const bool is_confirmed = known.size() >= 2 || times >= kInsists;
    if (is_certain || is_confirmed || (complaint.alone && !blame.own_agent)) blame.maps.insert(map);
  }
  return blame;
}

}  // namespace proffer::mapreduce
