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
  Shrinker(std::uint64_t seed, StormOptions failing, const std::function<void(const StormOptions&)>& tried)
      : seed_(seed), best_(std::move(failing)), tried_(tried), wanted_(invariant(run_storm(seed, best_))) {}

  StormOptions run() {
    if (wanted_.empty()) return best_;
    while (pass()) {
    }
    return best_;
  }

 private:
  bool keep_if_failing(const StormOptions& candidate) {
    if (tried_) tried_(candidate);
    if (invariant(run_storm(seed_, candidate)) != wanted_) return false;
    best_ = candidate;
    return true;
  }

  /// Returns whether anything could be left out.
  bool pass() {
    bool smaller = false;
    for (std::size_t kind = 0; kind < kFaults.size(); ++kind) {
      if (!best_.faults.test(kind)) continue;
      auto candidate = best_;
      candidate.faults.reset(kind);
      smaller = keep_if_failing(candidate) || smaller;
    }
    for (const auto field : {&StormOptions::agents, &StormOptions::frameworks}) {
      for (auto less : {best_.*field / 2, best_.*field - 1}) {
        auto candidate = best_;
        candidate.*field = less;
        if (less == 0 || less >= best_.*field) continue;
        smaller = keep_if_failing(candidate) || smaller;
      }
    }
    return shorten() || smaller;
  }

  bool shorten() {
    auto candidate = best_;
    const auto rage = best_.rage.value_or(std::chrono::seconds(120));
    if (rage <= std::chrono::seconds(1)) return false;
    candidate.rage = rage / 2;
    if (keep_if_failing(candidate)) return true;
    candidate.rage = rage - rage / 5;
    return keep_if_failing(candidate);
  }

  std::uint64_t seed_;
  StormOptions best_;
  const std::function<void(const StormOptions&)>& tried_;
  std::string wanted_;
};

}  // namespace

StormOptions smallest_storm(std::uint64_t seed, StormOptions failing,
                            const std::function<void(const StormOptions&)>& tried) {
  failing.timeline = false;
  return Shrinker(seed, std::move(failing), tried).run();
}

}  // namespace proffer::sim
