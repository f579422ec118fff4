// Settings of a policy as people write them, read with their units. A policy declares its settings by reading
// them: a setting that is read is known, one that is not read is refused. The first error is kept, as one
// sentence; after an error the fallback (zero where there is none) is returned, so that a constructor need
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

/// Reads a time such as "5s", "500ms", "20us", "2m", "0.65s"; none for anything else, a fraction of a
/// microsecond, or more than a year.
std::optional<Duration> duration_from(std::string_view text);

/// A setting that was read, as people are told of it.
struct SettingInfo {
  std::string name;
  std::string wants;     ///< the values it takes: "a time such as 500ms, 5s, 2m or 1h"
  std::string fallback;  ///< the value in force when the setting is not given; empty: it must be given
};

class Settings {
 public:
  /// `spec` must outlive this object.
  Settings(const PolicySpec& spec, Duration heartbeat) : spec_(spec), heartbeat_(heartbeat) {}

  /// The heartbeat of the cluster; zero: there is none.
  Duration heartbeat() const { return heartbeat_; }

  // `shown`: the text for the fallback, where the fallback is not the same for everybody.

  Duration duration(std::string_view name, Duration fallback, std::string_view shown = {});
  /// The same as duration(), where "never" gives none.
  std::optional<Duration> duration_or_never(std::string_view name, std::optional<Duration> fallback);
  /// The same as duration(); none when the setting is not given.
  std::optional<Duration> duration_if_given(std::string_view name, std::string_view shown);
  /// Reads a count from 0 to 1000000000. Without a fallback the setting must be given.
  std::int64_t count(std::string_view name, std::optional<std::int64_t> fallback,
                     std::string_view shown = {});
  /// Reads a part of the whole, from 0 to 1 with up to six digits, in millionths: 250000 for "0.25".
  std::int64_t millionths(std::string_view name, std::optional<std::int64_t> fallback);
  /// A flag, true or false; false when it is not given.
  bool flag(std::string_view name);
  /// Reads a text that must be given, as it stands.
  std::string text(std::string_view name, std::string_view wants);
  /// Returns the index of the setting's value in `choices`; 0 when the setting is not given.
  std::size_t choice(std::string_view name, std::span<const std::string_view> choices);

  /// Reports that a setting that was read is wrong beside others: it is not what it `wants` to be.
  void fail(std::string_view name, std::string_view wants);

  /// The settings read so far, in that order.
  const std::vector<SettingInfo>& known() const { return known_; }
  /// The first error: `invalid` for a setting that was given and not read, else the first that was bad or
  /// missing. None: all is well. Must be asked once everything was read.
  std::optional<Error> error() const;

 private:
  const std::string* find(std::string_view name) const;
  /// Returns the setting's text, or null; the setting is known from now on.
  const std::string* read(std::string_view name, std::string_view wants, std::string fallback);

  const PolicySpec& spec_;
  Duration heartbeat_;
  std::vector<SettingInfo> known_;
  std::optional<Error> error_;
};

/// Joins names as "a, b and c".
std::string join_names(std::span<const std::string_view> names);

}  // namespace proffer
