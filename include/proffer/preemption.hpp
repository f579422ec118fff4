// The settings of preemption: ending tasks for the sake of starved pools.
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

/// The mode of ending tasks of pools above their fair share for pools that starve (SEMANTICS §1).
enum class PreemptionMode : std::uint8_t {
  off,
  log,  ///< only reports what would be preempted
  on,
};
inline constexpr std::array<std::string_view, 3> kPreemptionModes{"off", "log", "on"};
struct PreemptionConfig {
  PreemptionMode mode = PreemptionMode::off;
  /// T_fair: the time a pool may be below `fair_share_threshold_milli` of its fair share; none: for ever.
  std::optional<Duration> fair_share_timeout;
  std::int64_t fair_share_threshold_milli = 500;  ///< thousandths of the fair share
  Duration deadline = std::chrono::seconds(5);    ///< the time a framework has to give slots back
  bool operator==(const PreemptionConfig&) const = default;
};

/// Returns a sentence that says why pools shared by `by` may not have these settings; empty: they may. T_fair
/// cannot go with dominant shares: who is below its fair share, and who is above, is judged for each kind
/// separately. A pool that has its due by the order of dominant shares may lack one kind for ever, and slots
/// taken from others for it would be offered to the others again.
std::string refuse_preemption(const PreemptionConfig& preemption, ShareBy by);

}  // namespace proffer
