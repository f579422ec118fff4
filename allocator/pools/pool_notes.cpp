#include "proffer/allocator/allocator.hpp"

namespace proffer {

PoolChanged pool_note(const AllocatorPool& pool) {
  auto note = pool_note(pool.share);
  note.racks.assign(pool.racks.begin(), pool.racks.end());
  note.agents.assign(pool.agents.begin(), pool.agents.end());
  note.private_agents = pool.private_agents;
  return note;
}

std::vector<Trace> opening_notes(const AllocatorConfig& config) {
  std::vector<Trace> notes{AllocatorRules{config.offer_timeout, config.report_period}};
  for (const auto& pool : config.pools) notes.emplace_back(pool_note(pool));
  for (const auto& user : config.users) notes.emplace_back(user_note(user));
  return notes;
}

}  // namespace proffer
