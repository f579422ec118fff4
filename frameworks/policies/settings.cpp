#include "frameworks/policies/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace proffer {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t us;
};
constexpr std::array<Unit, 4> kUnits{{{"us", 1}, {"ms", 1'000}, {"s", 1'000'000}, {"m", 60'000'000}}};
constexpr std::int64_t kYearUs = 366LL * 24 * 3600 * 1'000'000;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text.front() == '-' || error != std::errc{} || end != text.data() + text.size())
    return {};
  return value;
}

/// Digits after the point as parts of `us`: exact, or none.
std::optional<std::int64_t> fraction_of(std::int64_t us, std::string_view digits) {
  if (digits.size() > 9) return {};
  const auto value = whole_number(digits);
  if (!value) return {};
  std::int64_t scale = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) scale *= 10;
  const auto parts = *value * us;
  if (parts % scale != 0) return {};
  return parts / scale;
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

Settings::Settings(const PolicySpec& spec, std::span<const std::string_view> known) : spec_(spec) {
  for (const auto& [name, value] : spec.settings) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto has = known.empty() ? std::string("it has none") : "it has " + join_names(known);
    error_ = Error{ErrorCode::invalid, "policy " + spec.name + " has no setting '" + name + "'; " + has};
    return;
  }
}

const std::string* Settings::find(std::string_view name) const {
  const auto at = spec_.settings.find(std::string(name));
  return at == spec_.settings.end() ? nullptr : &at->second;
}

void Settings::fail(std::string_view name, std::string_view wanted) {
  if (error_) return;
  const auto* given = find(name);
  const auto problem = given == nullptr ? std::string(" must be given: ") : " = '" + *given + "' is not ";
  error_ = Error{ErrorCode::invalid,
                 "setting " + std::string(name) + " of policy " + spec_.name + problem + std::string(wanted)};
}

Duration Settings::duration(std::string_view name, Duration fallback) {
  const auto* text = find(name);
  if (text == nullptr) return fallback;
  const auto value = duration_from(*text);
  if (!value) fail(name, "a time such as 500ms, 5s or 2m");
  return value.value_or(fallback);
}

std::optional<Duration> Settings::duration_or_never(std::string_view name, Duration fallback) {
  const auto* text = find(name);
  if (text != nullptr && *text == "never") return {};
  const auto value = text == nullptr ? fallback : duration_from(*text);
  if (!value) fail(name, "a time such as 500ms, 5s or 2m, or never");
  return value;
}

std::int64_t Settings::count(std::string_view name, std::optional<std::int64_t> fallback) {
  constexpr std::string_view kWanted = "a whole number from 0 to 1000000000";
  const auto* text = find(name);
  const auto value = text == nullptr ? fallback : whole_number(*text);
  if (!value || *value > 1'000'000'000) {
    fail(name, kWanted);
    return 0;
  }
  return *value;
}

std::size_t Settings::choice(std::string_view name, std::span<const std::string_view> choices) {
  const auto* text = find(name);
  if (text == nullptr) return 0;
  const auto at = std::find(choices.begin(), choices.end(), *text);
  if (at == choices.end()) {
    fail(name, "one of " + join_names(choices));
    return 0;
  }
  return static_cast<std::size_t>(at - choices.begin());
}

}  // namespace proffer
