// The min shares that pools of frameworks are owed: how long it takes until each first has its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proffer/study/plan.hpp"

namespace proffer::study {

/// Pools are numbered in the order in which frameworks came into them. A pool is told of by its own
/// frameworks, and not by those of pools within it.
class PoolShares {
 public:
  explicit PoolShares(const Plan& plan);

  /// The number of that pool; none for frameworks in no pool.
  std::optional<std::size_t> number_of(const std::string& pool);
  const std::string& name(std::size_t pool) const { return pools_[pool].name; }
  std::size_t size() const { return pools_.size(); }

  // Map slots of a pool's frameworks; `now` in seconds.
  void demand(std::size_t pool, std::int64_t before, std::int64_t after, double now);
  void running(std::size_t pool, std::int64_t change, double now);

  /// time_to_min_share.POOL, in seconds from its first demand, of pools that have a min share and got it.
  void measure(std::map<std::string, double>& measures) const;

 private:
  struct Pool {
    std::string name;
    std::int64_t min_share = 0;  // of map slots
    std::int64_t demand = 0;
    std::int64_t running = 0;
    std::optional<double> wanted;  // since when
    std::optional<double> served;
  };
  const Plan& plan_;
  std::vector<Pool> pools_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
};

}  // namespace proffer::study
