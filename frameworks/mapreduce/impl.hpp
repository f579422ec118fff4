// What the conversations of the MapReduce framework share. Each of them has a file of its own:
//
//   mapreduce.cpp   dispatches the scheduler's callbacks
//   queue.cpp       jobs coming and going
//   planning.cpp    questions to the catalog before a job's first task
//   offers.cpp      offers
//   feeding.cpp     reduces that are started before all maps are done
//   statuses.cpp    tasks that ended, and what follows for their job
//   cached.cpp      files that agents keep, and who prefers to be where they are
//   hot_blocks.cpp  blocks in demand: what the catalog is told of them, and tells
//   publishing.cpp  questions to the catalog after a job's last task
//   operating.cpp   what operators want of jobs
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "frameworks/mapreduce/block_uses.hpp"
#include "frameworks/mapreduce/cache_holders.hpp"
#include "frameworks/mapreduce/job.hpp"
#include "frameworks/mapreduce/long_tasks.hpp"
#include "frameworks/mapreduce/recent_agents.hpp"
#include "frameworks/mapreduce/work_maker.hpp"
#include "frameworks/pool/avoided.hpp"
#include "frameworks/pool/held_offers.hpp"
#include "frameworks/pool/offer_answer.hpp"
#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/frameworks/task_pool.hpp"

namespace proffer {

struct MapReduce::Impl {
  using Job = mapreduce::Job;
  using Step = mapreduce::Step;
  using Attempt = mapreduce::Attempt;
  struct Question {
    JobId job;
    Step step = Step::check_output;
  };
  struct Owner {
    JobId job;
    bool map = false;
  };

  Impl(MapReduceConfig settings, JobObserver* told_of)
      : config(std::move(settings)),
        observer(told_of),
        pool({config.mode, config.pools, config.preemption, config.user_limit, config.share_by,
              config.users}) {}

  MapReduceConfig config;
  JobObserver* observer;
  std::map<JobId, Job> jobs;
  std::map<JobId, JobProgress> told;  // to the observer, of jobs that have not ended
  std::map<std::uint64_t, Question> questions;
  std::map<TaskId, Owner> owners;     // of launched attempts that have not ended
  std::set<JobId> active;             // jobs that have not ended
  std::set<JobId> timed;              // jobs that may wait for a time
  std::set<JobId> in_pool;            // jobs that the pool still knows
  std::set<JobId> leaving;            // those of them that have ended
  std::size_t largest_map_bytes = 1;  // over jobs that run
  std::size_t largest_reduce_bytes = 1;
  mapreduce::Agents agents;
  Avoided avoided;
  std::set<AgentId> gone;  // their tasks are out of reach or lost, and they have offered nothing since
  mapreduce::LongTasks long_tasks;
  mapreduce::RecentAgents recent;  // only with balance_long_tasks
  bool crowded = false;            // a slot was refused where too many long tasks run
  bool balanced = false;           // since then some were launched or have ended
  mapreduce::BlockUses uses;
  mapreduce::CacheHolders holders;
  TaskPool pool;
  std::unique_ptr<Policy> policy;
  std::optional<OfferAnswer> answer;
  HeldOffers held;
  OfferTotals totals;
  std::optional<FrameworkId> framework;
  std::string catalog_endpoint;
  std::optional<Error> refused;
  bool news = false;  // a queued job may begin
  bool cancelled = false;
  std::map<JobId, std::string> killed;  // why; they fail as soon as no question of theirs is open
  bool stopped = false;

  Kind kind(bool map) const { return map ? config.map_kind : config.reduce_kind; }
  void use(std::unique_ptr<Policy> chosen);

  // queue.cpp
  /// For event logs: by what rules it chooses.
  void tell_rules(Driver& driver) const;
  /// After every callback: begins what may begin, tells the observer, stops when all is done.
  void settle(Driver& driver);
  void come(Driver& driver, Job& job);
  void begin_queued(Driver& driver);
  /// Fails those that were cancelled or killed.
  void end_unwanted(Driver& driver);
  void end(Driver& driver, Job& job, JobPhase phase);
  /// Takes a failed job's tasks back, kills those that run, and cleans up once they have ended.
  void fail(Driver& driver, Job& job, std::string why);
  void forget_ended();
  void measure_tasks();
  void tell(const Job& job);
  bool all_ended() const;
  std::optional<Time> next_deadline() const;
  void deadline(Driver& driver);

  // planning.cpp
  void ask(Driver& driver, Job& job, Step step);
  void answered(Driver& driver, const Message& message);
  /// A request that got no answer, or none that is of use yet: again in a while, or false when that has gone
  /// on for too long. People are told once.
  bool ask_later(Driver& driver, Job& job, Step step, const std::string& why);
  /// Nobody holds some of what was listed: that is asked for again, or the job fails with `why` in the end.
  void wait_for_holders(Driver& driver, Job& job, Step step, const std::string& why);
  void output_checked(Driver& driver, Job& job, const Message& reply);
  void input_listed(Driver& driver, Job& job, const Message& reply);
  void all_listed(Driver& driver, Job& job);
  void output_claimed(Driver& driver, Job& job, const Message& reply);
  void claim_settled(Driver& driver, Job& job, const Message& reply);
  void begin(Driver& driver, Job& job);
  void plan(Driver& driver, Job& job);

