// The nodes of the simulated cluster as executors see them: which of them are up and reach each other, how
// slow they are, and which replicas they have dropped. Its invariant: an agent's id and its number stand for
// each other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proffer/messages/work.hpp"
#include "proffer/study/plan.hpp"
#include "proffer/time.hpp"

namespace proffer::sim {

using AgentNo = std::uint32_t;                   ///< an index into Plan::nodes
using ReplicaKey = std::pair<AgentNo, BlockId>;  ///< a block on one node

class Nodes {
 public:
  explicit Nodes(const std::vector<study::PlanNode>& nodes);

  std::size_t count() const { return ids_.size(); }
  /// Gives an agent its id, by which its blocks and outputs are found.
  void name(AgentNo agent, AgentId id) {
    numbers_[id] = agent;
    ids_[agent] = id;
  }
  AgentId id_of(AgentNo agent) const { return ids_[agent]; }
  /// Returns the agent of that id; none: no such agent has been named.
  std::optional<AgentNo> find(AgentId id) const;

  void lose(AgentNo agent) { down_[agent] = true; }
  void come_back(AgentNo agent) { down_[agent] = false; }
  bool is_down(AgentNo agent) const { return down_[agent]; }

  /// Cuts a node off from all others, or, `by` being -1, ends one of the cuts that hold it.
  void cut_node(AgentNo agent, int by);
  /// Cuts a rack off from all others. Returns its nodes.
  std::vector<AgentNo> cut_rack(const std::string& rack, int by);
  /// Returns whether nothing gets from the node to the servers, or back.
  bool is_cut_off(AgentNo agent) const {
    return parts_[agent].cuts > 0 || rack_cuts_.at(parts_[agent].rack) > 0;
  }
  /// Returns whether bytes get from one node to the other; both are up, or they do not.
  bool reaches(AgentNo from, AgentNo to) const;

  /// Makes tasks that begin to compute from now on take factor_milli / 1000 times as long.
  void slow_down(AgentNo agent, std::int64_t factor_milli) { slowness_milli_[agent] = factor_milli; }
  /// Returns how long computing takes on that node, for what takes `time` on a usual one.
  Duration slowed(AgentNo agent, Duration time) const {
    return time * slowness_milli_[agent] / speed_milli_[agent];
  }

  /// Takes a replica off the node's disk; a task that has begun to read it goes on.
  void drop(ReplicaKey replica) { dropped_.insert(replica); }
  void store(ReplicaKey replica) { dropped_.erase(replica); }
  /// Returns the first of these replicas, which come nearest first, that the reader can read; none: none.
  std::optional<AgentNo> source_of(AgentNo reader, BlockId block, const std::vector<Replica>& replicas) const;
  std::optional<AgentNo> source_of(AgentNo reader, const BlockRead& read) const {
    return source_of(reader, read.block, read.replicas);
  }

 private:
  static constexpr std::int64_t kMilli = 1000;

  /// The place of a node in the network.
  struct Part {
    std::string rack;
    int cuts = 0;  ///< faults that cut it off and last
  };
  std::map<AgentId, AgentNo> numbers_;
  std::vector<AgentId> ids_;
  std::vector<bool> down_;
  std::vector<std::int64_t> slowness_milli_;  ///< by faults that last
  std::vector<std::int64_t> speed_milli_;     ///< by the kind of node
  std::vector<Part> parts_;
  std::map<std::string, int> rack_cuts_;
  bool any_cut_ = false;          ///< there has ever been one
  std::set<ReplicaKey> dropped_;  ///< replicas of which a task may not have heard that they are gone
};

}  // namespace proffer::sim
