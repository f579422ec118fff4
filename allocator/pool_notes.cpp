#include "proffer/allocator/allocator.hpp"

namespace proffer {

PoolChanged pool_note(const AllocatorPool& pool) {
  auto note = pool_note(pool.share);
  note.racks.assign(pool.racks.begin(), pool.racks.end());
  note.agents.assign(pool.agents.begin(), pool.agents.end());
  return note;
}

}  // namespace proffer
