// Settings of pools that contradict each other.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/pool.hpp"

namespace proffer {

struct PoolContradiction {
  std::string pool;      ///< the pool to blame
  std::string_view key;  ///< one of its settings, named as in a configuration file
  std::string sentence;
};

/// Returns the first setting of a pool that can never have an effect (whoever wrote it expects one), or that
/// says where a pool below one with private agents is to be offered slots; none: all is well.
std::optional<PoolContradiction> find_contradiction(const std::vector<AllocatorPool>& pools);
/// The same for pools of jobs. `root`: the order of the uppermost pool, unless the root is among the pools;
/// `kinds`: the slot kinds that tasks of these jobs take.
std::optional<PoolContradiction> find_contradiction(const std::vector<PoolSpec>& pools, PoolOrder root,
                                                    std::span<const Kind> kinds);

}  // namespace proffer
