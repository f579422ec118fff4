// Events a second of the simulator on one core, and how long a simulated day takes: a day of 5,894 jobs of a
// Facebook cluster (SWIM's sample of 2009) on 600 nodes, as it is and packed to 85% of the map slots. The
// target is 1,000,000 events/s, and the day as it is in less than 10 s. Reference: what a plain priority
// queue of events alone can do.
//
//   bench-simulate [EXPERIMENT.toml]
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "proffer/check.hpp"
#include "proffer/sim/simulate.hpp"
#include "proffer/study/experiment.hpp"
#include "proffer/study/recorder.hpp"

namespace proffer::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Pushes and pops a second with 10,000 events waiting.
double queue_alone() {
  constexpr int kEvents = 2'000'000;
  using Entry = std::pair<std::uint64_t, std::uint64_t>;  // time, number
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  Random random(1);
  for (std::uint64_t n = 0; n < 10'000; ++n) queue.emplace(random.below(1 << 20), n);
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t n = 0; n < kEvents; ++n) {
    const auto next = queue.top();
    queue.pop();
    queue.emplace(next.first + random.below(1 << 20), n);
  }
  return kEvents / seconds_since(begin);
}

int measure(const std::string& file) {
  const auto experiment = study::read_experiment(file);
  if (!experiment) {
    fmt::print("skipped: {}\n", experiment.error().message);
    return 0;
  }
  const auto reference = queue_alone();
  fmt::print("{:<60} {:>10} {:>10} {:>9} {:>7}\n{:<60} {:>10} {:>10} {:>9.0f} {:>7}\n", "", "events",
             "wall s", "events/s", "ratio", "event queue alone", "", "", reference, "1.00");
  for (const auto& cell : study::cells(*experiment)) {
    const auto plan = study::make_plan(*experiment, cell, 1);
    PROFFER_CHECK(plan, plan.error().message);
    study::Recorder recorder(*plan, sim::kStart, {false, false});
    const auto begin = std::chrono::steady_clock::now();
    const auto simulated = sim::simulate(*plan, recorder);
    PROFFER_CHECK(simulated, simulated.error().message);
    const auto spent = seconds_since(begin);
    const auto rate = static_cast<double>(simulated->events) / spent;
    fmt::print("{:<60} {:>10} {:>10.2f} {:>9.0f} {:>7.3f}\n", cell.name, simulated->events, spent, rate,
               rate / reference);
  }
  return 0;
}

}  // namespace
}  // namespace proffer::bench

int main(int argc, char** argv) {
  return proffer::bench::measure(argc > 1 ? argv[1] : "examples/experiments/a12-trace.toml");
}
