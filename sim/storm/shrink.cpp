// A storm that fails is made smaller for as long as it still fails in the same way.
#include <utility>

#include "proffer/sim/storm.hpp"

namespace proffer::sim {
namespace {

/// The invariant that a violation names.
std::string invariant(const StormResult& result) {
  if (result.violations.empty()) return {};
  const auto& first = result.violations.front();
  return first.substr(0, first.find(": at "));
}

class Shrinker {
 public:
  Shrinker(StormOptions failing, const std::function<bool(const StormOptions&)>& fails)
      : best_(std::move(failing)), fails_(fails) {}

  StormOptions run() {
    while (without_faults() || with_fewer(&StormOptions::agents) || with_fewer(&StormOptions::frameworks) ||
           shorter()) {
    }
    return best_;
  }

 private:
  bool keep_if_failing(const StormOptions& candidate) {
    if (!fails_(candidate)) return false;
    best_ = candidate;
    return true;
  }

  bool without_faults() {
    bool smaller = false;
    for (std::size_t kind = 0; kind < kFaults.size(); ++kind) {
      if (!best_.faults.test(kind)) continue;
      auto candidate = best_;
      candidate.faults.reset(kind);
      smaller = keep_if_failing(candidate) || smaller;
    }
    return smaller;
  }

  bool with_fewer(std::uint32_t StormOptions::*field) {
    for (const auto fewer : {best_.*field / 2, best_.*field - 1}) {
      auto candidate = best_;
      candidate.*field = fewer;
      if (fewer > 0 && keep_if_failing(candidate)) return true;
    }
    return false;
  }

  bool shorter() {
    const auto rage = best_.rage.value_or(std::chrono::seconds(120));
    for (const auto time : {rage / 2, rage - rage / 5}) {
      auto candidate = best_;
      candidate.rage = time;
      if (time >= std::chrono::seconds(1) && keep_if_failing(candidate)) return true;
    }
    return false;
  }

  StormOptions best_;
  const std::function<bool(const StormOptions&)>& fails_;
};

}  // namespace

StormOptions smallest_that_fails(StormOptions failing,
                                 const std::function<bool(const StormOptions&)>& fails) {
  return Shrinker(std::move(failing), fails).run();
}

StormOptions smallest_storm(std::uint64_t seed, StormOptions failing,
                            const std::function<void(const StormOptions&)>& tried) {
  failing.timeline = false;
  const auto wanted = invariant(run_storm(seed, failing));
  if (wanted.empty()) return failing;
  return smallest_that_fails(std::move(failing), [&](const StormOptions& candidate) {
    if (tried) tried(candidate);
    return invariant(run_storm(seed, candidate)) == wanted;
  });
}

}  // namespace proffer::sim
