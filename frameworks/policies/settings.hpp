// Settings of a policy as people write them, read with their units. The first thing wrong is kept, and named
// in one sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "proffer/frameworks/policy.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// "5s", "500ms", "20us", "2m", "0.65s"; none for anything else, a fraction of a microsecond, or more than a
/// year.
std::optional<Duration> duration_from(std::string_view text);

class Settings {
 public:
  /// `known`: every setting of that policy. Both must outlive it.
  Settings(const PolicySpec& spec, std::span<const std::string_view> known);

  Duration duration(std::string_view name, Duration fallback);
  /// As duration, where "never" gives none.
  std::optional<Duration> duration_or_never(std::string_view name, Duration fallback);
  /// A count from 0. Without a fallback the setting must be given.
  std::int64_t count(std::string_view name, std::optional<std::int64_t> fallback);
  /// The index of the setting's value in `choices`; 0 when it is not given.
  std::size_t choice(std::string_view name, std::span<const std::string_view> choices);

  const std::optional<Error>& error() const { return error_; }

 private:
  const std::string* find(std::string_view name) const;
  void fail(std::string_view name, std::string_view wanted);

  const PolicySpec& spec_;
  std::optional<Error> error_;
};

/// "a, b and c".
std::string join_names(std::span<const std::string_view> names);

}  // namespace proffer
