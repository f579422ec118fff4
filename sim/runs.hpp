// Tasks that are running, and how long they take: start-up, then reading beside computing, then writing. A
// reduce copies first, and computes when its agent gives it leave. The executor of the simulated world.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "proffer/frameworks/foresight.hpp"
#include "proffer/machine.hpp"
#include "proffer/study/plan.hpp"
#include "sim/event_queue.hpp"
#include "sim/flows.hpp"

namespace proffer::sim {

using AgentNo = std::uint32_t;  // into Plan::nodes

// What a worker exits with.
inline constexpr std::int32_t kOutputsMissing = 75;
inline constexpr std::int32_t kNoReplica = 1;

class Runs final : public Foresight {
 public:
  /// Told of what the executor would tell the agent.
  using Tell = std::function<void(AgentNo, Event)>;
  Runs(const study::Plan& plan, EventQueue& queue, Tell tell);

  /// An agent's id, once it has one: blocks are found by it.
  void name_agent(AgentNo agent, AgentId id) {
    numbers_[id] = agent;
    ids_[agent] = id;
  }

  /// At present rates; what has not begun to work is taken to read at no cost.
  void each_slot(Kind kind, Time until, const std::function<void(AgentId, Time)>& visit) const override;

  void start(AgentNo agent, const StartRun& start, Time now);
  // To a reduce; one that is over is not minded.
  void deliver(AgentNo agent, const DeliverInputs& delivered, Time now);
  void give_leave(AgentNo agent, LaunchId launch, Time now);
  /// Ends at once; a run that is over is not minded.
  void end(AgentNo agent, LaunchId launch, Time now);
  void phase_over(std::uint32_t run, std::uint32_t version, Time now);
  void flow_ended(FlowNo flow, std::uint32_t version, Time now);
  /// The node is gone until come_back(), with its runs, which nobody is told of. Who reads a block of it goes
  /// on elsewhere, or fails; who reads its map outputs ends for want of them.
  void lose(AgentNo agent, Time now);
  void come_back(AgentNo agent) { down_[agent] = false; }
  /// Tasks that begin to compute from now on take factor_milli / 1000 times as long.
  void slow_down(AgentNo agent, std::int64_t factor_milli) { slowness_milli_[agent] = factor_milli; }

  /// A block moves from another agent to this one, beside what tasks read (block_copies.cpp).
  void fetch(AgentNo agent, const FetchBlock& fetch, Time now);
  /// It is not on this agent's disk any more; who has begun to read it goes on.
  void drop(AgentNo agent, BlockId block) { dropped_.emplace(agent, block); }

  const Flows& flows() const { return flows_; }
  /// Read by nodes so far, to be kept for tasks.
  std::uint64_t cached_bytes() const { return cached_bytes_; }

 private:
  struct BlockCopy {
    AgentNo source = 0;
    FetchBlock fetch;
    std::optional<FlowNo> flow;  // none: it is a matter of time, or not even that
  };
  using CopyKey = std::pair<AgentNo, BlockId>;
  void copy_ended(CopyKey copy);
  void lose_copies(AgentNo agent, Time now);
  /// A file on its way to a node that is to keep it (cached_files.cpp).
  struct CacheRead {
    std::map<FlowNo, BlockRead> flows;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting;  // runs, with their versions
  };
  bool has_cached(std::uint32_t run, Time now);
  bool read_cached(std::uint32_t run, const CachedFile& file, CopyKey key, Time now);
  void read_cached_block(CopyKey key, CacheRead& reading, const BlockRead& block, Time now);
  void cached_block_came(CopyKey key, FlowNo flow, Time now);
  void cached_came(CopyKey key, Time now);
  void lose_cache_reads(AgentNo agent, Time now);
  void give_up_reading(CopyKey key, Time now);
  std::optional<AgentNo> source_of(BlockId block, const std::vector<Replica>& replicas) const;
  enum class Phase : std::uint8_t { starting, working, writing };
  struct Run {
    AgentNo agent = 0;
    LaunchId launch;
    WorkPtr work;
    Kind kind;
    Time until{};  // when its start-up, computing or writing is over
    Phase phase = Phase::starting;
    bool computing = false;
    bool far = false;      // with the penalty model: a file that it needs was not here
    bool asked = false;    // for leave to compute
    bool complete = true;  // it knows all its inputs
    std::vector<SyntheticInput> inputs;
    std::size_t copied = 0;  // of the inputs, those that are here for certain
    std::uint32_t version = 0;
    std::uint64_t local_bytes = 0;
    std::uint64_t remote_bytes = 0;
    boost::container::small_vector<FlowNo, 2> flows;
    bool live = false;
  };
  struct NodeLinks {
    std::optional<LinkNo> disk, nic_out, nic_in, remote;
    std::uint32_t rack = 0;
  };
  struct RackLinks {
    std::optional<LinkNo> out, in;
  };

