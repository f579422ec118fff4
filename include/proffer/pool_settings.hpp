// What pools may not be set to beside each other.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/pool.hpp"

namespace proffer {

struct PoolContradiction {
  std::string pool;      ///< to blame
  std::string_view key;  ///< of its settings, as a configuration file has them
  std::string sentence;
};

/// The first setting of a pool of which nothing would ever come, since who writes it expects something of it;
/// or that says where a pool in one with private agents is to be offered slots. None: all is well.
std::optional<PoolContradiction> find_contradiction(const std::vector<AllocatorPool>& pools);
/// The same of pools of jobs. `root`: the order of the uppermost, unless the root is among the pools;
/// `kinds`: of slots that tasks of these jobs take.
std::optional<PoolContradiction> find_contradiction(const std::vector<PoolSpec>& pools, PoolOrder root,
                                                    std::span<const Kind> kinds);

}  // namespace proffer
