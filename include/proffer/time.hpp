// Time as machines know it: microseconds on a clock that cannot be read. `now` always arrives as an argument.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace proffer {

using Duration = std::chrono::duration<std::int64_t, std::micro>;

/// A clock deliberately without now(): a machine that reads the time does not compile.
struct MachineClock {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<MachineClock>;
  static constexpr bool is_steady = true;
};
using Time = MachineClock::time_point;

/// The earlier of two deadlines, where "none" means never.
inline std::optional<Time> earlier(std::optional<Time> a, std::optional<Time> b) {
  if (!a) return b;
  if (!b) return a;
  return *a < *b ? a : b;
}

inline constexpr std::int64_t to_us(Duration d) { return d.count(); }
inline constexpr std::int64_t to_us(Time t) { return t.time_since_epoch().count(); }
inline constexpr Time time_from_us(std::int64_t us) { return Time{Duration{us}}; }

}  // namespace proffer
