// The machines of a plan, and the blocks that its nodes hold from the start.
#include <memory>
#include <utility>

#include "proffer/allocator/allocator.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/study/placement.hpp"
#include "sim/world.hpp"

namespace proffer::sim {
namespace {

constexpr Epoch kEpoch{1};
constexpr auto kCatalogEndpoint = "sim://catalog";

/// Returns the files of the plan, whose blocks are numbered from 1, file by file.
std::vector<FileInfo> files_of(const study::Plan& plan) {
  std::vector<FileInfo> files;
  std::uint64_t next = 1;
  for (const auto& file : plan.workload.files) {
    FileInfo info{file.path, 0, plan.replication, true, {}};
    for (const auto& block : file.blocks) {
      info.blocks.push_back({BlockId{next++}, block.bytes, 0, {}});
      info.length += block.bytes;
    }
    files.push_back(std::move(info));
  }
  return files;
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
  const ClusterId cluster{random.bits128()};
  auto config = plan_.allocator;
  config.heartbeat = plan_.heartbeat;
  config.catalog_endpoint = kCatalogEndpoint;
  add_node(std::make_unique<MachineNode<Allocator>>("allocator", std::move(config), cluster, kEpoch,
                                                    Random(random.bits()),
                                                    SecretSource(Random(secret_seeds.bits()))),
           Time{});
  CatalogConfig catalog;
  catalog.token = "simulated";
  catalog.heartbeat = plan_.heartbeat;
  catalog.replication = plan_.hot_blocks;
  auto files = files_of(plan_);
  std::uint64_t blocks = 0;
  for (const auto& file : files) blocks += file.blocks.size();
  add_node(std::make_unique<MachineNode<Catalog>>("catalog", catalog, cluster, kEpoch, std::move(files),
                                                  BlockId{blocks + 1}, Random(random.bits()),
                                                  SecretSource(Random(secret_seeds.bits()))),
           Time{});
}

void World::add_agents(const study::BlockPlaces& places, Random& random, Random& secret_seeds) {
  agents_.add_all(places, random, secret_seeds);
  for (AgentNo n = 0; n < plan_.nodes.size(); ++n) add_node(agents_.start(n), Time{});
}

Result<> World::add_faults() {
  for (std::uint32_t number = 0; number < plan_.faults.size(); ++number) {
    const auto& fault = plan_.faults[number];
    if (fault.what == study::PlanFault::What::kill_node && plan_.heartbeat <= Duration::zero()) {
      return Error{ErrorCode::invalid, "without heartbeats nobody would miss " + fault.node +
                                           ", which a fault kills; leave allocator.heartbeat out"};
    }
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
  return {};
}

}  // namespace proffer::sim
