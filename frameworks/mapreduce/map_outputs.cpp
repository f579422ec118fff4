#include "frameworks/mapreduce/map_outputs.hpp"

#include <utility>

#include "proffer/check.hpp"

namespace proffer::mapreduce {

void MapOutputs::add(std::uint32_t map, MapOutcome outcome) {
  const bool is_new = by_map_.emplace(map, std::move(outcome)).second;
  PROFFER_CHECK(is_new, "a map ends well whose output is there");
  ended_.push_back(map);
  ++added_;
}

void MapOutputs::skip_to(std::uint64_t added) {
  PROFFER_CHECK(added >= added_, "the number of outputs falls");
  added_ = added;
}

void MapOutputs::lose(std::uint32_t map) {
  PROFFER_CHECK(by_map_.erase(map) == 1, "an output is lost that is not there");
  std::erase(ended_, map);
  complaints_.forget(map);
}

std::set<AgentId> MapOutputs::holders() const {
  std::set<AgentId> agents;
  for (const auto& [map, outcome] : by_map_) agents.insert(outcome.agent);
  return agents;
}

Blame MapOutputs::judge(const Complaint& complaint, const std::set<AgentId>& gone) {
  for (const auto& [map, agent] : complaint.missing) {
    PROFFER_CHECK(by_map_.contains(map), "a reduce misses an output that nobody has");
  }
  return complaints_.judge(complaint, gone);
}

void MapOutputs::check_invariants() const {
  PROFFER_CHECK(ended_.size() == by_map_.size(), "the list of ended maps is not that of the outputs");
  for (const auto map : ended_) PROFFER_CHECK(by_map_.contains(map), "an ended map has no output");
}

}  // namespace proffer::mapreduce
