#include "study/readers/field.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <system_error>

#include "proffer/limits.hpp"

namespace proffer::study {
namespace {

constexpr std::size_t kLongestQuote = 40;

/// `expected` without its "expected".
Error wrong(TracePlace place, std::string_view name, std::string_view text, std::string_view expected) {
  if (text.empty()) return error_at(place, fmt::format("{} is missing; expected {}", name, expected));
  const auto shown =
      text.size() > kLongestQuote ? fmt::format("{}...", text.substr(0, kLongestQuote)) : std::string(text);
  return error_at(place, fmt::format("{} is \"{}\"; expected {}", name, shown, expected));
}

template <class Number>
bool parsed_wholly(std::string_view text, Number& into) {
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, into);
  return error == std::errc{} && stop == end;
}

}  // namespace

Error error_at(TracePlace place, std::string_view what) {
  return {ErrorCode::invalid, fmt::format("{}:{}: {}", place.file, place.line, what)};
}

Result<std::uint64_t> read_count(TracePlace place, std::string_view name, std::string_view text,
                                 std::uint64_t most) {
  std::uint64_t value = 0;
  if (parsed_wholly(text, value) && value <= most) return value;
  return wrong(place, name, text, fmt::format("a whole number from 0 to {}", most));
}

Result<Duration> read_seconds(TracePlace place, std::string_view name, std::string_view text) {
  double value = 0;
  if (parsed_wholly(text, value) && value >= 0 && value * 1e6 <= static_cast<double>(limits::kDurationUs)) {
    return Duration{std::llround(value * 1e6)};
  }
  return wrong(place, name, text, "seconds, 0 or above");
}

}  // namespace proffer::study
