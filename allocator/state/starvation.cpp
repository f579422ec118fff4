#include "allocator/state/starvation.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::allocator {

void Starvation::note_refusal(const Shares& shares, FrameworkIndex framework, Kind kind,
                              std::optional<Time> until) {
  if (watched.empty() || !shares.wants(framework, kind)) return;
  clocks.refused(framework, kind, until);
  for (const auto node : shares.tree().path_of(framework)) {
    clocks.set_back(node, kind, until);
    claims.refused(node, kind);
  }
}

bool Starvation::starved(const ShareTree& tree, FrameworkIndex framework, Kind kind) const {
  if (clocks.empty()) return false;
  const auto path = tree.path_of(framework);
  return std::any_of(path.begin(), path.end(), [&](ShareNode node) { return clocks.starved(node, kind); });
}

void Starvation::forget(ShareNode pool) {
  clocks.forget(pool);
  claims.forget_pool(pool);
}

bool Starvation::watches(ShareNode pool) const {
  return std::any_of(watched.begin(), watched.end(),
                     [&](const WatchedPool& known) { return known.pool == pool; });
}

const std::string& Starvation::name_of(ShareNode pool) const {
  const auto found = std::find_if(watched.begin(), watched.end(),
                                  [&](const WatchedPool& known) { return known.pool == pool; });
  PROFFER_CHECK(found != watched.end(), "a pool that nobody watches");
  return found->name;
}

}  // namespace proffer::allocator
