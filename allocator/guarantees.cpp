#include "allocator/guarantees.hpp"

#include <algorithm>
#include <map>

namespace proffer::allocator {
namespace {

/// The most that siblings are promised together, by kind.
std::map<Kind, std::int64_t> promised(const std::vector<AllocatorPool>& pools) {
  std::map<std::string, Resources> of_siblings;  // by the pool above them
  for (const auto& pool : pools) {
    const auto& name = pool.share.name;
    const auto dot = name.rfind('.');
    of_siblings[dot == std::string::npos ? "" : name.substr(0, dot)] += pool.share.min_share;
  }
  std::map<Kind, std::int64_t> most;
  for (const auto& [parent, sum] : of_siblings) {
    for (const auto& [kind, units] : sum) most[kind] = std::max(most[kind], units);
  }
  return most;
}

}  // namespace

void warn_of_broken_guarantees(const Turn& turn) {
  auto& state = turn.state;
  for (const auto& [kind, units] : promised(state.config.pools)) {
    const auto capacity = state.shares.tree().capacity(kind);
    if (units <= capacity || !state.shares.knows(kind) || !state.warned_of.insert(kind).second) continue;
    turn.trace(MessageRefused{"min_share", ErrorCode::invalid,
                              "pools are promised " + std::to_string(units) + " slots of kind " +
                                  std::string(kind.name()) + " and the cluster has " +
                                  std::to_string(capacity) + ": each gets its part of them"});
  }
}

}  // namespace proffer::allocator
