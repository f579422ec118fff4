#include "sim/agent_lives.hpp"

#include <algorithm>
#include <set>

#include "proffer/agent/agent.hpp"
#include "proffer/check.hpp"
#include "proffer/secret_source.hpp"

namespace proffer::sim {
namespace {

using BlocksOfAgents = std::vector<std::vector<std::pair<BlockId, std::uint64_t>>>;

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

std::set<std::string> killed_in(const study::Plan& plan) {
  std::set<std::string> killed;
  for (const auto& fault : plan.faults) {
    if (fault.what == study::PlanFault::What::kill_node) killed.insert(fault.target);
  }
  return killed;
}

}  // namespace

void AgentLives::add_all(const study::BlockPlaces& places, Random& random, Random& secret_seeds) {
  auto held = blocks_of(plan_, places);
  const auto killed = killed_in(plan_);
  SecretSource secrets{Random(secret_seeds.bits())};
  for (AgentNo n = 0; n < plan_.nodes.size(); ++n) {
    numbers_[plan_.nodes[n].name] = n;
    lives_.push_back({{},
                      secrets.secret(),
                      secrets.secret(),
                      0,
                      random.bits(),
                      killed.contains(plan_.nodes[n].name),
                      std::move(held[n])});
  }
}

std::unique_ptr<Node> AgentLives::start(AgentNo number) {
  const auto& node = plan_.nodes[number];
  auto& life = lives_[number];
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

AgentNo AgentLives::registered(const std::string& name, AgentId id) {
  const auto at = numbers_.find(name);
  PROFFER_CHECK(at != numbers_.end(), "an agent registered that is not in the plan");
  lives_[at->second].id = id;
  return at->second;
}

void AgentLives::stored(AgentNo agent, const BlockStored& block) {
  auto& life = lives_[agent];
  if (life.mortal) life.blocks.emplace_back(block.block, block.length);
}

void AgentLives::dropped(AgentNo agent, BlockId block) {
  std::erase_if(lives_[agent].blocks, [block](const auto& held) { return held.first == block; });
}

}  // namespace proffer::sim
