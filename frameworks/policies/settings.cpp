#include "proffer/frameworks/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <string>

namespace proffer {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t us;
};
constexpr std::array<Unit, 6> kUnits{{{"us", 1},
                                      {"ms", 1'000},
                                      {"s", 1'000'000},
                                      {"m", 60'000'000},
                                      {"h", 3'600'000'000},
                                      {"d", 86'400'000'000}}};
constexpr std::int64_t kYearUs = 366LL * 24 * 3600 * 1'000'000;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text.front() == '-' || error != std::errc{} || end != text.data() + text.size())
    return {};
  return value;
}

/// Returns the digits after the point as parts of `us`: exactly, or none.
std::optional<std::int64_t> fraction_of(std::int64_t us, std::string_view digits) {
  if (digits.size() > 9) return {};
  const auto value = whole_number(digits);
  if (!value) return {};
  std::int64_t scale = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) scale *= 10;
  const auto common = std::gcd(us, scale);  // reduced, or a part of a day may exceed 64 bits
  const auto parts = *value * (us / common);
  if (parts % (scale / common) != 0) return {};
  return parts / (scale / common);
}

constexpr std::string_view kTime = "a time such as 500ms, 5s, 2m or 1h";

/// Returns a duration as a whole number of the largest unit possible.
std::string text_of(Duration duration) {
  const auto us = duration.count();
  const auto unit =
      std::find_if(kUnits.rbegin(), kUnits.rend(), [&](const Unit& u) { return us % u.us == 0; });
  return us == 0 ? "0s" : std::to_string(us / unit->us) + std::string(unit->name);
}

constexpr std::int64_t kMillion = 1'000'000;

std::optional<std::int64_t> millionths_from(std::string_view text) {
  const auto point = text.find('.');
  const auto whole = whole_number(text.substr(0, point));
  if (!whole || *whole > 1) return {};
  if (point == std::string_view::npos) return *whole * kMillion;
  const auto fraction = fraction_of(kMillion, text.substr(point + 1));
  if (!fraction || *whole * kMillion + *fraction > kMillion) return {};
  return *whole * kMillion + *fraction;
}

/// Returns "0.25" for 250000.
std::string part_text(std::int64_t millionths) {
  auto text = std::to_string(kMillion + millionths).substr(1);
  text.erase(text.find_last_not_of('0') + 1);
  return millionths >= kMillion ? "1" : text.empty() ? "0" : "0." + text;
}

}  // namespace

std::optional<Duration> duration_from(std::string_view text) {
  const auto number_end = text.find_first_not_of("0123456789.");
  if (number_end == std::string_view::npos || number_end == 0) return {};
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(),
                                 [&](const Unit& u) { return u.name == text.substr(number_end); });
  if (unit == kUnits.end()) return {};
  const auto number = text.substr(0, number_end);
  const auto point = number.find('.');
  const auto whole = whole_number(number.substr(0, point));
  if (!whole || *whole > kYearUs / unit->us) return {};
  if (point == std::string_view::npos) return Duration{*whole * unit->us};
  const auto fraction = fraction_of(unit->us, number.substr(point + 1));
  if (!fraction) return {};
  return Duration{*whole * unit->us + *fraction};
}

std::string join_names(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

const std::string* Settings::find(std::string_view name) const {
  const auto at = spec_.settings.find(std::string(name));
  return at == spec_.settings.end() ? nullptr : &at->second;
}

const std::string* Settings::read(std::string_view name, std::string_view wants, std::string fallback) {
  known_.push_back({std::string(name), std::string(wants), std::move(fallback)});
  return find(name);
}

void Settings::fail(std::string_view name, std::string_view wants) {
  if (error_) return;
  const auto* given = find(name);
  const auto problem = given == nullptr ? std::string(" must be given: ") : " = '" + *given + "' is not ";
  error_ = Error{ErrorCode::invalid,
                 "setting " + std::string(name) + " of policy " + spec_.name + problem + std::string(wants)};
}

std::optional<Error> Settings::error() const {
  std::vector<std::string_view> names;
  for (const auto& setting : known_) names.push_back(setting.name);
  for (const auto& [name, value] : spec_.settings) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto has = names.empty() ? std::string("it has none") : "it has " + join_names(names);
    return Error{ErrorCode::invalid, "policy " + spec_.name + " has no setting '" + name + "'; " + has};
  }
  return error_;
}

Duration Settings::duration(std::string_view name, Duration fallback, std::string_view shown) {
  const auto* text = read(name, kTime, shown.empty() ? text_of(fallback) : std::string(shown));
  if (text == nullptr) return fallback;
  const auto value = duration_from(*text);
  if (!value) fail(name, kTime);
  return value.value_or(fallback);
}

std::optional<Duration> Settings::duration_if_given(std::string_view name, std::string_view shown) {
  const auto value = duration(name, Duration::zero(), shown);
  return find(name) == nullptr ? std::nullopt : std::optional(value);
}

std::optional<Duration> Settings::duration_or_never(std::string_view name, std::optional<Duration> fallback) {
  constexpr std::string_view kWants = "a time such as 500ms, 5s, 2m or 1h, or never";
  const auto* text = read(name, kWants, fallback ? text_of(*fallback) : "never");
  if (text == nullptr) return fallback;
  if (*text == "never") return {};
  const auto value = duration_from(*text);
  if (value) return value;
  fail(name, kWants);
  return fallback;
}

std::int64_t Settings::count(std::string_view name, std::optional<std::int64_t> fallback,
                             std::string_view shown) {
  constexpr std::string_view kWants = "a whole number from 0 to 1000000000";
  const auto usual = fallback ? std::to_string(*fallback) : std::string();
  const auto* text = read(name, kWants, shown.empty() ? usual : std::string(shown));
  const auto value = text == nullptr ? fallback : whole_number(*text);
  if (value && *value <= 1'000'000'000) return *value;
  fail(name, kWants);
  return fallback.value_or(0);
}

std::int64_t Settings::millionths(std::string_view name, std::optional<std::int64_t> fallback) {
  constexpr std::string_view kWants = "a part from 0 to 1, such as 0.25";
  const auto* text = read(name, kWants, fallback ? part_text(*fallback) : std::string());
  const auto value = text == nullptr ? fallback : millionths_from(*text);
  if (value) return *value;
  fail(name, kWants);
  return fallback.value_or(0);
}

bool Settings::flag(std::string_view name) {
  constexpr std::array<std::string_view, 2> kFlag{"false", "true"};
  return choice(name, kFlag) == 1;
}

std::string Settings::text(std::string_view name, std::string_view wants) {
  const auto* text = read(name, wants, "");
  if (text != nullptr && !text->empty()) return *text;
  fail(name, wants);
  return {};
}

std::size_t Settings::choice(std::string_view name, std::span<const std::string_view> choices) {
  const auto wants = "one of " + join_names(choices);
  const auto* text = read(name, wants, std::string(choices.front()));
  if (text == nullptr) return 0;
  const auto at = std::find(choices.begin(), choices.end(), *text);
  if (at != choices.end()) return static_cast<std::size_t>(at - choices.begin());
  fail(name, wants);
  return 0;
}

}  // namespace proffer
