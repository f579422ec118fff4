// Settings by which the catalog keeps more replicas of blocks in demand than their writers asked for.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "proffer/time.hpp"

namespace proffer {

enum class ReplicationPolicy : std::uint8_t {
  fixed,  ///< no further replicas: uses are not reported
  /// Delay-scheduling-based replication: once an interval, by how much what reads a block was delayed.
  dsbra,
  /// Blocks that tasks read from other agents are kept where these ran, in place of what is least popular.
  /// After DARE (Abad, Lu, Campbell, CLUSTER 2011), which keeps the bytes as they pass; here they are fetched
  /// once more.
  dare,
};
inline constexpr std::array<std::string_view, 3> kReplicationPolicies{"fixed", "dsbra", "dare"};

enum class DsbraVariant : std::uint8_t {
  corrected,  ///< the formula without its last halving, least loaded nodes first
  literal,    ///< as printed: it can never replicate
  /// Corrected, but its mean is over the blocks read in the interval, and what a job waits counts for all its
  /// pending blocks.
  accessed,
};
inline constexpr std::array<std::string_view, 3> kDsbraVariants{"corrected", "literal", "accessed"};

/// The default of restore_after in the catalog of a running cluster.
inline constexpr Duration kRestoreAfter = std::chrono::minutes(10);

struct ReplicationConfig {
  ReplicationPolicy policy = ReplicationPolicy::fixed;
  DsbraVariant variant = DsbraVariant::corrected;
  Duration interval = std::chrono::seconds(60);
  std::int64_t alpha_milli = 500;                ///< the weight of the newest interval
  Duration threshold = std::chrono::seconds(3);  ///< D: a longer delay counts as this one; W1 + W2
  std::int64_t extra_milli = 300;  ///< extra storage at most, as a part of that of fixed replication
  Duration copy_timeout = std::chrono::minutes(2);  ///< then a copy has failed, and another target is tried

  /// Whatever the policy: a block that has lacked replicas that its writer asked for for so long gets others
  /// in their place; 0: never.
  Duration restore_after{};

  /// Returns whether blocks in demand get further replicas.
  bool on() const { return policy != ReplicationPolicy::fixed; }
  bool restores() const { return restore_after > Duration::zero(); }
};

}  // namespace proffer
