// A MapReduce framework: runs Hadoop-Streaming-style jobs from a queue. Hand it to a Framework (the session),
// drive that, and look at what it says through a JobObserver.
//
// A job lists its input and claims its output (an output that exists is refused before anything runs), runs
// one map per block in which records start, then its reduces, and publishes all parts and _SUCCESS with a
// single rename. Parts are written below <output>/_temporary/<task id>/ until then.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proffer/frameworks/job_sharing.hpp"
#include "proffer/frameworks/offer_totals.hpp"
#include "proffer/frameworks/policy_spec.hpp"
#include "proffer/frameworks/scheduler_abilities.hpp"
#include "proffer/frameworks/speculation.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/preemption.hpp"
#include "proffer/sharing/pool.hpp"

namespace proffer {

/// A task of a synthetic job.
struct SyntheticTask {
  Duration compute{};
  /// Made by a map for its reduces, which fetch an equal part each; else written, if the job has an output.
  std::uint64_t output_bytes = 0;
  std::uint64_t input_bytes = 0;  ///< of a map: the bytes of its block that it reads; 0: all of them
};

/// A job of known size, for experiments.
struct SyntheticJob {
  /// Stands in `reads` for a map that prefers no node.
  static constexpr std::uint32_t kReadsNothing = 0xffff'ffff;

  /// The maps: as many as the input has blocks, or as `reads` has entries; any number when there is no input.
  std::vector<SyntheticTask> maps;
  std::vector<SyntheticTask> reduces;
  /// The block of the input that each map reads, by its position; empty: each another one, in order.
  std::vector<std::uint32_t> reads = {};
  Resources need = {};  ///< bulk resources of each map; empty, unless maps are of the kind `cpus`
  /// True for a job like one of MPI: its maps start all at once or not at all. When one of them fails or is
  /// lost, those that run are killed, and all that are not done start again.
  bool rigid = false;
};

/// A file of the store that every task of a job finds in its folder. Agents keep it for later tasks.
struct CachedPath {
  std::string path;
  std::string name;  ///< the file's name in the task's folder
};
/// Parses "/models/m5#model", or "/models/m5" for the name m5.
CachedPath parse_cached(std::string_view text);

/// A detached job, which several drivers may run from the beginning, one after the other.
struct Driven {
  /// True: its output was claimed before it was submitted, and may be published by now.
  bool claimed = false;
  std::uint32_t first_attempt = 0;  ///< of each task; the drivers share no numbers
};

/// A job as it is submitted.
struct JobSpec {
  std::string name;       ///< shown to people; empty: "job N"
  std::string pool = {};  ///< dotted, within the framework; empty, or one that there is not: none
  std::string user = {};  ///< owner of the job, where the pool has limits for users
  Priority priority = Priority::normal;
  /// The time from its submission by which it is due; 0: none. Counts in pools of order `deadline`.
  Duration deadline{};
  /// Files or folders in the store; names that begin with _ or . are passed over.
  std::vector<std::string> inputs;
  std::string output;              ///< a folder in the store that does not exist yet
  std::string mapper;              ///< a shell command: lines in, lines out
  std::string reducer;             ///< a shell command; "NONE" or empty: the maps' output is the job's
  std::string combiner;            ///< a shell command, or empty; run over each partition of a map's output
  std::uint32_t num_reduces = 1;   ///< 0: as with reducer "NONE"
  Environment env;                 ///< the environment of mapper, combiner and reducer
  std::vector<ShippedFile> files;  ///< put into every task's sandbox
  /// Files of the store, found in the sandbox as well; at most limits::kCachedFiles.
  std::vector<CachedPath> cached = {};
  std::uint32_t replication = 1;         ///< replicas of each block of the output
  std::uint64_t block_bytes = 64 << 20;  ///< size of the output's blocks
  std::string token;  ///< lets whoever shows it fetch the map outputs; random, minted by the world, not empty
  /// A synthetic job has no commands, perhaps no input and no output, and its `num_reduces` is not looked at.
  std::optional<SyntheticJob> synthetic = {};
  Driven driven = {};
  /// Names of jobs submitted before (the newest of a name). This one begins once all of them have succeeded,
  /// and fails with the first that fails. What they wrote is read only where `inputs` says so.
  std::vector<std::string> after = {};

