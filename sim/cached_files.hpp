// Files that nodes keep for tasks: the first task on a node reads them, as it reads blocks; later ones find
// them. Its invariant: a node does not read a file that it keeps.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "proffer/messages/work.hpp"
#include "proffer/study/plan.hpp"
#include "sim/links.hpp"
#include "sim/transfers.hpp"

namespace proffer::sim {

class CachedFiles final : public FlowOwner {
 public:
  /// A run that waits for a file, with its version at that time: it may be over when the file comes.
  struct Waiting {
    std::uint32_t run = 0;
    std::uint32_t version = 0;
  };
  /// Told of a run that has waited: its file has come, or cannot be read any more.
  struct Notify {
    std::function<void(Waiting, Time)> came;
    std::function<void(Waiting, Time)> failed;
  };
  CachedFiles(study::CostModel::Reading reading, const Nodes& nodes, const Links& links, Transfers& transfers,
              Notify notify);

  enum class Has : std::uint8_t {
    yes,
    later,  ///< the run waits, and is told
    never,  ///< no node has a block of the file
  };
  struct Answer {
    Has has = Has::yes;
    bool began = false;        ///< the node begins to read the file, and these bytes are read for the run
    std::uint64_t local = 0;   ///< bytes from the node's own disk
    std::uint64_t remote = 0;  ///< bytes from other nodes
  };
  /// Returns whether the node keeps the file, which has blocks. It begins to read one that it does not keep;
  /// the reading goes on whatever becomes of the run.
  Answer ask(AgentNo agent, const CachedFile& file, Waiting run, Time now);

  /// Forgets what a node that is gone was reading, but not what it keeps: disks outlive their nodes' deaths.
  void lose(AgentNo agent, Time now);
  /// Reads anew, from another holder of the block, what comes from nodes that do not reach the reader any
  /// more; fails where there is none.
  void reroute(Time now);
  void flow_ended(FlowNo flow, Time now) override;

  /// Bytes read by nodes so far, to be kept for tasks.
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Part {
    BlockRead block;
    AgentNo source = 0;
  };
  struct Reading {
    std::map<FlowNo, Part> parts;
    std::vector<Waiting> waiting;
  };
  using Key = ReplicaKey;  ///< the node and the file's first block
  Answer begin(Key key, const CachedFile& file, Time now);
  void read_block(Key key, Reading& reading, const BlockRead& block, Time now);
  void finish(Key key, Time now);
  bool replace_parts(Key key, Reading& reading, Time now);
  std::vector<Key> being_read() const;
  void give_up(Key key, Time now);
  void cancel(FlowNo flow, Time now);

  study::CostModel::Reading model_;
  const Nodes& nodes_;
  const Links& links_;
  Transfers& transfers_;
  Notify notify_;
  std::map<Key, Reading> reading_;
  std::map<FlowNo, Key> by_flow_;
  std::set<Key> kept_;
  std::uint64_t bytes_ = 0;
};

}  // namespace proffer::sim
