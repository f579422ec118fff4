// The links that bytes take between nodes, by the plan's cost model; a rate of 0 in it means no link. Its
// invariant: a path names each link at most once.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "proffer/study/plan.hpp"
#include "sim/flows.hpp"
#include "sim/nodes.hpp"

namespace proffer::sim {

class Links {
 public:
  Links(const study::Plan& plan, Flows& flows);

  bool same_rack(AgentNo one, AgentNo other) const { return nodes_[one].rack == nodes_[other].rack; }

  /// Returns the path from the reader's own disk.
  Path local(AgentNo reader) const;
  /// Returns the path of a block from another node's disk, for a task.
  Path remote(AgentNo source, AgentNo reader) const;
  /// Returns the path of map outputs from everywhere. One flow into the node: with a source on nearly every
  /// node, none of them binds.
  Path shuffle(AgentNo reader) const;
  /// Returns the path of a whole block, from disk to disk. What makes remote reading slow for tasks, many of
  /// which seek on one disk and speak a protocol of small pieces, does not hold for a block that is moved in
  /// one go.
  Path copy(AgentNo source, AgentNo target) const;

 private:
  struct NodeLinks {
    std::optional<LinkNo> disk, nic_out, nic_in, remote;
    std::uint32_t rack = 0;
  };
  struct RackLinks {
    std::optional<LinkNo> out, in;
  };
  /// Adds the links from a node's disk up to the other node's network card.
  void add_way(Path& path, const NodeLinks& from, const NodeLinks& to) const;

  std::vector<NodeLinks> nodes_;
  std::vector<RackLinks> racks_;
};

}  // namespace proffer::sim
