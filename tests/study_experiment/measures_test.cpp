// Measures of runs whose records are written by hand.
#include <gmock/gmock.h>

#include "proffer/study/recorder.hpp"
#include "study/measures/idle_slots.hpp"

namespace proffer::study {
namespace {

using std::chrono::seconds;

const Kind kMap{"map"};
constexpr FrameworkId kFramework{{2, 1}};
constexpr AgentId kAgent{{1, 1}};
constexpr AgentId kOther{{1, 2}};

/// One agent with four map slots, and the framework "f" in the pool "a" whose min share is two.
class Records {
 public:
  explicit Records(Workload workload = {}, Duration warm_up = {}, Duration drain = {}) {
    plan_.warm_up = warm_up;
    plan_.drain = drain;
    AllocatorPool pool;
    pool.share.name = "a";
    pool.share.min_share.set(kMap, 2);
    plan_.allocator.pools = {pool};
    plan_.workload = std::move(workload);
    plan_.frameworks.push_back({"f", "a", "", {}});
    plan_.frameworks.back().speculation.on = true;
    recorder_.emplace(plan_, Time{}, RecorderOptions{true, false});
    says(AgentRegistered{kAgent, "a1", "r1", {{kMap, 4}}});
    says(FrameworkSubscribed{kFramework, "f", "a"});
  }
  Records& at(int second) {
    now_ = Time{} + seconds(second);
    return *this;
  }
  Records& at_ms(int milliseconds) {
    now_ = Time{} + std::chrono::milliseconds(milliseconds);
    return *this;
  }
  void demand(std::int64_t units) { says(DemandChanged{kFramework, kMap, units}); }
  void offer(std::uint64_t n) { says(OfferMade{{1, n}, kFramework, kAgent, {{kMap, 1}}}); }
  void decline(std::uint64_t n, Duration refuse_for) {
    says(OfferDeclined{
        {1, n}, kFramework, kAgent, DeclineReason::no_node_local, Duration::zero(), refuse_for.count()});
  }
  void accept(std::uint64_t n) { says(OfferAccepted{{1, n}, kFramework, 1, Duration::zero()}); }
  void become(const std::string& task, TaskState state) {
    says(TaskChanged{kFramework, TaskId{task}, kAgent, state, TaskReason::none});
  }
  /// The agent is silent, and what ran there out of reach.
  void lose_agent(const std::vector<std::string>& tasks) {
    says(AgentLost{kAgent, "silent"});
    for (const auto& task : tasks) become(task, TaskState::unreachable);
  }
  void add_agent(AgentId agent) { says(AgentRegistered{agent, "a", "r1", {{kMap, 4}}}); }
  void launch(const std::string& task) {
    says(TaskLaunched{kFramework, TaskId{task}, {1, ++launches_}, kAgent, {{kMap, 1}}});
  }
  void submit(std::uint32_t job) { tells(JobSubmitted{JobId{job}, "j" + std::to_string(job), 2, 1}); }
  void begin_map(std::uint32_t job, const std::string& task) {
    tells(TaskPlaced{JobId{job}, TaskId{task}, kAgent, kMap, Locality::node, true, Duration::zero()});
    launch(task);
  }
  /// A map from its launch until it has finished, at once.
  void map(std::uint32_t job, const std::string& task) {
    begin_map(job, task);
    says(TaskChanged{kFramework, TaskId{task}, kAgent, TaskState::finished, TaskReason::exit});
  }
  void back_up(std::uint32_t job, const std::string& backup, const std::string& first) {
    tells(TaskQueued{JobId{job}, TaskId{backup}, kMap, {}, TaskId{first}});
  }
  void end(std::uint32_t job) { tells(JobFinished{JobId{job}, true, ""}); }
  std::map<std::string, double> measures(int second) { return results(second).measures; }
  RunResult results(int second) { return recorder_->finish(seconds(second)); }

