// arrivals = "at-once", or a table: { process = "poisson", mean = "14s" }.
#include <array>

#include "proffer/names.hpp"
#include "study/experiment/values.hpp"
#include "study/experiment/workload_parts.hpp"

namespace proffer::study {
namespace {

using formats::AsCount;
using formats::AsDuration;
using formats::AsPositiveDuration;
using formats::error_at;
using formats::Setting;
using Process = Arrivals::Process;

/// The words for processes, in the order of the enumeration, and one more that gives times.
constexpr std::array<std::string_view, 7> kProcesses{"at-once", "poisson", "fixed", "times",
                                                     "serial",  "renewal", "trace"};
enum class Word : std::uint8_t { at_once, poisson, fixed, times, serial, renewal, trace };

struct Reading {
  Word word = Word::at_once;
  std::optional<Duration> mean;
  std::optional<Duration> gap;
  std::optional<Distribution> gaps;
  std::optional<std::uint32_t> chains;
  std::vector<Duration> times;
  std::optional<TraceSource> trace;
};

std::span<const Setting<Reading>> arrivals_keys() {
  using S = Reading;
  static constexpr std::array kKeys{
      reading<S, AsChoice<Word, kProcesses>, [](auto& s) -> auto& { return s.word; }>("process"),
      reading<S, AsOptional<AsPositiveDuration>, [](auto& s) -> auto& { return s.mean; }>("mean"),
      reading<S, AsOptional<AsDuration>, [](auto& s) -> auto& { return s.gap; }>("gap"),
      reading<S, AsOptional<AsDistribution>, [](auto& s) -> auto& { return s.gaps; }>("gaps"),
      reading<S, AsOptional<AsCount<1>>, [](auto& s) -> auto& { return s.chains; }>("chains"),
      reading<S, AsTimes, [](auto& s) -> auto& { return s.times; }>("times"),
      reading<S, AsOptional<AsTrace>, [](auto& s) -> auto& { return s.trace; }>("trace"),
  };
  return kKeys;
}

/// Returns the key that a process needs and that is not there; empty: none is missing.
std::string_view missing(const Reading& arrivals) {
  switch (arrivals.word) {
    case Word::poisson:
      return arrivals.mean ? "" : "mean, the mean gap: { process = \"poisson\", mean = \"14s\" }";
    case Word::fixed:
      return arrivals.gap ? "" : "gap: { process = \"fixed\", gap = \"10s\" }";
    case Word::times:
      return !arrivals.times.empty() ? "" : "times: { process = \"times\", times = [\"0s\", \"57s\"] }";
    case Word::renewal:
      return arrivals.gaps ? "" : "gaps: { process = \"renewal\", gaps = \"lognormal(10s, 30s)\" }";
    case Word::trace:
      return arrivals.trace ? "" : "trace: { process = \"trace\", trace = \"swim:FILE\" }";
    case Word::at_once:
    case Word::serial:
      break;
  }
  return "";
}

/// Returns a key that has no meaning for a process, and so is a mistake; empty: there is none.
std::string_view needless(const Reading& arrivals) {
  const auto word = arrivals.word;
  if (arrivals.mean && word != Word::poisson) return "mean";
  if (arrivals.gap && word != Word::fixed && word != Word::serial) return "gap";
  if (arrivals.gaps && word != Word::renewal) return "gaps";
  if (arrivals.chains && word != Word::serial) return "chains";
  if (!arrivals.times.empty() && word != Word::times) return "times";
  if (arrivals.trace && word != Word::trace) return "trace";
  return "";
}

}  // namespace

Result<> read_arrivals(const TomlNode& node, std::string_view file, WorkloadSection& workload) {
  Reading arrivals;
  if (node.type == TomlType::string) {
    const auto complaint = AsChoice<Word, kProcesses>::read(node, arrivals.word);
    if (!complaint.empty()) return error_at(file, node.position, "arrivals " + complaint);
  } else if (auto read = formats::read_settings(node, arrivals_keys(), "arrivals", file, arrivals); !read) {
    return read;
  }
  const auto process = enum_name(kProcesses, arrivals.word);
  if (const auto key = missing(arrivals); !key.empty()) {
    return error_at(file, node.position, fmt::format("arrivals of process {} need {}", process, key));
  }
  if (const auto key = needless(arrivals); !key.empty()) {
    return error_at(file, node.position, fmt::format("arrivals of process {} have no {}", process, key));
  }
  auto& into = workload.spec.arrivals;
  into.process = arrivals.word == Word::trace ? Process::times : static_cast<Process>(arrivals.word);
  into.gap = arrivals.mean.value_or(arrivals.gap.value_or(Duration::zero()));
  into.gaps = arrivals.gaps.value_or(Distribution{});
  into.chains = arrivals.chains.value_or(1);
  into.times = arrivals.times;
  workload.arrivals_of = arrivals.trace;
  return {};
}

}  // namespace proffer::study
