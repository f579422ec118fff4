// The command `proffer sim storm`: the whole cluster under faults that are drawn from seeds.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "cli/output.hpp"
#include "cli/study_commands.hpp"
#include "proffer/formats/units.hpp"
#include "proffer/sim/storm.hpp"

namespace proffer::cli {
namespace {

/// The failing seeds that are named one by one.
constexpr std::size_t kNamed = 10;

struct Range {
  std::uint64_t first = 1;
  std::uint64_t last = 1;
};

Result<Range> range_of(const StormOptions& options) {
  if (options.seed) return Range{*options.seed, *options.seed};
  Range range;
  const auto& text = options.seeds;
  const auto* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, range.first);
  const bool dots = first.ec == std::errc{} && end - first.ptr > 2 && std::string_view(first.ptr, 2) == "..";
  if (dots) {
    const auto last = std::from_chars(first.ptr + 2, end, range.last);
    if (last.ec == std::errc{} && last.ptr == end && range.first <= range.last) return range;
  }
  return Error{ErrorCode::invalid, "\"" + text + "\" is no range of seeds: write --seeds 1..200"};
}

Result<sim::StormOptions> bounds_of(const StormOptions& options) {
  sim::StormOptions bounds;
  const auto faults = sim::faults_named(options.faults);
  if (!faults) return faults.error();
  bounds.faults = *faults;
  bounds.agents = options.agents;
  bounds.frameworks = options.frameworks;
  bounds.timeline = options.timeline;
  if (options.rage.empty()) return bounds;
  const auto rage = parse_duration(options.rage);
  if (!rage) return rage.error();
  bounds.rage = *rage;
  return bounds;
}

std::string command_for(std::uint64_t seed, const sim::StormOptions& bounds) {
  const sim::StormOptions usual;
  auto command = fmt::format("proffer sim storm --seed {} --timeline", seed);
  if (bounds.faults != usual.faults) command += " --faults " + sim::name_of(bounds.faults);
  if (bounds.agents != usual.agents) command += fmt::format(" --agents {}", bounds.agents);
  if (bounds.frameworks != usual.frameworks) command += fmt::format(" --frameworks {}", bounds.frameworks);
  if (bounds.rage) command += " --rage " + format_duration(*bounds.rage);
  return command;
}

/// The sum over seeds.
struct Sum {
  std::uint64_t seeds = 0;
  std::uint64_t steps = 0;
  std::uint64_t messages = 0;
  Duration simulated{};
  std::map<std::string, std::uint64_t> figures;
  std::map<std::uint64_t, std::string> failed;  // by seed: its violation
  std::uint64_t differing = 0;

  void add(std::uint64_t seed, const sim::StormResult& result) {
    ++seeds;
    steps += result.steps;
    messages += result.messages;
    simulated += result.simulated;
    for (const auto& [name, n] : result.figures) figures[name] += n;
    if (!result.violations.empty()) failed[seed] = result.violations.front();
  }
};

/// Runs the seeds, several at a time. They are begun in order, so that whatever comes before the first seed
/// that fails has been run as well.
class Runs {
 public:
  Runs(const StormOptions& options, const sim::StormOptions& bounds, Range range)
      : options_(options), bounds_(bounds), range_(range), next_(range.first), last_(range.last) {}

  Sum run() {
    const auto threads =
        options_.jobs != 0 ? options_.jobs : std::max(1u, std::thread::hardware_concurrency());
    {
      std::vector<std::jthread> pool;
      for (unsigned n = 0; n < threads; ++n) pool.emplace_back([this] { work(); });
    }
    if (shows_) fmt::print(stderr, "\r\033[K");
    // Seeds that were under way when an earlier one failed: whether they were is a matter of chance.
    sum_.failed.erase(sum_.failed.upper_bound(last_), sum_.failed.end());
    return std::move(sum_);
  }

 private:
  void work() {
    for (auto seed = next_++; seed <= last_; seed = next_++) {
      const auto result = sim::run_storm(seed, bounds_);
      const bool differs = options_.twice && sim::run_storm(seed, bounds_).digest != result.digest;
      const std::lock_guard lock(mutex_);
      sum_.add(seed, result);
      if (options_.stop_at_first && !result.violations.empty()) last_ = std::min<std::uint64_t>(last_, seed);
      sum_.differing += differs ? 1 : 0;
      if (shows_ && sum_.seeds % 16 == 0) {
        fmt::print(stderr, "\r{} of {} seeds, {} failed ", sum_.seeds, range_.last - range_.first + 1,
                   sum_.failed.size());
      }
    }
  }