  /// False for a synthetic job without an output: nothing is written into the store.
  bool writes() const { return !synthetic || !output.empty(); }
  bool rigid() const { return synthetic && synthetic->rigid; }
  Resources need() const { return synthetic ? synthetic->need : Resources{}; }
  std::uint32_t reduce_count() const {
    if (synthetic) return static_cast<std::uint32_t>(synthetic->reduces.size());
    return reducer.empty() || reducer == "NONE" ? 0 : num_reduces;
  }
  bool map_only() const { return reduce_count() == 0; }
};

/// Returns whether a job may be submitted: else `invalid` with one sentence that names the field: an empty
/// mapper, no input, a shipped or cached file whose name has a slash, more reduces than kMaxReduces, ...
Result<> check_job(const JobSpec& spec);
inline constexpr std::uint32_t kMaxReduces = 10000;

/// The folder below a job's output where its tasks write until it is published, and in it the file that
/// claims the output: no two jobs can create it.
std::string output_workshop(const std::string& output);
std::string output_claim(const std::string& output);

/// The phases of a job, in the order of its life.
enum class JobPhase : std::uint8_t {
  queued,      ///< waits for jobs that it comes after, or for max_running_jobs
  planning,    ///< asks the catalog about input and output
  running,     ///< maps, then reduces
  committing,  ///< publishes the output
  failing,     ///< kills what still runs, and cleans up
  succeeded,
  failed,
};
std::string_view to_string(JobPhase phase);

/// The progress of the tasks of one kind of one job; a task that is run again counts once.
struct TaskProgress {
  std::uint32_t total = 0;
  std::uint32_t running = 0;
  std::uint32_t done = 0;
  bool operator==(const TaskProgress&) const = default;
};

struct JobProgress {
  JobId job;
  std::string name;
  JobPhase phase = JobPhase::queued;
  TaskProgress maps;
  TaskProgress reduces;
  bool operator==(const JobProgress&) const = default;
};

/// Input that maps read.
struct ReadBytes {
  std::uint64_t local = 0;   ///< from the agent's own replicas
  std::uint64_t remote = 0;  ///< from others
};

/// Map outputs that reduces copied.
struct ShuffleBytes {
  std::uint64_t total = 0;
  std::uint64_t remote = 0;  ///< the part that came from other agents
};

/// Times from start to end as the agents measured them, summed over finished attempts.
struct AttemptTimes {
  std::uint64_t local_maps = 0;  ///< attempts that were node-local
  Duration local_map_time{};
  std::uint64_t other_maps = 0;  ///< all others
  Duration other_map_time{};
  std::uint64_t reduces = 0;
  Duration reduce_time{};
};

/// Second attempts at maps that ran for long; all are counted among the maps as well.
struct BackupCounts {
  std::uint64_t launched = 0;
  std::uint64_t won = 0;     ///< done before the first attempt
  std::uint64_t killed = 0;  ///< ended since the first attempt was done before
};

/// Launches and failures count every attempt; records and bytes those attempts whose output counts.
struct JobCounters {
  std::uint64_t launched_maps = 0;
  std::uint64_t data_local_maps = 0;   ///< launched on a node that holds the block
  std::uint64_t rack_local_maps = 0;   ///< launched in a rack of such a node
  std::uint64_t other_local_maps = 0;  ///< launched elsewhere
  std::uint64_t launched_reduces = 0;
  std::uint64_t failed_maps = 0;
  std::uint64_t failed_reduces = 0;
  std::uint64_t killed_maps = 0;     ///< also lost, dropped, and run again because their output was gone
  std::uint64_t killed_reduces = 0;  ///< also lost, dropped, and ended for want of a map's output

  std::uint64_t map_input_records = 0;
  std::uint64_t map_output_records = 0;
  std::uint64_t map_output_bytes = 0;
  ReadBytes map_read;
  std::uint64_t reduce_input_records = 0;
  std::uint64_t reduce_output_records = 0;
  std::uint64_t reduce_output_bytes = 0;
  ShuffleBytes reduce_shuffle;

