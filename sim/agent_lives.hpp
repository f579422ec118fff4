// Agents over all their starts. Its invariant: an agent that starts again is the one that it was, with the
// blocks that its disk held.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/random.hpp"
#include "proffer/study/placement.hpp"
#include "proffer/study/plan.hpp"
#include "sim/node.hpp"
#include "sim/nodes.hpp"

namespace proffer::sim {

class AgentLives {
 public:
  explicit AgentLives(const study::Plan& plan) : plan_(plan) {}

  /// Adds the plan's agents, none of them started. `places`: the blocks that their disks hold, numbered from
  /// 1, file by file.
  void add_all(const study::BlockPlaces& places, Random& random, Random& secret_seeds);
  /// Starts an agent, once more or for the first time.
  std::unique_ptr<Node> start(AgentNo agent);

  AgentNo number_of(const std::string& name) const { return numbers_.at(name); }
  /// Notes the id that the allocator gave the agent of that name; aborts if the plan has none.
  AgentNo registered(const std::string& name, AgentId id);
  void stored(AgentNo agent, const BlockStored& block);
  void dropped(AgentNo agent, BlockId block);

 private:
  struct Life {
    AgentId id;
    Secret secret;
    Secret catalog_secret;
    std::uint64_t starts = 0;
    std::uint64_t seed = 0;
    bool mortal = false;  ///< a fault kills it
    /// The blocks on the disk of one that is mortal; those of any other are handed over at its only start.
    std::vector<std::pair<BlockId, std::uint64_t>> blocks;
  };

  const study::Plan& plan_;
  std::vector<Life> lives_;
  std::map<std::string, AgentNo> numbers_;  ///< keyed by the agent's name
};

}  // namespace proffer::sim
