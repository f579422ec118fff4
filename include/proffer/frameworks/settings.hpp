// Settings of a policy as people write them, read with their units. A policy declares its settings by reading
// them: a setting that is read is known, any other is refused. The first error is kept, and named in one
// sentence; the fallback (zero where there is none) stands in for the wrong value, so that a constructor need
// not check.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/frameworks/policy_spec.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// Reads "5s", "500ms", "20us", "2m", "0.65s"; none for anything else, a fraction of a microsecond, or more
/// than a year.
std::optional<Duration> duration_from(std::string_view text);

/// A setting that was read, as people are told of it.
struct SettingInfo {
  std::string name;
  std::string wants;     ///< what it may be: "a time such as 500ms, 5s, 2m or 1h"
  std::string fallback;  ///< in force when it is not given; empty: it must be given
};

class Settings {
 public:
  /// `spec` must outlive these settings.
  Settings(const PolicySpec& spec, Duration heartbeat) : spec_(spec), heartbeat_(heartbeat) {}

  /// The cluster's heartbeat; zero: there is none.
  Duration heartbeat() const { return heartbeat_; }

  // `shown` in these functions: the fallback in words, where it is not the same for everybody.

  Duration duration(std::string_view name, Duration fallback, std::string_view shown = {});
  /// Reads a time as duration() does; "never" gives none.
  std::optional<Duration> duration_or_never(std::string_view name, std::optional<Duration> fallback);
  /// Reads a time as duration() does; none when the setting is not given.
  std::optional<Duration> duration_if_given(std::string_view name, std::string_view shown);
  /// Reads a count from 0 to 1000000000. Without a fallback the setting must be given.
  std::int64_t count(std::string_view name, std::optional<std::int64_t> fallback,
                     std::string_view shown = {});
  /// Reads a part of the whole, from 0 to 1 with up to six digits, in millionths: 250000 for "0.25".
  std::int64_t millionths(std::string_view name, std::optional<std::int64_t> fallback);
  /// Reads true or false; false when the setting is not given.
  bool flag(std::string_view name);
  /// Returns the index of the setting's value in `choices`; 0 when the setting is not given.
  std::size_t choice(std::string_view name, std::span<const std::string_view> choices);

  /// Notes that a setting that was read is wrong beside others, as "... is not `wants`".
  void fail(std::string_view name, std::string_view wants);

  /// The settings that were read so far, in that order.
  const std::vector<SettingInfo>& known() const { return known_; }
  /// Returns `invalid` for a setting that was given and not read, else for the first that was bad or missing;
  /// none: all is well. Call it once everything was read.
  std::optional<Error> error() const;

 private:
  const std::string* find(std::string_view name) const;
  /// Returns the text of a setting, or null. The setting is known from now on.
  const std::string* read(std::string_view name, std::string_view wants, std::string fallback);

  const PolicySpec& spec_;
  Duration heartbeat_;
  std::vector<SettingInfo> known_;
  std::optional<Error> error_;
};

/// Returns "a, b and c".
std::string join_names(std::span<const std::string_view> names);

}  // namespace proffer
