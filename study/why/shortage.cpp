#include "study/why/shortage.hpp"

#include <algorithm>

#include "proffer/pool_path.hpp"

namespace proffer::study::why {
namespace {

bool refuses(const Scene& scene, const FrameworkScene& framework, Kind kind) {
  if (framework.wants(kind) == 0) return false;
  const auto at = framework.refuses_until.find(kind);
  return at != framework.refuses_until.end() && (!at->second || *at->second > scene.now);
}

}  // namespace

bool is_in(const FrameworkScene& framework, const std::string& pool) { return lies_in(framework.pool, pool); }

Standing standing_of(const Scene& scene, const FrameworkScene& framework, Kind kind) {
  Standing standing;
  standing.running = framework.has(kind).running;
  standing.offered = framework.has(kind).offered;
  standing.refuses = refuses(scene, framework, kind);
  if (!framework.leaf) return standing;
  standing.demand = scene.tree.demand(*framework.leaf, kind);
  standing.fair = scene.tree.fair_share(*framework.leaf, kind);
  return standing;
}

Standing standing_of_pool(const Scene& scene, const std::string& pool, Kind kind) {
  Standing standing;
  for (const auto& [name, framework] : scene.frameworks) {
    if (!is_in(framework, pool)) continue;
    standing.running += framework.has(kind).running;
    standing.offered += framework.has(kind).offered;
    standing.refuses = standing.refuses || refuses(scene, framework, kind);
  }
  if (const auto node = scene.tree.find_pool(pool)) {
    const auto numbers = scene.tree.numbers(*node, kind);
    standing.demand = std::min(numbers.demand, kUnbounded);
    standing.fair = numbers.fair;
    standing.guaranteed = numbers.guaranteed;
  }
  return standing;
}

void Shortage::until(const Scene& scene, Time now) {
  if (!name_) return;
  const auto from = last_.value_or(now);
  if (last_ && now <= from) return;
  last_ = now;
  const auto known = scene.frameworks.find(*name_);
  if (!is_pool_ && known == scene.frameworks.end()) return;
  const auto seconds = std::chrono::duration<double>(now - from).count();
  for (const auto kind : scene.kinds) {
    const auto standing =
        is_pool_ ? standing_of_pool(scene, *name_, kind) : standing_of(scene, known->second, kind);
    auto& deficit = deficits_[kind];
    const auto missing = standing.owed() - standing.running;
    if (missing <= 0) {
      deficit.since.reset();
      continue;
    }
    if (!deficit.since) deficit.since = from;
    (standing.refuses ? deficit.own : deficit.imposed) += seconds * static_cast<double>(missing);
  }
}

Deficit Shortage::of(Kind kind) const {
  const auto at = deficits_.find(kind);
  return at == deficits_.end() ? Deficit{} : at->second;
}

}  // namespace proffer::study::why
