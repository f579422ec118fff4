// How long one plan of `quincy` takes to solve: 10,000 tasks with three agents each on 2,500 agents of four
// slots in 50 racks. Reference: Boost.Graph's successive shortest paths, on a tenth of that, where both find
// the same cost.
//
//   bench-flow
#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "bench/flow_reference.hpp"
#include "proffer/check.hpp"
#include "proffer/random.hpp"

namespace proffer {
namespace {

constexpr std::int64_t kSlots = 4;
constexpr std::size_t kJobs = 20;

template <class Solve>
double seconds_of(const Solve& solve) {
  const auto begin = std::chrono::steady_clock::now();
  solve();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Costs in kB: a block of 128 MB within its rack, twice that over the core, half a GB a second of waiting.
FlowNetwork network_of(std::size_t tasks, std::size_t agents, std::size_t racks) {
  constexpr std::int64_t kBlock = 128'000;
  Random random(7);
  FlowNetwork net;
  const auto sink = net.add_node(-static_cast<std::int64_t>(tasks));
  const auto anywhere = net.add_node();
  const auto first_rack = net.supplies().size();
  for (std::size_t r = 0; r < racks; ++r) net.add_arc({anywhere, net.add_node(), 0, 1'000'000, 0});
  const auto first_agent = net.supplies().size();
  for (std::size_t a = 0; a < agents; ++a) {
    const auto agent = net.add_node();
    net.add_arc({first_rack + a % racks, agent, 0, kSlots, 0});
    net.add_arc({agent, sink, 0, kSlots, 0});
  }
  const auto first_job = net.supplies().size();
  for (std::size_t j = 0; j < kJobs; ++j) {
    net.add_arc({net.add_node(), sink, 0, static_cast<std::int64_t>(tasks), 0});
  }
  for (std::size_t t = 0; t < tasks; ++t) {
    const auto task = net.add_node(1);
    for (int replica = 0; replica < 3; ++replica) {
      const auto agent = random.below(agents);
      net.add_arc({task, first_agent + agent, 0, 1, 0});
      net.add_arc({task, first_rack + agent % racks, 0, 1, kBlock});
    }
    net.add_arc({task, anywhere, 0, 1, 2 * kBlock});
    net.add_arc({task, first_job + t % kJobs, 0, 1, static_cast<std::int64_t>(500'000 * random.below(60))});
  }
  return net;
}

int measure() {
  fmt::print("{:<40} {:>10} {:>10} {:>8}\n", "tasks x agents", "LEMON s", "Boost s", "ratio");
  const auto small = network_of(1000, 250, 5);
  std::optional<Flow> flow;
  std::optional<std::int64_t> reference;
  const auto ours = seconds_of([&] { flow = min_cost_flow(small); });
  const auto theirs = seconds_of([&] { reference = cheapest_by_shortest_paths(small); });
  PROFFER_CHECK(flow && reference && flow->cost == *reference, "the two solvers disagree");
  fmt::print("{:<40} {:>10.4f} {:>10.4f} {:>8.1f}\n", "1,000 x 250", ours, theirs, theirs / ours);
  const auto large = network_of(10'000, 2500, 50);
  const auto whole = seconds_of([&] { flow = min_cost_flow(large); });
  PROFFER_CHECK(flow, "tasks can always wait");
  fmt::print("{:<40} {:>10.4f} {:>10} {:>8}\n", "10,000 x 2,500", whole, "", "");
  return 0;
}

}  // namespace
}  // namespace proffer

int main() { return proffer::measure(); }
