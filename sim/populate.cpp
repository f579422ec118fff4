// The machines of a plan, and the blocks that its nodes hold from the start.
#include <algorithm>
#include <memory>
#include <utility>

#include "proffer/study/placement.hpp"
#include "sim/store_client.hpp"
#include "sim/world.hpp"

namespace proffer::sim {
namespace {

/// Returns whether a fault ends a server's life.
bool stops_a_server(const study::PlanFault& fault) {
  using What = study::PlanFault::What;
  return fault.what == What::stop_allocator || fault.what == What::stop_catalog;
}

}  // namespace

// Each kind of random choice has a generator of its own, so that a change of one never changes another. The
// generators are drawn in this order.
Result<> World::populate() {
  Random seeds(plan_.seed);
  const auto fork = [&seeds] { return Random(seeds.bits()); };
  static_cast<void>(fork());  // the generator of place_blocks
  auto serving = fork();
  auto running = fork();
  auto scheduling = fork();
  auto secret_seeds = fork();
  const auto places = study::place_blocks(plan_);
  if (!places) return places.error();
  add_servers(serving, secret_seeds);
  add_agents(*places, running, secret_seeds);
  if (auto added = add_faults(); !added) return added;
  return add_frameworks(scheduling);
}

void World::add_node(std::unique_ptr<Node> node, Time start) {
  queue_.push(start, What::node_start, static_cast<NodeNo>(nodes_.size()));
  nodes_.push_back(std::move(node));
}

void World::add_servers(Random& random, Random& secret_seeds) {
  servers_.emplace(plan_, random, secret_seeds);
  for (const auto server : {kAllocatorNode, kCatalogNode}) add_node(servers_->start(server), Time{});
}

void World::add_agents(const study::BlockPlaces& places, Random& random, Random& secret_seeds) {
  agents_.add_all(places, random, secret_seeds);
  for (AgentNo n = 0; n < plan_.nodes.size(); ++n) add_node(agents_.start(n), Time{});
}

Result<> World::add_faults() {
  for (std::uint32_t number = 0; number < plan_.faults.size(); ++number) {
    const auto& fault = plan_.faults[number];
    if (fault.what != study::PlanFault::What::slow_node && plan_.heartbeat <= Duration::zero()) {
      return Error{ErrorCode::invalid, "without heartbeats nobody would miss " + fault.target +
                                           ", which a fault takes away; leave allocator.heartbeat out"};
    }
    servers_die_ |= stops_a_server(fault);
    queue_.push(kStart + fault.at, What::fault, number, 0);
    queue_.push(kStart + fault.at + fault.lasting, What::fault, number, 1);
  }
  return {};
}

Result<> World::add_frameworks(Random& random) {
  for (const auto& planned : plan_.frameworks) {
    auto framework = FrameworkNode::make(planned, Random(random.bits()), executor_.runs);
    if (!framework) return framework.error();
    submissions_.add(static_cast<NodeNo>(nodes_.size()), **framework);
    add_node(std::move(*framework), kStart);
  }
  submissions_.begin();
  add_workers();
  return {};
}

void World::add_workers() {
  const auto writes = [](const study::WorkloadJob& job) { return job.stage && job.stage->block_bytes > 0; };
  if (std::ranges::none_of(plan_.workload.jobs, writes)) return;
  workers_ = static_cast<NodeNo>(nodes_.size());
  add_node(std::make_unique<StoreClient>(executor_.writes), kStart);
}

}  // namespace proffer::sim