 private:
  void says(Trace trace) { recorder_->line(now_, ++lines_, "allocator", trace); }
  void tells(Trace trace) { recorder_->line(now_, ++lines_, "framework f", trace); }

  Plan plan_;
  std::optional<Recorder> recorder_;
  Time now_{};
  std::uint64_t lines_ = 0;
  std::uint64_t launches_ = 0;
};

TEST(IdleSlots, AreToldApartByWhoWantsThem) {
  IdleCount count;
  count.add(3, 2, 6, true);
  count.add(1, 0, 2, false);
  const auto idle = count.of(12);
  EXPECT_EQ(idle.on_offer, 2);
  EXPECT_EQ(idle.declined, 1);
  EXPECT_EQ(idle.withheld, 1);
  EXPECT_EQ(idle.unwanted, 4);
  EXPECT_EQ(idle.wasted(), 4);
}

TEST(IdleSlots, AreNoMoreThanThereAreWhateverIsWanted) {
  IdleCount count;
  count.add(3, 0, 1'000'000, true);
  count.add(0, 0, 1'000'000, false);
  EXPECT_EQ(count.of(5).declined, 2);
  EXPECT_EQ(count.of(5).withheld, 0);
}

TEST(LostWork, IsWhatRanUntilItsAgentWasMissedAndDidNotComeBack) {
  Records records;
  for (const auto* task : {"lost", "back", "silent", "killed"}) records.launch(task);
  records.at(10).lose_agent({"lost", "back", "silent"});
  records.at(20).become("back", TaskState::running);
  records.at(30).become("lost", TaskState::lost);
  records.at(30).become("back", TaskState::finished);
  records.at(30).become("killed", TaskState::killed);
  const auto measures = records.measures(40);
  EXPECT_EQ(measures.at("lost_work"), 10 + 10) << "one lost, one never heard of again";
  EXPECT_EQ(measures.at("killed_work"), 30);
}

TEST(BackupMeasures, WhatEndsAfterTheOtherAttemptHasFinishedRanForNothing) {
  Records records;
  records.at(0).submit(1);
  records.begin_map(1, "m0-0");
  records.at(10).back_up(1, "m0-1", "m0-0");
  records.at(12).begin_map(1, "m0-1");
  records.at(20).become("m0-1", TaskState::finished);
  records.at(22).become("m0-0", TaskState::killed);
  records.begin_map(1, "m1-0");
  records.at(30).back_up(1, "m1-1", "m1-0");
  records.begin_map(1, "m1-1");
  records.at(33).become("m1-0", TaskState::finished);
  records.at(34).become("m1-1", TaskState::finished);
  const auto measures = records.measures(40);
  EXPECT_EQ(measures.at("backups.launched"), 2);
  EXPECT_EQ(measures.at("backups.won"), 1);
  EXPECT_EQ(measures.at("backups.late_work"), 22 + 4) << "killed, or too late to be killed";
}

TEST(BackupMeasures, AnAttemptThatFailsHasNoOtherThatIsLate) {
  Records records;
  records.at(0).submit(1);
  records.begin_map(1, "m0-0");
  records.at(10).back_up(1, "m0-1", "m0-0");
  records.begin_map(1, "m0-1");
  records.at(15).become("m0-0", TaskState::failed);
  records.at(20).become("m0-1", TaskState::finished);
  const auto measures = records.measures(40);
  EXPECT_EQ(measures.at("backups.won"), 0) << "it was alone when it finished";
  EXPECT_EQ(measures.at("backups.late_work"), 0);
}

TEST(BackupMeasures, AnAttemptThatWasGivenUpIsNoMoreThanTwo) {
  Records records;
  records.at(0).submit(1);
  records.begin_map(1, "m0-0");
  records.at(10).back_up(1, "m0-1", "m0-0");
  records.begin_map(1, "m0-1");
  records.at(20).become("m0-0", TaskState::unreachable);
  records.at(25).back_up(1, "m0-2", "m0-1");
  records.begin_map(1, "m0-2");
  records.at(26).become("m0-0", TaskState::lost);
  records.at(30).become("m0-2", TaskState::finished);
  records.at(31).become("m0-1", TaskState::killed);
  const auto measures = records.measures(40);
  EXPECT_EQ(measures.at("backups.won"), 1);
  EXPECT_EQ(measures.at("backups.late_work"), 21);
}

TEST(WastedSlots, WaitForAnAnswerOrAreDeclinedOrAreNotOffered) {
  Records records;
  records.demand(3);
  records.offer(1);
  records.at(2).decline(1, seconds(6));
  records.at(6).offer(2);
  records.accept(2);
  records.launch("t");
  const auto measures = records.measures(10);
  EXPECT_EQ(measures.at("wasted_on_offer.map"), 2);
  EXPECT_EQ(measures.at("wasted_declined.map"), 4 * 3 + 2 * 2) << "what it declined is hidden until 8 s";
  EXPECT_EQ(measures.at("wasted_withheld.map"), 2 * 2 + 2 * 2);
  EXPECT_EQ(measures.at("wasted.map"), 2 + 16 + 8);
  EXPECT_EQ(measures.at("idle_unwanted.map"), 10);
}

TEST(Pools, HaveTheirDeficitAndTheTimeToTheirMinShare) {
  Records records;
  records.at(1).demand(3);
  records.at(4).launch("t1");
  records.at(7).launch("t2");
  const auto measures = records.measures(10);
  EXPECT_EQ(measures.at("time_to_min_share.a"), 6);
  EXPECT_EQ(measures.at("deficit.map.pool.a"), 3 * 3 + 3 * 2 + 3 * 1);
  EXPECT_EQ(measures.at("deficit_imposed.map.pool.a"), 18);
  EXPECT_EQ(measures.at("deficit.map"), 18);
}

TEST(Pools, ThatNeverGetTheirMinShareHaveNoTimeToIt) {
  Records records;
  records.demand(3);
  records.at(4).launch("t1");
  EXPECT_FALSE(records.measures(10).contains("time_to_min_share.a"));
}

/// A framework that wants 4 slots of 4 from 0 s on, and runs 1 from 4 s and 2 from 8 s on.
std::map<std::string, double> lacking_slots(Duration warm_up, Duration drain,
                                            std::vector<TenantRow>* tenants = nullptr) {
  Records records({}, warm_up, drain);
  records.demand(4);
  records.at(4).offer(1);
  records.accept(1);
  records.launch("t1");
  records.at(8).offer(2);
  records.accept(2);
  records.launch("t2");
  records.at(10).demand(4);
  const auto results = records.results(10);
  if (tenants != nullptr) *tenants = results.tenants;
  return results.measures;
}

TEST(WarmUpAndDrain, AreLeftOutOfAllMeasures) {
  const auto all = lacking_slots({}, {});
  EXPECT_EQ(all.at("deficit.map"), 4 * 4 + 4 * 3 + 2 * 2);
  EXPECT_EQ(all.at("offers.made"), 2);
  EXPECT_DOUBLE_EQ(all.at("tasks_per_second"), 0.2);
  const auto middle = lacking_slots(seconds(3), seconds(4));
  EXPECT_EQ(middle.at("deficit.map"), 1 * 4 + 2 * 3) << "from 3 s to 6 s";
  EXPECT_DOUBLE_EQ(middle.at("utilisation.map"), (2 * 0.25) / 3);
  EXPECT_EQ(middle.at("offers.made"), 1);
  EXPECT_EQ(middle.at("tasks_launched"), 1);
  EXPECT_DOUBLE_EQ(middle.at("tasks_per_second"), 1.0 / 3);
  EXPECT_FALSE(middle.contains("time_to_share")) << "it wanted slots before";
}

TEST(WarmUpAndDrain, ThatLeaveNothingMeasureNothing) {
  const auto none = lacking_slots(seconds(7), seconds(5));
  EXPECT_FALSE(none.contains("utilisation.map"));
  EXPECT_EQ(none.at("offers.made"), 0);
}

TEST(Deficit, IsExactBetweenSamples) {
  Records records;
  records.demand(1);
  records.at_ms(250).launch("t");
  records.at_ms(500).become("t", TaskState::finished);
  EXPECT_DOUBLE_EQ(records.measures(1).at("deficit.map"), 0.75);
}

TEST(Tenants, HaveRowsOfTheirOwn) {
  std::vector<TenantRow> rows;
  lacking_slots({}, {}, &rows);
  const auto value = [&](const std::string& level, const std::string& tenant, const std::string& measure) {
    for (const auto& row : rows) {
      if (row.level == level && row.tenant == tenant && row.measure == measure) return row.value;
    }
    return -1.0;
  };
  EXPECT_DOUBLE_EQ(value("framework", "f", "share.map"), (4 * 1 + 2 * 2) / 40.0);
  EXPECT_DOUBLE_EQ(value("pool", "a", "deficit_imposed.map"), 32);
  EXPECT_EQ(value("pool", "a", "offers.accepted"), 2);
}

TEST(Declines, CountWhatIsLeftOverOfAnAcceptedOfferByItsReason) {
  Records records;
  records.offer(1);
  records.accept(1);
  records.decline(1, seconds(0));
  records.offer(2);
  records.decline(2, seconds(0));
  const auto measures = records.measures(1);
  EXPECT_EQ(measures.at("declines.no-node-local"), 2);
  EXPECT_EQ(measures.at("offers.rest_declined"), 1);
  EXPECT_EQ(measures.at("offers.declined"), 1) << "each offer ends once";
  EXPECT_EQ(measures.at("offers.accepted"), 1);
}

TEST(SilentAgent, RunsNothingUntilItIsBack) {
  Records records;
  records.add_agent(kOther);
  records.demand(4);
  for (const auto* task : {"t1", "t2", "t3", "t4"}) records.launch(task);
  records.at(4).lose_agent({"t1", "t2", "t3", "t4"});
  records.at(8).add_agent(kAgent);
  records.become("t1", TaskState::running);
  records.become("t2", TaskState::lost);
  const auto measures = records.measures(10);
  EXPECT_DOUBLE_EQ(measures.at("utilisation.map"), (4 * 4 / 8.0 + 4 * 0 / 4.0 + 2 * 1 / 8.0) / 10);
  EXPECT_EQ(measures.at("deficit.map"), 4 * 0 + 4 * 4 + 2 * 3);
}

TEST(SilentAgent, ThatNeverComesBackLeavesNoMoreRunningThanThereAreSlots) {
  Records records;
  records.add_agent(kOther);
  records.demand(4);
  for (const auto* task : {"t1", "t2", "t3", "t4"}) records.launch(task);
  records.at(2).lose_agent({"t1", "t2", "t3", "t4"});
  const auto results = records.results(10);
  EXPECT_DOUBLE_EQ(results.measures.at("utilisation.map"), 2 * 0.5 / 10);
  EXPECT_EQ(results.shares.back().running, 0);
}

/// Jobs j1 and j2 with two maps each, that read 100 bytes and leave 10, and a reduce.
Workload two_jobs() {
  Workload workload;
  workload.files = {{"/in", {{100, {}}, {100, {}}}}};
  for (const auto* name : {"j1", "j2"}) {
    WorkloadJob job;
    job.name = name;
    job.framework = "f";
    job.file = 0;
    job.maps = {{seconds(1), 10}, {seconds(1), 10}};
    job.reduces = {{seconds(1), 0}};
    workload.jobs.push_back(std::move(job));
  }
  return workload;
}

/// j2 reads what j1 writes.
Workload graph_of_two() {
  auto workload = two_jobs();
  workload.jobs[0].stage = WorkloadStage{"g", {}, 100};
  workload.jobs[1].stage = WorkloadStage{"g", {"j1"}, 0};
  return workload;
}

TEST(Graphs, RespondFromTheirFirstStageToTheEndOfTheirLast) {
  Records records(graph_of_two());
  records.submit(1);
  records.at(1).map(1, "m1");
  records.at(3).end(1);
  records.submit(2);
  records.at(4).map(2, "m2");
  records.at(8).end(2);
  const auto measures = records.measures(8);
  EXPECT_EQ(measures.at("graph_response_mean"), 8);
  EXPECT_EQ(measures.at("response_max"), 5) << "a stage's own begins when the one before it has ended";
}

TEST(Graphs, OfWhichAStageHasNotEndedDoNotCount) {
  Records records(graph_of_two());
  records.submit(1);
  records.at(1).map(1, "m1");
  records.at(3).end(1);
  EXPECT_FALSE(records.measures(8).contains("graph_response_mean"));
}

TEST(Bytes, ThatMapsReadMakeTheThroughput) {
  Records records(two_jobs());
  records.submit(1);
  records.at(1).map(1, "m1");
  records.at(2).map(1, "m2");
  const auto measures = records.measures(4);
  EXPECT_EQ(measures.at("input_bytes"), 200);
  EXPECT_EQ(measures.at("bytes_per_second"), 50);
}

TEST(IntermediateBytes, AreKeptUntilTheirJobEnds) {
  Records records(two_jobs());
  records.submit(1);
  records.submit(2);
  records.at(1).map(1, "m1");
  records.at(2).map(1, "m2");
  records.at(3).map(2, "m3");
  records.at(4).end(1);
  records.at(5).map(2, "m4");
  EXPECT_EQ(records.measures(6).at("intermediate_bytes_max"), 30);
}

TEST(IntermediateBytes, OfMapsThatRanTwiceAreKeptOnce) {
  Records records(two_jobs());
  records.submit(1);
  for (const auto* task : {"m1", "m2", "m1-again"}) records.map(1, task);
  EXPECT_EQ(records.measures(6).at("intermediate_bytes_max"), 20);
}

TEST(SilentAgent, RunsNothingOfItsJobsEither) {
  Records records(two_jobs());
  records.add_agent(kOther);
  records.submit(1);
  records.submit(2);
  records.begin_map(1, "m1");
  records.begin_map(1, "m2");
  records.begin_map(2, "m3");
  records.begin_map(2, "m4");
  records.at(5).lose_agent({"m3", "m4"});
  records.at(10).demand(4);
  EXPECT_DOUBLE_EQ(records.measures(10).at("jain_jobs"), (5 * 1 + 5 * 0.5) / 10);
}

TEST(SilentAgent, EndsItsTasksWhenItIsMissedNotWhenTheyAreKnownToBeLost) {
  Records records(two_jobs());
  records.submit(1);
  records.at(1).begin_map(1, "m1");
  records.begin_map(1, "m2");
  records.at(3).lose_agent({"m1", "m2"});
  records.at(7).become("m1", TaskState::lost);
  records.become("m2", TaskState::running);
  records.at(9).become("m2", TaskState::finished);
  const auto tasks = records.results(10).tasks;
  EXPECT_EQ(tasks.at(0).ended, 3);
  EXPECT_EQ(tasks.at(0).state, "LOST");
  EXPECT_EQ(tasks.at(1).ended, 9);
  EXPECT_EQ(tasks.at(1).state, "FINISHED");
}

TEST(SilentAgent, ThatIsStillAwayAtTheEndLeavesItsTasksUnreachable) {
  Records records(two_jobs());
  records.submit(1);
  records.begin_map(1, "m1");
  records.at(3).lose_agent({"m1"});
  const auto tasks = records.results(10).tasks;
  EXPECT_EQ(tasks.at(0).ended, 3);
  EXPECT_EQ(tasks.at(0).state, "UNREACHABLE");
}

}  // namespace
}  // namespace proffer::study
