// What is done for pools that starve.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proffer/pool.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// Ending tasks of pools above their fair share for pools that starve (SEMANTICS §1).
enum class PreemptionMode : std::uint8_t {
  off,
  log,  ///< only say what would be preempted
  on,
};
inline constexpr std::array<std::string_view, 3> kPreemptionModes{"off", "log", "on"};
struct PreemptionConfig {
  PreemptionMode mode = PreemptionMode::off;
  /// T_fair: so long a pool may be below `fair_share_threshold_milli` of its fair share; none: for ever.
  std::optional<Duration> fair_share_timeout;
  std::int64_t fair_share_threshold_milli = 500;  ///< in thousandths of the fair share
  Duration deadline = std::chrono::seconds(5);    ///< for a framework to give slots back
  bool operator==(const PreemptionConfig&) const = default;
};

/// Why pools that are shared by that may not have these settings; empty: they may. Who is short of its fair
/// share, and who has more than that, is told for each kind by itself. Where the order is that of dominant
/// shares, a pool that has what it should by that order may be short of one kind for ever: what were taken
/// for it from others would be offered to them again.
std::string refuse_preemption(const PreemptionConfig& preemption, ShareBy by);

}  // namespace proffer
