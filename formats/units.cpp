#include "proffer/formats/units.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "proffer/bulk.hpp"
#include "proffer/limits.hpp"

namespace proffer {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t size;
};

// Sorted from the largest, which is the order in which formatting tries them.
constexpr std::array<Unit, 6> kTimes{Unit{"d", 86'400'000'000}, Unit{"h", 3'600'000'000},
                                     Unit{"m", 60'000'000},     Unit{"s", 1'000'000},
                                     Unit{"ms", 1'000},         Unit{"us", 1}};
constexpr std::array<Unit, 9> kSizes{Unit{"TiB", 1ull << 40},
                                     Unit{"TB", 1'000'000'000'000},
                                     Unit{"GiB", 1ull << 30},
                                     Unit{"GB", 1'000'000'000},
                                     Unit{"MiB", 1ull << 20},
                                     Unit{"MB", 1'000'000},
                                     Unit{"KiB", 1ull << 10},
                                     Unit{"KB", 1'000},
                                     Unit{"B", 1}};

constexpr std::string_view kWantsDuration = "a duration: a number and us, ms, s, m, h or d, as in \"5s\"";
constexpr std::string_view kWantsBytes =
    "a size: a whole number above 0 and B, KB, MB, GB, TB, KiB, MiB, GiB or TiB, as in \"64MiB\"";
constexpr std::string_view kWantsRate = "a rate: a size per second, as in \"512KiB/s\"";
constexpr std::string_view kWantsSlots = "slots: kinds with numbers, as in \"map=2,reduce=1\"";

Error wants(std::string_view text, std::string_view what) {
  return {ErrorCode::invalid, fmt::format("\"{}\" is not {}", text, what)};
}

Error unfit(std::string_view text, std::string_view why) {
  return {ErrorCode::invalid, fmt::format("\"{}\": {}", text, why)};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  const auto digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

std::optional<std::uint64_t> number_from(std::string_view digits) {
  std::uint64_t number = 0;
  const auto* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, number);
  if (digits.empty() || error != std::errc{} || rest != end) return {};
  return number;
}

template <std::size_t N>
std::optional<std::uint64_t> unit_size(const std::array<Unit, N>& units, std::string_view name) {
  for (const auto& unit : units) {
    if (unit.name == name) return unit.size;
  }
  return {};
}

/// Returns whole.fraction units of that size; nothing when it is past `most`, or not a whole number in the
/// end.
std::optional<std::uint64_t> scaled(std::uint64_t whole, std::string_view fraction, std::uint64_t size,
                                    std::uint64_t most) {
  if (whole > most / size) return {};
  std::uint64_t value = whole * size;
  for (const char digit : fraction) {
    if ((size == 0 || size % 10 != 0) && digit != '0') return {};
    size /= 10;
    value += static_cast<std::uint64_t>(digit - '0') * size;
  }
  if (value > most) return {};
  return value;
}

template <std::size_t N>
std::string in_largest_unit(const std::array<Unit, N>& units, std::uint64_t value) {
  for (const auto& unit : units) {
    if (value != 0 && value % unit.size == 0) return fmt::format("{}{}", value / unit.size, unit.name);
  }
  return {};
}

std::optional<std::uint64_t> bytes_from(std::string_view text) {
  const auto whole = number_from(take_digits(text));
  const auto size = unit_size(kSizes, text);
  if (!whole || *whole == 0 || !size) return {};
  return scaled(*whole, {}, *size, std::numeric_limits<std::int64_t>::max());
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  auto rest = text;
  const auto whole = number_from(take_digits(rest));
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
    if (fraction.empty()) return wants(text, kWantsDuration);
  }
  const auto size = unit_size(kTimes, rest);
  if (!whole || !size) return wants(text, kWantsDuration);
  const auto us = scaled(*whole, fraction, *size, limits::kDurationUs);
  if (!us) return unfit(text, "only whole microseconds, and at most 285 years, can be counted");
  return Duration{static_cast<std::int64_t>(*us)};
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
  if (const auto bytes = bytes_from(text)) return *bytes;
  return wants(text, kWantsBytes);
}

Result<std::uint64_t> parse_rate(std::string_view text) {
  if (!text.ends_with("/s")) return wants(text, kWantsRate);
  if (const auto bytes = bytes_from(text.substr(0, text.size() - 2))) return *bytes;
  return wants(text, kWantsRate);
}

namespace {

constexpr std::uint64_t kMebibyte = 1ull << 20;

/// Returns units of a bulk kind, or slots; nothing when the text is none of these.
std::optional<std::uint64_t> units_from(Kind kind, std::string_view text) {
  if (kind == kMemory) {
    const auto bytes = bytes_from(text);
    if (!bytes || *bytes % kMebibyte != 0) return {};
    return *bytes / kMebibyte;
  }
  const auto whole = number_from(take_digits(text));
  std::string_view fraction;
  if (kind == kCpus && text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
    if (fraction.empty()) return {};
  }
  if (!whole || !text.empty()) return {};
  return scaled(*whole, fraction, kind == kCpus ? 1000 : 1, std::numeric_limits<std::int64_t>::max());
}

std::string_view wants_quantity(Kind kind) {
  if (kind == kMemory) return "a size of whole MiB, as in \"512MiB\" or \"32GiB\"";
  return kind == kCpus ? "a number of processors, with at most three decimals, as in 1.5" : "a whole number";
}

/// `most`: the most of a kind.
template <class Most>
Result<Resources> parse_bag(std::string_view text, Most&& most) {
  Resources bag;
  for (auto rest = text;;) {
    const auto comma = rest.find(',');
    const auto part = rest.substr(0, comma);
    const auto equals = part.find('=');
    if (equals == part.npos || !Kind::valid(part.substr(0, equals))) return wants(text, kWantsSlots);
    const Kind kind(part.substr(0, equals));
    const auto units = units_from(kind, part.substr(equals + 1));
    if (!units && is_bulk(kind))
      return unfit(text, fmt::format("{} is {}", kind.name(), wants_quantity(kind)));
    if (!units) return wants(text, kWantsSlots);
    if (*units < 1 || *units > static_cast<std::uint64_t>(most(kind))) {
      return unfit(text, fmt::format("{} must be {} to {}", kind.name(), format_quantity(kind, 1),
                                     format_quantity(kind, most(kind))));
    }
    if (bag[kind] != 0) return unfit(text, fmt::format("{} stands twice", kind.name()));
    if (bag.size() == limits::kKindsPerAgent) {
      return unfit(text, fmt::format("there are more than {} kinds", limits::kKindsPerAgent));
    }
    bag.set(kind, static_cast<std::int64_t>(*units));
    if (comma == rest.npos) return bag;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

Result<std::int64_t> parse_quantity(Kind kind, std::string_view text, std::int64_t most) {
  const auto units = units_from(kind, text);
  if (!units) return wants(text, wants_quantity(kind));
  if (*units >= 1 && *units <= static_cast<std::uint64_t>(most)) return static_cast<std::int64_t>(*units);
  return unfit(text, fmt::format("must be {} to {}", format_quantity(kind, 1), format_quantity(kind, most)));
}

Result<Resources> parse_slots(std::string_view text) { return parse_bag(text, most_per_agent); }
Result<Resources> parse_quantities(std::string_view text) {
  return parse_bag(text, [](Kind) { return limits::kQuantity; });
}

std::string refuse_need(const Resources& need) {
  for (const auto& [kind, units] : need) {
    if (!is_bulk(kind)) {
      return fmt::format(
          "a task takes one slot, or bulk resources (cpus, memory, gpus), and {} is none of these",
          kind.name());
    }
  }
  return need[kCpus] == 0 ? "a task takes some cpus, as in cpus=1" : "";
}

Result<Resources> parse_need(std::string_view text) {
  auto need = parse_slots(text);
  if (!need) return need;
  if (const auto why = refuse_need(*need); !why.empty()) return unfit(text, why);
  return need;
}

std::string format_quantity(Kind kind, std::int64_t units) {
  if (kind == kMemory) return format_bytes(static_cast<std::uint64_t>(units) * kMebibyte);
  if (kind != kCpus || units % 1000 == 0) return std::to_string(kind == kCpus ? units / 1000 : units);
  auto text = fmt::format("{}.{:03}", units / 1000, units % 1000);
  while (text.back() == '0') text.pop_back();
  return text;
}

std::string format_resources(const Resources& resources) {
  std::string text;
  for (const auto& [kind, units] : resources) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", kind.name(), format_quantity(kind, units));
  }
  return text.empty() ? "-" : text;
}

std::string format_duration(Duration duration) {
  const auto us = to_us(duration);
  if (us == 0) return "0s";
  const auto text = in_largest_unit(kTimes, static_cast<std::uint64_t>(us < 0 ? -us : us));
  return us < 0 ? "-" + text : text;
}

std::string format_bytes(std::uint64_t bytes) { return bytes == 0 ? "0B" : in_largest_unit(kSizes, bytes); }
std::string format_rate(std::uint64_t bytes_per_s) { return format_bytes(bytes_per_s) + "/s"; }

}  // namespace proffer