  // offers.cpp
  void take_offers(Driver& driver, const Offers& offers);
  Offer trimmed(const Offer& offer) const;
  TaskSpec describe(Driver& driver, const Placement& placed, const Offer& offer);
  void answer_avoided(Driver& driver, const Offers& offers, const Offer& offer);
  /// A map as the pool should know it.
  PendingTask pending_map(const Job& job, std::uint32_t index) const;
  /// Its task waits for a slot from now on. Event logs are told, and where its data is.
  std::vector<AgentId> first_holders(const Job& job) const;
  void put_up(Driver& driver, Job& job, bool map, std::uint32_t index);
  /// As put_up, and asks for offers.
  void open(Driver& driver, Job& job, bool map, std::uint32_t index);
  void close_all(Job& job, bool map);
  /// No further task of the job on that agent, where `placed` are about to: see balance_long_tasks.
  bool too_many_long(JobId job, AgentId agent, std::size_t placed);

  // cached.cpp
  void cached_listed(Driver& driver, Job& job, const Message& reply);
  /// A job begins: its tasks without places of their own go where its files are.
  void join_holders(const Job& job);
  /// A task of the job runs, or has ended, on that agent.
  void note_holder(Driver& driver, const Job& job, AgentId agent, TaskState state);
  void prefer_holders(Driver& driver, BlockId file);

  // hot_blocks.cpp
  void note_wish(Driver& driver, const UseWanted& wanted);
  void note_use(const Job& job, std::uint32_t index, const Placement& placed, AgentId agent);
  void report_use(Driver& driver);
  void replicas_changed(Driver& driver, const ReplicasChanged& changed);
  bool move_block(Job& job, const BlockPlaces& places);
  bool prefer_anew(const Job& job, std::uint32_t index);

  // feeding.cpp
  /// Enough maps are done for reduces to be launched.
  bool may_reduce(const Job& job) const;
  /// No further reduce of the job may copy on that agent, where `placed` are about to.
  bool copies_enough(JobId job, Kind kind, AgentId agent, std::size_t placed) const;
  /// Tells a reduce of the outputs that there are, but the first `from`.
  void feed(Driver& driver, Job& job, const TaskId& attempt, std::uint32_t from);
  void reduce_runs(Driver& driver, Job& job, const TaskId& attempt);
  void reduce_wants(Driver& driver, Job& job, const TaskId& attempt, std::uint32_t from);
  void map_ended(Driver& driver, Job& job, std::uint32_t index);
  void all_maps_ended(Driver& driver, Job& job);
  void measure_reduces(Driver& driver, Job& job);
  void map_lost(Driver& driver, Job& job, std::uint32_t index);
  void give_up(Driver& driver, Job& job, bool map, const TaskId& attempt);

  // statuses.cpp
  void update(Driver& driver, const TaskStatus& status);
  void unreachable(Driver& driver, const TaskStatus& status, Owner owner);
  void ended_well(Driver& driver, Job& job, bool map, const Attempt& attempt, const TaskStatus& status);
  void ended_badly(Driver& driver, Job& job, bool map, const Attempt& attempt, const TaskStatus& status);
  /// Whether the reduce ended for want of maps' outputs; then these are made again, or it is elsewhere.
  bool lost_outputs(Driver& driver, Job& job, const Attempt& attempt, const TaskStatus& status);
  /// Makes what the attempt was to make again, for a while not on its agent.
  void try_elsewhere(Driver& driver, Job& job, bool map, const Attempt& attempt);
  mapreduce::Complaint complaint_of(const Job& job, const Attempt& attempt, const ReduceResult& result) const;
  /// Not at once on that agent, where others are known.
  void open_elsewhere(Driver& driver, Job& job, bool map, const Attempt& failed, Duration avoid_for);
  /// Whether it said that the store is to blame, as often as that is taken.
  bool is_excused(Job& job, bool map, const Attempt& attempt);
  /// Counts one more end of this task for which somebody else was blamed.
  bool too_often_excused(Job& job, bool map, const Attempt& attempt);
  void lose_map(Driver& driver, Job& job, std::uint32_t index);
  void lose_all_outputs(Driver& driver);
  void advance(Driver& driver, Job& job);
  void said(Driver& driver, const TaskId& task, const std::string& payload);

  // publishing.cpp
  void commit(Driver& driver, Job& job);
  void renamed(Driver& driver, Job& job, const Message& reply);
  void verified(Driver& driver, Job& job, const Message& reply);
  void clean_up(Driver& driver, Job& job);
  void cleaned_up(Driver& driver, Job& job, const Message& reply);

  // operating.cpp
  /// Of that name or number: the newest that has not ended, or else the newest.
  Result<Job*> find_job(const std::string& word);
  Result<std::string> kill_job(const KillJob& kill);
  Result<std::string> move_job(Driver& driver, const MoveJob& move);
  std::optional<Error> refuse_pool(const std::string& pool) const;
};

namespace mapreduce {

/// The error of an answer; none when the request succeeded.
const Error* error_of(const Message& reply);
/// It may or may not have been carried out, or may be later: worth asking again.
bool is_unsure(const Error& error);

}  // namespace mapreduce
}  // namespace proffer
