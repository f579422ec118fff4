// Settings of a policy as people write them, read with their units. A policy says what settings it has by
// reading them: what it reads is known, what it does not read is refused. The first thing wrong is kept, and
// named in one sentence; the fallback (zero where there is none) stands in for it, so that a constructor need
// not look.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/frameworks/policy.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// "5s", "500ms", "20us", "2m", "0.65s"; none for anything else, a fraction of a microsecond, or more than a
/// year.
std::optional<Duration> duration_from(std::string_view text);

/// A setting that was read, for people.
struct SettingInfo {
  std::string name;
  std::string wants;     ///< "a time such as 500ms, 5s, 2m or 1h"
  std::string fallback;  ///< in force when it is not given; empty: it must be given
};

class Settings {
 public:
  /// `spec` must outlive it.
  Settings(const PolicySpec& spec, Duration heartbeat) : spec_(spec), heartbeat_(heartbeat) {}

  /// Of the cluster; zero: it has none.
  Duration heartbeat() const { return heartbeat_; }

  // `shown`: how the fallback is told to people, where it is not the same for everybody.

  Duration duration(std::string_view name, Duration fallback, std::string_view shown = {});
  /// As duration, where "never" gives none.
  std::optional<Duration> duration_or_never(std::string_view name, std::optional<Duration> fallback);
  /// As duration; none when it is not given.
  std::optional<Duration> duration_if_given(std::string_view name, std::string_view shown);
  /// A count from 0 to 1000000000. Without a fallback the setting must be given.
  std::int64_t count(std::string_view name, std::optional<std::int64_t> fallback,
                     std::string_view shown = {});
  /// A part of the whole, written from 0 to 1 with up to six digits, in millionths: 250000 for "0.25".
  std::int64_t millionths(std::string_view name, std::optional<std::int64_t> fallback);
  /// true or false; false when it is not given.
  bool flag(std::string_view name);
  /// The index of the setting's value in `choices`; 0 when it is not given.
  std::size_t choice(std::string_view name, std::span<const std::string_view> choices);

  /// A setting that was read is wrong beside others: it is not what it `wants` to be.
  void fail(std::string_view name, std::string_view wants);

  /// What was read so far, in that order.
  const std::vector<SettingInfo>& known() const { return known_; }
  /// `invalid`: a setting that was given and not read, else the first that was bad or missing. None: all is
  /// well. To be asked once everything was read.
  std::optional<Error> error() const;

 private:
  const std::string* find(std::string_view name) const;
  /// Its text, or nothing; it is known from now on.
  const std::string* read(std::string_view name, std::string_view wants, std::string fallback);

  const PolicySpec& spec_;
  Duration heartbeat_;
  std::vector<SettingInfo> known_;
  std::optional<Error> error_;
};

/// "a, b and c".
std::string join_names(std::span<const std::string_view> names);

}  // namespace proffer
