#include "proffer/study/constant_fit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "proffer/formats/units.hpp"

namespace proffer::study {
namespace {

constexpr int kGoldenSections = 9;  // of an interval: what is left is 1.3% of it

struct Amount {
  FitAxis::Unit unit = FitAxis::Unit::number;
  double value = 0;
};

std::optional<Amount> amount_in(const std::string& text) {
  if (const auto time = parse_duration(text))
    return Amount{FitAxis::Unit::seconds, std::chrono::duration<double>(*time).count()};
  if (const auto rate = parse_rate(text)) return Amount{FitAxis::Unit::rate, static_cast<double>(*rate)};
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return {};
  return Amount{FitAxis::Unit::number, number};
}

double three_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::round(value / unit) * unit;
}

std::vector<std::string> settings_of(const std::vector<FitAxis>& axes) {
  std::vector<std::string> settings;
  for (const auto& axis : axes) settings.push_back(axis.setting(axis.value));
  return settings;
}

/// The misfit of values, each of which is worked out once.
class Known {
 public:
  explicit Known(const Misfit& misfit_at) : misfit_at_(misfit_at) {}

  Result<double> at(std::vector<FitAxis> axes, std::size_t varied, double logarithm) {
    axes[varied].value = std::exp(logarithm);
    const auto settings = settings_of(axes);
    if (const auto found = known_.find(settings); found != known_.end()) return found->second;
    auto worked_out = misfit_at_(settings);
    if (worked_out) known_.emplace(settings, *worked_out);
    return worked_out;
  }

 private:
  const Misfit& misfit_at_;
  std::map<std::vector<std::string>, double> known_;
};

/// Golden sections: of two points in an interval the one with the larger misfit becomes its end.
Result<double> least_along(const std::vector<FitAxis>& axes, std::size_t varied, Known& known) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double low = std::log(axes[varied].from);
  double high = std::log(axes[varied].to);
  for (int section = 0; section < kGoldenSections; ++section) {
    const double left = high - golden * (high - low);
    const double right = low + golden * (high - low);
    const auto at_left = known.at(axes, varied, left);
    if (!at_left) return at_left;
    const auto at_right = known.at(axes, varied, right);
    if (!at_right) return at_right;
    (*at_left <= *at_right ? high : low) = *at_left <= *at_right ? right : left;
  }
  return std::exp((low + high) / 2);
}

}  // namespace

std::string FitAxis::text(double of) const {
  switch (unit) {
    case Unit::seconds:
      return fmt::format("{:.3g}s", of);
    case Unit::rate:
      return format_rate(static_cast<std::uint64_t>(std::llround(three_digits(of))));
    case Unit::number:
      return fmt::format("{:.3g}", of);
  }
  return {};
}

Result<std::vector<FitAxis>> fit_axes(const Environment& environment) {
  std::vector<FitAxis> axes;
  for (const auto& [key, from, to, value] : environment.fitted) {
    const auto low = amount_in(from);
    const auto high = amount_in(to);
    const auto now = amount_in(value);
    const bool sound = low && high && now && low->unit == high->unit && low->unit == now->unit &&
                       low->value > 0 && low->value < high->value;
    if (!sound) {
      return Error{
          ErrorCode::invalid,
          fmt::format("{}: the [[fit]] of {} goes from \"{}\" to \"{}\", and its value is \"{}\": all "
                      "three must be of one unit, and from below to",
                      environment.path, key, from, to, value)};
    }
    axes.push_back({key, low->unit, low->value, high->value, now->value});
  }
  return axes;
}

std::optional<double> misfit(const std::vector<ComparedFigure>& figures) {
  double sum = 0;
  int count = 0;
  for (const auto& figure : figures) {
    if (!figure.ours || figure.ours->mean <= 0 || figure.paper <= 0) continue;
    const double off = std::log(figure.ours->mean / figure.paper);
    sum += off * off;
    ++count;
  }
  if (count == 0) return {};
  return std::sqrt(sum / count);
}

Result<std::vector<FitAxis>> least_misfit(std::vector<FitAxis> axes, const Misfit& misfit_at) {
  Known known(misfit_at);
  for (std::size_t round = 0; round < axes.size(); ++round) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto best = least_along(axes, i, known);
      if (!best) return best.error();
      axes[i].value = *best;
    }
  }
  return axes;
}

}  // namespace proffer::study
