// Workloads out of a few words on the command line.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/trace.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/study/generate.hpp"

namespace proffer::cli {
namespace {

constexpr std::uint32_t kMost = 1'000'000;  // of a bin: tasks of a job, or jobs

Error invalid(std::string sentence) { return {ErrorCode::invalid, std::move(sentence)}; }

/// Takes a number from 0 to kMost off the front of `text`.
std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number > kMost) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return number;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// Reads "10+2x14" or "10x14".
std::optional<study::Bin> bin_of(std::string_view text) {
  study::Bin bin;
  const auto maps = take_number(text);
  const auto reduces = take(text, '+') ? take_number(text) : std::optional<std::uint32_t>(0);
  const bool cross = take(text, 'x');
  const auto jobs = take_number(text);
  if (!maps || !reduces || !cross || !jobs || !text.empty() || *maps + *reduces == 0 || *jobs == 0)
    return std::nullopt;
  bin.maps = *maps;
  bin.reduces = *reduces;
  bin.jobs = *jobs;
  return bin;
}

Result<std::vector<study::Bin>> bins_of(std::string_view text) {
  constexpr auto kExample = "write MAPSxJOBS or MAPS+REDUCESxJOBS, as in 1x38,10+2x14";
  if (text.empty()) return invalid(fmt::format("--bins is missing: {}", kExample));
  std::vector<study::Bin> bins;
  while (true) {
    const auto comma = text.find(',');
    const auto one = text.substr(0, comma);
    const auto bin = bin_of(one);
    if (!bin)
      return invalid(
          fmt::format("--bins: \"{}\" is no bin: {}, with at most {} of each", one, kExample, kMost));
    bins.push_back(*bin);
    if (comma == text.npos) return bins;
    text.remove_prefix(comma + 1);
  }
}

Result<study::Arrivals> arrivals_of(std::string_view text) {
  using Process = study::Arrivals::Process;
  study::Arrivals arrivals;
  if (text == "at-once") return arrivals;
  const auto open = text.find('(');
  const auto name = text.substr(0, open);
  if (open == text.npos || !text.ends_with(')') || (name != "poisson" && name != "fixed")) {
    return invalid(fmt::format("--arrivals: \"{}\": write poisson(14s), fixed(14s) or at-once", text));
  }
  arrivals.process = name == "poisson" ? Process::poisson : Process::fixed;
  const auto gap = parse_duration(text.substr(open + 1, text.size() - open - 2));
  if (!gap) return invalid(fmt::format("--arrivals: {}", gap.error().message));
  if (*gap <= Duration::zero())
    return invalid("--arrivals: a gap is above 0; write at-once where there is none");
  arrivals.gap = *gap;
  return arrivals;
}

}  // namespace

Result<study::Workload> synthesize(const TraceOptions& options) {
  study::GenerateSpec spec;
  const auto bins = bins_of(options.synth.bins);
  if (!bins) return bins.error();
  const auto arrivals = arrivals_of(options.synth.arrivals);
  if (!arrivals) return arrivals.error();
  const auto block = parse_bytes(options.block_size);
  if (!block) return invalid("--block-size: " + block.error().message);
  const auto map_time = study::parse_distribution(options.map_time);
  if (!map_time) return invalid("--map-time: " + map_time.error().message);
  const auto reduce_time = study::parse_distribution(options.reduce_time);
  if (!reduce_time) return invalid("--reduce-time: " + reduce_time.error().message);
  spec.name = options.synth.name;
  spec.bins = *bins;
  spec.arrivals = *arrivals;
  spec.block_bytes = *block;
  if (options.synth.files > 0)
    spec.popularity = study::Popularity{options.synth.files, options.synth.exponent};
  spec.map_time = *map_time;
  spec.reduce_time = *reduce_time;
  return study::generate(spec, options.seed);
}

}  // namespace proffer::cli
