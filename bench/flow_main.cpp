// The time that one plan of `quincy` takes: 10,000 tasks with three agents each on 2,500 agents of four slots
// in 50 racks, in the policy's own graph. Reference: Boost.Graph's successive shortest paths, on a tenth of
// that, where both find the same cost.
//
//   bench-flow          a table
//   bench-flow --rows   rows for `proffer experiment collect`
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>
#include <string_view>

#include "bench/flow_reference.hpp"
#include "proffer/check.hpp"
#include "proffer/frameworks/slot_graph.hpp"
#include "proffer/random.hpp"

namespace proffer::bench {
namespace {

constexpr std::int64_t kSlots = 4;
constexpr std::size_t kJobs = 20;

template <class Solve>
double seconds_of(const Solve& solve) {
  const auto begin = std::chrono::steady_clock::now();
  solve();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Tasks that have waited for up to a minute, each with three replicas anywhere, in jobs that may have as
/// many slots as they like or (fair) no more and no fewer than all alike.
SlotGraph graph_of(std::size_t tasks, std::size_t agents, std::size_t racks, bool fair) {
  Random random(7);
  SlotGraph graph;
  graph.racks = racks;
  for (std::size_t a = 0; a < agents; ++a) graph.agents.push_back({a % racks, kSlots});
  const auto share = static_cast<std::int64_t>(agents / kJobs) * kSlots;
  const auto most = static_cast<std::int64_t>(tasks);
  graph.jobs.assign(kJobs, fair ? SlotGraph::Job{share, share} : SlotGraph::Job{0, most});
  const auto block = moving_cost(128'000'000);
  for (std::size_t t = 0; t < tasks; ++t) {
    SlotGraph::Task task{t % kJobs, waiting_cost(std::chrono::seconds(random.below(60)))};
    for (int replica = 0; replica < 3; ++replica) {
      const auto agent = random.below(agents);
      task.agents.push_back({agent, 0});
      task.racks.push_back({agent % racks, block});
    }
    task.anywhere = 2 * block;
    graph.tasks.push_back(std::move(task));
  }
  return graph;
}

struct Whole {
  const char* name;
  std::size_t tasks;
  bool fair;
};
constexpr std::array kWholes{Whole{"10,000 x 2,500", 10'000, false},
                             Whole{"10,000 x 2,500, fair", 10'000, true},
                             Whole{"20,000 x 2,500, fair", 20'000, true}};

struct Solved {
  double seconds = 0;
  std::size_t placed = 0;
};

Solved solve(const Whole& whole) {
  const auto graph = graph_of(whole.tasks, 2500, 50, whole.fair);
  Solved solved;
  solved.seconds = seconds_of([&] {
    for (const auto& where : cheapest(graph)) solved.placed += where ? 1 : 0;
  });
  return solved;
}

/// Prints rows for `proffer experiment collect`.
int print_rows() {
  const char* separator = "[";
  for (const auto& whole : kWholes) {
    fmt::print(
        "{}\n  {{\"id\": \"B3\", \"experiment\": \"flow\", \"cell\": \"{}\", \"label\": \"quincy: one solve "
        "(s)\", "
        "\"measure\": \"solve_seconds\", \"paper\": null, \"ours\": {:.4f}, \"ci95\": null, \"seeds\": 1, "
        "\"digest\": \"\", \"note\": \"tasks x agents, LEMON network simplex\"}}",
        separator, whole.name, solve(whole).seconds);
    separator = ",";
  }
  fmt::print("\n]\n");
  return 0;
}

int measure() {
  fmt::print("{:<40} {:>10} {:>10} {:>8}\n", "tasks x agents", "LEMON s", "Boost s", "ratio");
  const auto small = network_of(graph_of(1000, 250, 5, false));
  std::optional<Flow> flow;
  std::optional<std::int64_t> reference;
  const auto ours = seconds_of([&] { flow = min_cost_flow(small); });
  const auto theirs = seconds_of([&] { reference = cheapest_by_shortest_paths(small); });
  PROFFER_CHECK(flow && reference && flow->cost == *reference, "the two solvers disagree");
  fmt::print("{:<40} {:>10.4f} {:>10.4f} {:>8.1f}\n", "1,000 x 250", ours, theirs, theirs / ours);
  for (const auto& whole : kWholes) {
    const auto solved = solve(whole);
    fmt::print("{:<40} {:>10.4f} {:>10} {:>8}   {} placed\n", whole.name, solved.seconds, "", "",
               solved.placed);
  }
  return 0;
}

}  // namespace
}  // namespace proffer::bench

int main(int argc, char** argv) {
  const bool as_rows = argc == 2 && std::string_view(argv[1]) == "--rows";
  return as_rows ? proffer::bench::print_rows() : proffer::bench::measure();
}