  const SyntheticWork& work(const Run& run) const { return std::get<SyntheticWork>(*run.work); }
  std::optional<std::uint32_t> find(AgentNo agent, LaunchId launch) const;
  void begin_work(std::uint32_t run, Time now);
  void begin_map(std::uint32_t run, Time now);
  void compute(std::uint32_t run, bool node_local, bool rack_local, Time now);
  void read_blocks(std::uint32_t run, Time now);
  void copy(std::uint32_t run, std::span<const SyntheticInput> inputs, Time now);
  /// `block`: what is read from another node; none: nobody's loss stops it.
  void read(std::uint32_t run, Path path, std::uint64_t bytes, Time now, const BlockRead* block = nullptr,
            AgentNo source = 0);
  std::optional<Time> released_at(const Run& run) const;
  Duration compute_time(const Run& run, bool node_local, bool rack_local) const;
  void work_done(std::uint32_t run, Time now);
  void write(std::uint32_t run, Time now);
  void exit(std::uint32_t run, Time now);
  void release(std::uint32_t run, Time now);
  void lose_source(std::uint32_t run, Time now);
  void read_block(std::uint32_t run, const BlockRead& block, Time now);
  std::vector<TaskId> missing_outputs(const Run& run) const;
  bool lacks_a_block(const Run& run) const;
  void want_of(std::uint32_t run, std::vector<TaskId> missing, Time now);
  void fail(std::uint32_t run, RunExited how, Time now);
  Path local_path(AgentNo reader) const;
  Path remote_path(AgentNo source, AgentNo reader) const;
  Path shuffle_path(AgentNo reader) const;
  Path copy_path(AgentNo source, AgentNo target) const;
  std::optional<AgentNo> nearest(const BlockRead& block) const;

  const study::Plan& plan_;
  EventQueue& queue_;
  Tell tell_;
  Flows flows_;
  std::vector<NodeLinks> nodes_;
  std::vector<RackLinks> racks_;
  std::vector<std::int64_t> slowness_milli_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> free_;
  std::map<std::pair<AgentNo, LaunchId>, std::uint32_t> by_launch_;
  std::map<AgentId, AgentNo> numbers_;
  std::vector<AgentId> ids_;  // by agent
  struct FlowUse {
    std::uint32_t run = 0;
    const BlockRead* block = nullptr;  // of the run's work, read from `source`
    AgentNo source = 0;
    std::optional<CopyKey> copy;       // then of no run
    std::optional<CopyKey> kept = {};  // of a file that a node is to keep; likewise
  };
  std::vector<FlowUse> flow_uses_;  // by flow
  std::vector<bool> down_;
  std::map<CopyKey, BlockCopy> copies_;
  std::map<CopyKey, CacheRead> cache_reads_;  // by node and the file's first block
  std::set<CopyKey> kept_;                    // on disks, which outlive their nodes' deaths
  std::uint64_t cached_bytes_ = 0;
  std::set<CopyKey> dropped_;  // replicas of which a task may not have heard that they are gone
};

}  // namespace proffer::sim
