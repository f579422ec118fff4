#include "proffer/allocator/allocator.hpp"
#include "proffer/pool_list.hpp"

namespace proffer {

std::vector<Trace> opening_notes(const AllocatorConfig& config) {
  std::vector<Trace> notes{AllocatorRules{config.offer_timeout, config.report_period}};
  for (const auto& pool : config.pools) notes.emplace_back(pool_note(pool));
  for (const auto& user : config.users) notes.emplace_back(user_note(user));
  return notes;
}

}  // namespace proffer
