// The phases of running tasks, and how long they take: start-up, then reading beside computing, then writing.
// A reduce copies first, and computes when its agent permits it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "proffer/frameworks/foresight.hpp"
#include "proffer/machine.hpp"
#include "proffer/study/plan.hpp"
#include "sim/block_copies.hpp"
#include "sim/cached_files.hpp"
#include "sim/event_queue.hpp"
#include "sim/links.hpp"
#include "sim/output_writes.hpp"
#include "sim/run_table.hpp"
#include "sim/transfers.hpp"

namespace proffer::sim {

// Exit codes of a worker.
inline constexpr std::int32_t kOutputsMissing = 75;
inline constexpr std::int32_t kNoReplica = 1;
inline constexpr std::int32_t kNotWritten = 1;

class Runs final : public Foresight, public FlowOwner {
 public:
  /// The other parts of an executor.
  struct Around {
    const Nodes& nodes;
    const Links& links;
    Transfers& transfers;
    CachedFiles& cached;
    OutputWrites& writes;
  };
  Runs(const study::Plan& plan, EventQueue& queue, Around around, NotifyAgent notify);

  /// Foresight at present rates; a run that has not begun to work is taken to read at no cost, and replicas
  /// of what a run writes to move at none.
  void each_slot(Kind kind, Time until, const std::function<void(AgentId, Time)>& visit) const override;

  void start(AgentNo agent, const StartRun& start, Time now);
  // The following have no effect on a run that is over.
  /// Gives a reduce inputs that it did not know of.
  void deliver(AgentNo agent, const DeliverInputs& delivered, Time now);
  void permit_computing(AgentNo agent, LaunchId launch, Time now);
  /// Ends a run at once.
  void end(AgentNo agent, LaunchId launch, Time now);
  void phase_over(RunNo run, std::uint32_t version, Time now);
  /// Continues a run that has waited for a file, or ends it for want of the file.
  void file_came(CachedFiles::Waiting run, Time now);
  void file_failed(CachedFiles::Waiting run, Time now);
  // The end of a run whose output is in the store, or cannot be written there.
  void output_written(RunNo run, Time now) { exit(run, now); }
  void output_failed(RunNo run, Time now);

  void flow_ended(FlowNo flow, Time now) override;
  /// Ends the runs of a node that is gone, of which nobody is told.
  void lose(AgentNo agent, Time now);
  /// A run that reads a block of a node that does not reach it any more goes on elsewhere, or fails; one that
  /// reads map outputs there ends for want of them.
  void reroute(Time now);

 private:
  /// The reader of a flow. `block`, of the run's work, is read from `source`; none: nobody's loss stops it.
  struct Reader {
    RunNo run = 0;
    const BlockRead* block = nullptr;
    AgentNo source = 0;
  };
  bool penalty() const { return plan_.cost.reading == study::CostModel::Reading::penalty; }
  Duration compute_time(const Run& run, bool node_local, bool rack_local) const;
  std::optional<Time> released_at(const Run& run) const;

  void begin_work(RunNo number, Time now);
  bool has_cached(RunNo number, Time now);
  void begin_map(RunNo number, Time now);
  void compute(RunNo number, bool node_local, bool rack_local, Time now);
  void copy(RunNo number, std::span<const SyntheticInput> inputs, Time now);
  void read_block(RunNo number, const BlockRead& block, Time now);
  void read(const Path& path, std::uint64_t bytes, Reader reader, Time now);
  void work_done(RunNo number, Time now);
  void write(RunNo number, Time now);
  void put_into_store(RunNo number, Time now);

  void exit(RunNo number, Time now);
  void fail(RunNo number, RunExited how, Time now);
  void fail_without(RunNo number, std::vector<TaskId> missing, Time now);
  void fail_without_replica(RunNo number, Time now);
  void reroute_run(RunNo number, Time now);
  void release(RunNo number, Time now);

  const study::Plan& plan_;
  EventQueue& queue_;
  Around around_;
  NotifyAgent notify_;
  RunTable runs_;
  std::vector<Reader> readers_;  ///< indexed by flow
};

}  // namespace proffer::sim
