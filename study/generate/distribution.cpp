#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <boost/random/weibull_distribution.hpp>
#include <charconv>
#include <cmath>

#include "proffer/formats/nearest.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/limits.hpp"
#include "proffer/study/generate.hpp"

namespace proffer::study {
namespace {

using Shape = Distribution::Shape;

constexpr std::size_t kAnyNumber = 0;
constexpr std::size_t kMostQuantiles = 1001;

struct Form {
  std::string_view name;
  Shape shape;
  std::size_t times;
  bool has_parameter;  ///< a number follows the times
  std::string_view example;
};

constexpr std::array kForms{
    Form{"constant", Shape::constant, 1, false, "constant(10s)"},
    Form{"uniform", Shape::uniform, 2, false, "uniform(5s, 15s), with the least first"},
    Form{"normal", Shape::normal, 2, false, "normal(10s, 3s), with the mean and the standard deviation"},
    Form{"exponential", Shape::exponential, 1, false, "exponential(5s), with the mean"},
    Form{"lognormal", Shape::lognormal, 2, false,
         "lognormal(10s, 3s), with the mean and the standard deviation"},
    Form{"weibull", Shape::weibull, 1, true, "weibull(1h, 0.7), with the mean and the shape"},
    Form{
        "quantiles", Shape::quantiles, kAnyNumber, false,
        "quantiles(1s, 4s, 30s), with 2 to 1001 times from the least to the most, none below the one before"},
};

Error ill_written(std::string_view text, std::string_view what) {
  return {ErrorCode::invalid, fmt::format("\"{}\": {}", text, what)};
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Returns the parts, parted by commas, of what stands between the brackets.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto comma = list.find(',');
    parts.push_back(trimmed(list.substr(0, comma)));
    if (comma == list.npos) return parts;
    list.remove_prefix(comma + 1);
  }
}

const Form* find_form(std::string_view name) {
  const auto form = std::find_if(kForms.begin(), kForms.end(), [&](const Form& f) { return f.name == name; });
  return form == kForms.end() ? nullptr : &*form;
}

Error unknown_form(std::string_view text, std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& form : kForms) names.push_back(form.name);
  return ill_written(text, formats::unknown("distribution", name, names));
}

bool makes_sense(const Distribution& distribution) {
  switch (distribution.shape) {
    case Shape::constant:
      return true;
    case Shape::uniform:
      return distribution.first <= distribution.second;
    // Below that, more than half of what is drawn would have to be drawn again.
    case Shape::normal:
      return distribution.first >= Duration::zero();
    case Shape::exponential:
    case Shape::lognormal:
      return distribution.first > Duration::zero();
    // Beyond these bounds, the mean would be far from nearly all that is drawn.
    case Shape::weibull:
      return distribution.first > Duration::zero() && distribution.shape_parameter >= 0.1 &&
             distribution.shape_parameter <= 100;
    case Shape::quantiles: {
      const auto& values = distribution.quantiles;
      return values.size() >= 2 && values.size() <= kMostQuantiles &&
             std::is_sorted(values.begin(), values.end());
    }
  }
  return false;
}

double draw_between(const std::vector<Duration>& quantiles, Random& random) {
  const auto at = boost::random::uniform_real_distribution<>(
      0, static_cast<double>(quantiles.size() - 1))(random.engine());
  const auto below = std::min(static_cast<std::size_t>(at), quantiles.size() - 2);
  const auto low = static_cast<double>(quantiles[below].count());
  const auto high = static_cast<double>(quantiles[below + 1].count());
  return low + (high - low) * (at - static_cast<double>(below));
}

double draw_us(const Distribution& distribution, Random& random) {
  const auto first = static_cast<double>(distribution.first.count());
  const auto second = static_cast<double>(distribution.second.count());
  switch (distribution.shape) {
    case Shape::normal:
      return boost::random::normal_distribution<>(first, second)(random.engine());
    case Shape::exponential:
      return boost::random::exponential_distribution<>(1 / first)(random.engine());
    case Shape::lognormal: {
      // The mean and deviation are those of the times; the distribution takes those of their logarithms.
      const double variance = std::log1p((second / first) * (second / first));
      return boost::random::lognormal_distribution<>(std::log(first) - variance / 2,
                                                     std::sqrt(variance))(random.engine());
    }
    case Shape::weibull: {
      const auto k = distribution.shape_parameter;
      return boost::random::weibull_distribution<>(k, first / std::tgamma(1 + 1 / k))(random.engine());
    }
    case Shape::quantiles:
      return draw_between(distribution.quantiles, random);
    case Shape::constant:
    case Shape::uniform:
      break;
  }
  return first;
}

}  // namespace

Result<Distribution> parse_distribution(std::string_view text) {
  const auto open = text.find('(');
  if (open == text.npos) {
    const auto constant = parse_duration(text);
    if (constant) return Distribution{Shape::constant, *constant, {}};
    return ill_written(text, "write a time such as 10s, or a distribution such as lognormal(10s, 3s)");
  }
  const auto name = trimmed(text.substr(0, open));
  const auto* form = find_form(name);
  if (form == nullptr) return unknown_form(text, name);
  const auto wants = fmt::format("write {}", form->example);
  const auto inner = trimmed(text.substr(open + 1));
  if (!inner.ends_with(')')) return ill_written(text, wants);
  const auto parts = parts_of(inner.substr(0, inner.size() - 1));
  const auto times = parts.size() - (form->has_parameter ? 1 : 0);
  if (form->times != kAnyNumber && times != form->times) return ill_written(text, wants);
  Distribution distribution{form->shape, {}, {}};
  if (form->has_parameter) {
    const auto number = parts.back();
    const auto* end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, distribution.shape_parameter);
    if (read.ec != std::errc{} || read.ptr != end) return ill_written(text, wants);
  }
  for (std::size_t i = 0; i < times; ++i) {
    const auto time = parse_duration(parts[i]);
    if (!time) return ill_written(text, time.error().message);
    if (form->shape == Shape::quantiles) distribution.quantiles.push_back(*time);
    if (form->shape != Shape::quantiles) (i == 0 ? distribution.first : distribution.second) = *time;
  }
  if (!makes_sense(distribution)) return ill_written(text, wants);
  return distribution;
}

std::string to_string(const Distribution& distribution) {
  const auto form = std::find_if(kForms.begin(), kForms.end(),
                                 [&](const Form& f) { return f.shape == distribution.shape; });
  std::vector<std::string> times;
  for (const auto time : distribution.quantiles) times.push_back(format_duration(time));
  if (form->times >= 1) times.push_back(format_duration(distribution.first));
  if (form->times >= 2) times.push_back(format_duration(distribution.second));
  if (form->has_parameter) times.push_back(fmt::format("{}", distribution.shape_parameter));
  return fmt::format("{}({})", form->name, fmt::join(times, ", "));
}

Duration draw(const Distribution& distribution, Random& random) {
  if (distribution.shape == Shape::constant) return distribution.first;
  if (distribution.shape == Shape::uniform) {
    return Duration{boost::random::uniform_int_distribution<std::int64_t>(
        distribution.first.count(), distribution.second.count())(random.engine())};
  }
  double us = -1;
  while (us < 0) us = draw_us(distribution, random);
  return Duration{std::llround(std::min(us, static_cast<double>(limits::kDurationUs)))};
}

}  // namespace proffer::study