  BackupCounts backups;
  AttemptTimes times;
  std::vector<Counter> user;  ///< counts of reporter:counter, sorted by group and name
};

struct JobReport {
  JobProgress progress;
  std::string output;
  bool ok = false;  ///< true when the job succeeded
  std::string why;  ///< the reason in one sentence, unless the job succeeded
  JobCounters counters;
  Time submitted{};
  std::optional<Time> started;   ///< the first task was launched
  std::optional<Time> finished;  ///< succeeded or failed
};

/// Returns the counters under the names that Hadoop gives them, groups and names in its order: "Job Counters"
/// / "Launched map tasks", "Data-local map tasks", ..., "Map-Reduce Framework" / "Map input records", ...,
/// then the user's. Counters of "Job Counters" that are 0 are left out, as Hadoop does; the last of them, of
/// speculative tasks, have no name there.
std::vector<Counter> hadoop_counters(const JobCounters& counters);

/// An observer of jobs, called from within the scheduler's callbacks. Must not call back into the scheduler,
/// except its const members.
class JobObserver {
 public:
  virtual ~JobObserver() = default;
  /// Phase or progress has changed; at most once a callback and job.
  virtual void job_progressed(const JobProgress&) {}
  /// An attempt has failed and will be made again. `why` may have several lines.
  virtual void task_failed(JobId, const TaskId&, const std::string& /*why*/) {}
  virtual void job_ended(const JobReport&) {}
  /// The job cannot go on, and waits for so long at most; told once, until it goes on.
  virtual void job_waits(const JobProgress&, const std::string& /*why*/, Duration /*at_most*/) {}
};

/// The settings of a MapReduce framework.
struct MapReduceConfig {
  PolicySpec policy;  ///< chooses offers for maps; reduces have no preferences
  JobSharing sharing;
  Kind map_kind{"map"};
  Kind reduce_kind{"reduce"};
  std::uint32_t max_running_jobs = 0;  ///< further ones wait, by priority and then in order; 0: no limit
  /// Part of a job's maps, in thousandths, that must be done before its reduces are launched. Below 1000 they
  /// copy beside the maps, and hold their slots for so long (UCB/EECS-2009-55 §5: reduce-slot hoarding).
  std::uint32_t slow_start_milli = 1000;
  /// Reduces of one job on one agent that may copy while its maps are not done; 0: no limit.
  std::uint32_t max_copying = 0;
  /// Long-task balancing (EuroSys 2010 §4.3): a job whose tasks take more than 3 times the median gets no
  /// slot on an agent that runs more long tasks than the mean over agents. Of this framework's tasks, as it
  /// knows no others. Jobs that share a cached file are spread by the same rule, long or not.
  bool balance_long_tasks = false;
  Speculation speculation;         ///< second attempts at maps that run for long
  std::uint32_t max_attempts = 4;  ///< failures of one task after which its job fails
  /// The time for which a task is not launched again on an agent on which it has failed, if others are known.
  Duration avoid_failed_agent = std::chrono::seconds(10);
  /// The same for a reduce that could fetch from few other agents there.
  Duration avoid_sick_agent = std::chrono::seconds(60);
  /// The time for which a job waits for a catalog that does not answer, and for agents that hold its input.
  Duration store_patience = std::chrono::minutes(5);
  /// The longest time for which slots are gathered for a rigid job; see SEMANTICS.md, "Rigid jobs".
  Duration gather_for = kGatherFor;
  Duration kill_grace = std::chrono::seconds(2);  ///< given to tasks of a failed job
  const Foresight* foresight = nullptr;           ///< needed by some policies; only simulations have it
  bool stop_when_done = true;  ///< tears the framework down once every submitted job has ended
};

class MapReduce final : public Scheduler,
                        public FollowsSession,
                        public ChoosesVictims,
                        public HearsTasks,
                        public UsesCatalog,
                        public ChangesJobs,
                        public Resumes {
 public:
  /// Makes the scheduler. `observer` may be null and must outlive it. `not_found` or `invalid` for the
  /// policy, `invalid` for equal kinds, max_attempts 0 or a timeout of 0, and for a setting of a pool that
  /// would do nothing; errors of check_speculation.
  static Result<std::unique_ptr<MapReduce>> make(MapReduceConfig config, JobObserver* observer);
  ~MapReduce() override;

  /// Puts a job at the end of the queue; it starts in the next callback. Errors of check_job, and `invalid`
  /// for one that comes after a job which was not submitted before.
  Result<JobId> submit(JobSpec spec);
  /// Cancels from the next callback on, which next_deadline() asks for: fails all jobs that have not ended,
  /// which kills their tasks and removes what they have written. Outputs that are about to be published still
  /// are.
  void cancel();

  bool all_ended() const;
  bool all_succeeded() const;
  /// Reports of every job ever submitted, in that order; also of running ones.
  std::vector<JobReport> reports() const;
  const OfferTotals& offer_totals() const;
  /// The reason for which the framework was refused for good, and its jobs have failed; none unless it was.
  const std::optional<Error>& refused() const;
  /// Aborts unless what must always hold does hold.
  void check_invariants() const;

  /// Goes on with the jobs of a former process, which need not be submitted again: what is done is not done
  /// again, what runs goes on. Synthetic jobs do not go on; they have failed.
  void resumed(Driver& driver, std::span<const ResumedTask> tasks,
               const std::map<std::string, std::string>& notes) override;
  void started(Driver& driver) override;
  void subscribed(Driver& driver, const Subscribed& subscribed) override;
  void resource_offers(Driver& driver, const Offers& offers) override;
  void offers_rescinded(Driver& driver, std::span<const OfferId> offers) override;
  void disconnected(Driver& driver) override;
  void status_update(Driver& driver, const TaskStatus& status) override;
  /// Names first tasks of pools and jobs above their fair share, if the framework preempts among its own
  /// pools.
  std::vector<TaskId> choose_victims(Driver& driver, Kind kind, std::int64_t slots,
                                     std::span<const HeldTask> newest_first) override;
  void task_said(Driver& driver, const TaskId& task, const std::string& payload) override;
  void catalog_answered(Driver& driver, const Message& answer) override;
  void replicas_changed(Driver& driver, const ReplicasChanged& changed) override;
  /// Has a job fail with what the operator says, as with cancel(); not once its output is about to be
  /// published.
  Result<std::string> kill_job(Driver& driver, const KillJob& kill) override;
  /// Moves a job, also one that waits to begin. Its running tasks go on, and count where it is now.
  Result<std::string> move_job(Driver& driver, const MoveJob& move) override;
  void failed(Driver& driver, const Error& error) override;
  std::optional<Time> next_deadline() const override;
  void deadline(Driver& driver) override;

 private:
  MapReduce(MapReduceConfig config, JobObserver* observer);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer
