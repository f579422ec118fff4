#include "study/why/shortage.hpp"

#include <algorithm>

#include "proffer/pool_path.hpp"
#include "study/why/naming.hpp"

namespace proffer::study::why {
namespace {

/// Sharing anew after each of thousands of lines a second would tell no more.
constexpr Duration kShortest = std::chrono::milliseconds(10);

}  // namespace

bool is_in(const FrameworkScene& framework, const std::string& pool) { return lies_in(framework.pool, pool); }

bool declines(const Scene& scene, const FrameworkScene& framework, Kind kind) {
  const auto at = framework.answers.declines.find(kind);
  return at != framework.answers.declines.end() && at->second && scene.wants(framework, kind) > 0;
}

Standing standing_of(const Scene& scene, const FrameworkScene& framework, Kind kind) {
  Standing standing;
  standing.running = scene.has(framework, kind).running;
  standing.offered = scene.has(framework, kind).offered;
  if (!framework.leaf) return standing;
  standing.demand = scene.tree.demand(*framework.leaf, kind);
  standing.fair = scene.tree.fair_share(*framework.leaf, kind);
  DeficitCount lacks;
  lacks.add(static_cast<double>(standing.owed()), standing.running, declines(scene, framework, kind));
  standing.lacks = lacks.sum();
  return standing;
}

Standing standing_of_pool(const Scene& scene, const std::string& pool, Kind kind) {
  Standing standing;
  DeficitCount lacks;
  for (const auto& [number, framework] : scene.frameworks) {
    if (!is_in(framework, pool)) continue;
    const auto its = standing_of(scene, framework, kind);
    standing.running += its.running;
    standing.offered += its.offered;
    lacks.add(static_cast<double>(its.owed()), its.running, its.lacks.declined > 0);
  }
  standing.lacks = lacks.sum();
  if (const auto node = scene.tree.find_pool(pool)) {
    const auto numbers = scene.tree.numbers(*node, kind);
    standing.demand = std::min(numbers.demand, kUnbounded);
    standing.fair = numbers.fair;
    standing.guaranteed = numbers.guaranteed;
  }
  return standing;
}

void Shortage::watch(std::string name, bool is_pool) {
  if (name_ == name) return;
  name_ = std::move(name);
  is_pool_ = is_pool;
  missed_.clear();
}

void Shortage::until(const Scene& scene, Time now) {
  if (!name_) return;
  const auto from = last_.value_or(now);
  if (last_ && now - from < kShortest) return;
  last_ = now;
  for (const auto kind : scene.kinds) {
    if (is_pool_) {
      count({std::nullopt, kind}, standing_of_pool(scene, *name_, kind), from, now);
      continue;
    }
    for (const auto& [number, framework] : scene.frameworks) {
      if (is_called(framework, *name_)) count({number, kind}, standing_of(scene, framework, kind), from, now);
    }
  }
}

void Shortage::count(Key key, const Standing& standing, Time from, Time now) {
  auto& missed = missed_[key];
  if (standing.lacks.all <= 0) return missed.since.reset();
  if (!missed.since) missed.since = from;
  missed.so_far += standing.lacks * std::chrono::duration<double>(now - from).count();
}

Missed Shortage::of(std::optional<FrameworkNo> framework, Kind kind) const {
  const auto at = missed_.find({framework, kind});
  return at == missed_.end() ? Missed{} : at->second;
}

}  // namespace proffer::study::why
