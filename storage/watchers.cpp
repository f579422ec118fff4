#include "storage/watchers.hpp"

#include <utility>

#include "proffer/limits.hpp"

namespace proffer {

void Watchers::heard(PeerId peer, Time now) {
  if (heard_.size() < limits::kFrameworks || heard_.contains(peer)) heard_[peer] = now;
}

void Watchers::expire(Time before) {
  std::erase_if(heard_, [before](const auto& one) { return one.second < before; });
}

std::set<BlockId> Watchers::take_changed() { return std::exchange(changed_, {}); }

}  // namespace proffer