  const StormOptions& options_;
  const sim::StormOptions& bounds_;
  Range range_;
  std::atomic<std::uint64_t> next_;
  std::atomic<std::uint64_t> last_;
  std::mutex mutex_;
  Sum sum_;
  bool shows_ = !options_.quiet && stderr_is_terminal();
};

void print_figures(const Sum& sum, double wall) {
  Table table({"FIGURE", "VALUE"});
  const auto hours = static_cast<double>(to_us(sum.simulated)) / 3.6e9;
  table.add({"seeds", std::to_string(sum.seeds)});
  table.add({"seeds that failed", std::to_string(sum.failed.size())});
  table.add({"simulated hours", fmt::format("{:.1f}", hours)});
  table.add({"steps", std::to_string(sum.steps)});
  table.add({"messages", std::to_string(sum.messages)});
  for (const auto& [name, n] : sum.figures) table.add({name, std::to_string(n)});
  table.add({"wall seconds", fmt::format("{:.1f}", wall)});
  table.add({"seeds a second", fmt::format("{:.1f}", wall > 0 ? static_cast<double>(sum.seeds) / wall : 0)});
  std::fputs(table.text().c_str(), stdout);
}

void print_violations(const Sum& sum, const sim::StormOptions& bounds) {
  struct Kind {
    std::uint64_t seeds = 0;
    std::uint64_t first = 0;
  };
  std::map<std::string, Kind> kinds;
  for (const auto& [seed, violation] : sum.failed) {
    auto& kind = kinds[violation.substr(0, violation.find(": at "))];
    if (kind.seeds++ == 0) kind.first = seed;
  }
  std::vector<std::pair<std::string, Kind>> sorted(kinds.begin(), kinds.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.seeds > b.second.seeds; });
  Table table({"VIOLATED", "SEEDS", "FIRST"});
  for (const auto& [name, kind] : sorted) {
    table.add({name, std::to_string(kind.seeds), std::to_string(kind.first)});
  }
  fmt::print("\n{}\n", table.text());
  std::size_t named = 0;
  for (const auto& [seed, violation] : sum.failed) {
    if (named++ == kNamed) break;
    fmt::print("seed {}: {}\n  {}\n", seed, violation, command_for(seed, bounds));
  }
}

int shrink(std::uint64_t seed, const sim::StormOptions& bounds, bool shows) {
  std::uint64_t tries = 0;
  const auto smallest = sim::smallest_storm(seed, bounds, [&](const sim::StormOptions&) {
    if (shows) fmt::print(stderr, "\r{} smaller storms tried ", ++tries);
  });
  if (shows) fmt::print(stderr, "\r\033[K");
  const auto result = sim::run_storm(seed, smallest);
  if (result.violations.empty()) {
    fmt::print("seed {} fails in nothing\n", seed);
    return kOk;
  }
  fmt::print("{}\n  {}\n", result.violations.front(), command_for(seed, smallest));
  return kInvariant;
}

}  // namespace

int run_sim_storm(const StormOptions& options) {
  if (options.seeds.empty() == !options.seed) return usage_error("name --seeds A..B, or one --seed N");
  const auto range = range_of(options);
  if (!range) return usage_error(range.error().message);
  if ((options.timeline || options.shrink) && range->first != range->last) {
    return usage_error("--timeline and --shrink are for one --seed");
  }
  const auto bounds = bounds_of(options);
  if (!bounds) return usage_error(bounds.error().message);
  if (options.shrink) return shrink(range->first, *bounds, !options.quiet && stderr_is_terminal());
  const auto began = std::chrono::steady_clock::now();
  if (options.timeline) {
    const auto result = sim::run_storm(range->first, *bounds);
    for (const auto& line : result.timeline) fmt::print("{}\n", line);
    fmt::print("digest {}\n", result.digest);
    return result.violations.empty() ? kOk : kInvariant;
  }
  const auto sum = Runs(options, *bounds, *range).run();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
  print_figures(sum, wall.count());
  if (sum.differing > 0) {
    fmt::print("{} seeds had another digest when they were run again\n", sum.differing);
    return kInvariant;
  }
  if (sum.failed.empty()) return kOk;
  print_violations(sum, *bounds);
  return kInvariant;
}

}  // namespace proffer::cli
