// The rules by which the catalog keeps more replicas of blocks in demand than their writers asked for.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "proffer/time.hpp"

namespace proffer {

enum class ReplicationPolicy : std::uint8_t {
  fixed,  ///< no more: nothing is reported, and nothing costs anything
  /// Delay-scheduling-based replication: once an interval, by how much the tasks that read a block were
  /// delayed.
  dsbra,
  /// A block that a task reads from another agent is kept where the task ran, in place of the least popular
  /// block. After DARE (Abad, Lu, Campbell, CLUSTER 2011), which keeps the bytes as they pass; here they are
  /// fetched once more.
  dare,
};
inline constexpr std::array<std::string_view, 3> kReplicationPolicies{"fixed", "dsbra", "dare"};

enum class DsbraVariant : std::uint8_t {
  corrected,  ///< the formula without its last halving, least loaded nodes first
  literal,    ///< the formula as printed: it can never replicate
  /// Corrected, but with the mean over the blocks read in the interval, and a job's wait counts for all its
  /// pending blocks.
  accessed,
};
inline constexpr std::array<std::string_view, 3> kDsbraVariants{"corrected", "literal", "accessed"};

/// The restore_after of a catalog of a running cluster where nobody says otherwise.
inline constexpr Duration kRestoreAfter = std::chrono::minutes(10);

struct ReplicationConfig {
  ReplicationPolicy policy = ReplicationPolicy::fixed;
  DsbraVariant variant = DsbraVariant::corrected;
  Duration interval = std::chrono::seconds(60);
  std::int64_t alpha_milli = 500;                ///< the weight of the newest interval
  Duration threshold = std::chrono::seconds(3);  ///< D: a longer delay counts as this one; W1 + W2
  /// Largest extra storage, in thousandths of the storage of fixed replication.
  std::int64_t extra_milli = 300;
  /// The time after which a copy has failed, and another target is tried.
  Duration copy_timeout = std::chrono::minutes(2);

  /// The time after which a block that lacks replicas its writer asked for gets others in their place,
  /// whatever the policy; 0: never.
  Duration restore_after{};

  /// Returns whether blocks in demand get further replicas.
  bool on() const { return policy != ReplicationPolicy::fixed; }
  bool restores() const { return restore_after > Duration::zero(); }
};

}  // namespace proffer
