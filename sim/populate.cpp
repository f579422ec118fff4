// The machines of a plan, and the blocks that its nodes hold from the start.
#include <algorithm>
#include <memory>
#include <utility>

#include "proffer/agent/agent.hpp"
#include "proffer/allocator/allocator.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/study/placement.hpp"
#include "proffer/study/plan_rules.hpp"
#include "sim/world.hpp"

namespace proffer::sim {
namespace {

constexpr Epoch kEpoch{1};
constexpr auto kCatalogEndpoint = "sim://catalog";

using BlocksOfAgents = std::vector<std::vector<std::pair<BlockId, std::uint64_t>>>;

/// Blocks are numbered from 1, file by file.
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

BlocksOfAgents blocks_of(const study::Plan& plan, const study::BlockPlaces& places) {
  BlocksOfAgents held(plan.nodes.size());
  std::uint64_t next = 1;
  for (std::size_t file = 0; file < places.size(); ++file) {
    for (std::size_t block = 0; block < places[file].size(); ++block) {
      const BlockId id{next++};
      for (const auto node : places[file][block]) {
        held[node].emplace_back(id, plan.workload.files[file].blocks[block].bytes);
      }
    }
  }
  return held;
}

bool is_killed(const study::Plan& plan, const std::string& node) {
  return std::any_of(plan.faults.begin(), plan.faults.end(), [&](const study::PlanFault& fault) {
    return fault.what == study::PlanFault::What::kill_node && fault.node == node;
  });
}

}  // namespace

/// What is random for one reason never changes what is random for another: each has a generator of its own.
Result<> World::populate() {
  Random seeds(plan_.seed);
  const auto fork = [&seeds] { return Random(seeds.bits()); };
  static_cast<void>(fork());  // that of the blocks
  auto serving = fork();
  auto running = fork();
  auto scheduling = fork();
  auto secret_seeds = fork();
  const auto places = study::place_blocks(plan_);
  if (!places) return places.error();
  network_ = std::make_unique<Network>(NetworkConfig{plan_.latency, options_.codec}, queue_, inbox_);
  runs_ = std::make_unique<Runs>(plan_, queue_, [this](AgentNo agent, Event event) {
    if (const auto* stored = std::get_if<BlockStored>(&event)) agents_[agent].keep(*stored);
    inbox_.push_back({kFirstAgentNode + agent, std::move(event)});
  });
  add_servers(serving, secret_seeds);
  add_agents(*places, running, secret_seeds);
  if (auto added = add_faults(); !added) return added;
  return add_tenants(scheduling);
}

void World::add_servers(Random& random, Random& secret_seeds) {
  const ClusterId cluster{random.bits128()};
  auto config = plan_.allocator;
  config.heartbeat = plan_.heartbeat;
  config.catalog_endpoint = kCatalogEndpoint;
  nodes_.push_back(std::make_unique<MachineNode<Allocator>>("allocator", std::move(config), cluster, kEpoch,
                                                            Random(random.bits()),
                                                            SecretSource(Random(secret_seeds.bits()))));
  CatalogConfig catalog;
  catalog.token = "simulated";
  catalog.heartbeat = plan_.heartbeat;
  catalog.replication = plan_.hot_blocks;
  auto files = files_of(plan_);
  std::uint64_t blocks = 0;
  for (const auto& file : files) blocks += file.blocks.size();
  nodes_.push_back(std::make_unique<MachineNode<Catalog>>(
      "catalog", catalog, cluster, kEpoch, std::move(files), BlockId{blocks + 1}, Random(random.bits()),
      SecretSource(Random(secret_seeds.bits()))));
  for (const auto node : {kAllocatorNode, kCatalogNode}) queue_.push(Time{}, What::node_start, node);
}

void World::add_agents(const study::BlockPlaces& places, Random& random, Random& secret_seeds) {
  auto held = blocks_of(plan_, places);
  SecretSource secrets{Random(secret_seeds.bits())};
  for (AgentNo n = 0; n < plan_.nodes.size(); ++n) {
    agent_numbers_[plan_.nodes[n].name] = n;
    agents_.push_back({{},
                       secrets.secret(),
                       secrets.secret(),
                       0,
                       random.bits(),
                       is_killed(plan_, plan_.nodes[n].name),
                       std::move(held[n])});
    queue_.push(Time{}, What::node_start, static_cast<NodeNo>(nodes_.size()));
    nodes_.push_back(make_agent(n));
  }
}

/// One that was there before comes back as what it was, with what its disk held.
std::unique_ptr<Node> World::make_agent(AgentNo number) {
  const auto& node = plan_.nodes[number];
  auto& life = agents_[number];
  AgentConfig config;
  config.id = life.id;
  config.secret = life.secret;
  config.catalog_secret = life.catalog_secret;
  config.run = ++life.starts;
  config.name = node.name;
  config.rack = node.rack;
  config.slots = node.slots;
  config.max_computing = node.max_computing;
  config.data_endpoint = "sim://" + node.name;
  auto blocks = life.mortal ? life.blocks : std::move(life.blocks);
  return std::make_unique<MachineNode<Agent>>("agent " + node.name, std::move(config), std::move(blocks),
                                              Random(life.seed + life.starts - 1));
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

Result<> World::add_tenants(Random& random) {
  std::map<std::string, std::size_t> by_name;
  for (const auto& framework : plan_.frameworks) {
    auto tenant = Tenant::make(framework, Random(random.bits()), *runs_);
    if (!tenant) return tenant.error();
    by_name[framework.name] = tenants_.size();
    tenants_.emplace_back(static_cast<NodeNo>(nodes_.size()), tenant->get());
    queue_.push(kStart, What::node_start, static_cast<NodeNo>(nodes_.size()));
    nodes_.push_back(std::move(*tenant));
  }
  const auto& jobs = plan_.workload.jobs;
  for (std::uint32_t job = 0; job < jobs.size(); ++job) {
    tenant_of_job_.push_back(by_name.at(jobs[job].framework));
    if (jobs[job].after.empty()) {
      queue_.push(kStart + study::submitted_at(jobs[job]), What::submission, job);
    } else {
      successors_[jobs[job].after].push_back(job);
    }
  }
  return {};
}

}  // namespace proffer::sim
