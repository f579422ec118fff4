// Explanations from hand-written event logs.
#include <gmock/gmock.h>

#include "tests/study_why/log.hpp"

namespace proffer::study {
namespace {

using ::testing::HasSubstr;

TEST(WhyFramework, ThatDeclinedTheOnlyFreeSlotWaitsByItsOwnChoice) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 1);
  log.subscribe(1, "", 3);
  log.offer(1, 1, 1);
  log.decline(1, 1, 1, 5s);
  log.at(2s);
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "own-choice");
  EXPECT_THAT(why.answer,
              HasSubstr("a map slot is free, but it declined that agent of late (no-node-local 1)"));
  EXPECT_EQ(number(why, "agents.hidden"), 1);
}

TEST(WhyFramework, RefusesNoLongerThanItSaid) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 1);
  log.subscribe(1, "", 3);
  log.offer(1, 1, 1);
  log.decline(1, 1, 1, 5s);
  log.at(6s);
  EXPECT_EQ(log.explain().cause, "on-offer");
}

TEST(WhyFramework, AboveItsShareIsToldWhatItIsEntitledTo) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 2);
  log.subscribe(1, "", 4);
  log.launch(1, "t1", 1);
  log.launch(1, "t2", 1);
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "at-share");
  EXPECT_EQ(number(why, "share.running"), 2);
  EXPECT_EQ(number(why, "share.fair"), 2);
}

TEST(WhyFramework, BehindOthersKnowsItsPlaceAndWhenASlotMayComeFree) {
  Log log({WhyKind::framework, "f2"});
  log.agent(1, 2);
  log.subscribe(1, "", 4);
  log.launch(1, "t0", 1);
  log.at(10s);
  log.finish(1, "t0", 1);  // so they last 10 s
  log.launch(1, "t1", 1);
  log.launch(1, "t2", 1);
  log.subscribe(2, "", 1);
  log.at(14s);
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "behind-others");
  EXPECT_THAT(why.answer, HasSubstr("it is 1st of 2 in line for the next; the next should come free in "
                                    "about 6.0 s"));
}

TEST(WhyFramework, OfASecondLifeHoldsTheSlotsOfItsTasksOnlyWhileTheyRun) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 2);
  log.subscribe(1, "", 4);
  for (int life = 0; life < 2; ++life) {  // task ids begin anew
    log.launch(1, "t1", 1);
    EXPECT_EQ(number(log.explain(), "share.running"), 1);
    log.finish(1, "t1", 1);
  }
  EXPECT_EQ(number(log.explain(), "share.running"), 0);
}

TEST(WhyFramework, ThatStartedAgainStillHoldsTheSlotsOfItsRunningTasks) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 2);
  log.subscribe(1, "", 4);
  log.framework(1, FrameworkRules{"greedy", 1});
  log.framework(1, FrameworkRules{"greedy", 1});
  log.launch(1, "t1", 1);
  log.starts_again("framework f1");
  log.framework(1, FrameworkRules{"greedy", 1});
  EXPECT_EQ(number(log.explain(), "share.running"), 1);
  log.finish(1, "t1", 1);
  EXPECT_EQ(number(log.explain(), "share.running"), 0);
}

TEST(WhyFramework, HoldsNoSlotsOfAnAgentThatIsSilentUntilItIsBack) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 2);
  log.agent(2, 2);
  log.subscribe(1, "", 4);
  log.launch(1, "t1", 1);
  log.launch(1, "t2", 2);
  log.allocator(AgentLost{agent_id(1), "silent"});
  log.become(1, "t1", 1, TaskState::unreachable);
  EXPECT_EQ(number(log.explain(), "share.running"), 1);
  log.agent(1, 2);
  log.become(1, "t1", 1, TaskState::running);
  EXPECT_EQ(number(log.explain(), "share.running"), 2);
  log.finish(1, "t1", 1);
  EXPECT_EQ(number(log.explain(), "share.running"), 1);
}

TEST(WhyTask, OnAnAgentThatIsSilentIsNotSaidToRun) {
  Log log({WhyKind::task, "f1/j1-0"});
  log.agent(1, 2);
  log.subscribe(1, "", 4);
  log.job(1, 1, {{agent_id(1)}});
  log.framework(1, TaskPlaced{JobId{1}, TaskId{"j1-0"}, agent_id(1), kMap, Locality::node, true, {}});
  log.launch(1, "j1-0", 1);
  log.at(20s);
  log.allocator(AgentLost{agent_id(1), "silent"});
  log.become(1, "j1-0", 1, TaskState::unreachable);
  EXPECT_THAT(log.explain().answer, HasSubstr("It was launched on a1 20 s ago. That agent is silent"));
}

TEST(WhyFramework, UnderANewAllocatorHoldsItsSlotsOnceTheirAgentIsBack) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 2);
  log.agent(2, 2);
  log.subscribe(1, "", 4);
  log.launch(1, "t1", 1);
  log.launch(1, "t2", 2);
  log.starts_again("allocator");
  log.agent(1, 2);
  log.become(1, "t1", 1, TaskState::running);
  log.subscribe(1, "", 4);
  EXPECT_EQ(number(log.explain(), "share.running"), 1);
  log.finish(1, "t2", 2);  // its agent is not back: it is not counted
  log.agent(2, 2);
  EXPECT_EQ(number(log.explain(), "share.running"), 1);
  log.finish(1, "t1", 1);
  EXPECT_EQ(number(log.explain(), "share.running"), 0);
}

TEST(WhyFramework, WithoutDemandSaysSo) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 1);
  log.subscribe(1, "", 0);
  EXPECT_EQ(log.explain().cause, "no-demand");
}

TEST(WhyFramework, BeyondALimitOfItsPoolWaitsForAPlace) {
  Log log({WhyKind::framework, "f2"});
  log.allocator(PoolChanged{"red", false, 1000, {}, "fair", 1, 0, {}, {}});
  log.agent(1, 2);
  log.subscribe(1, "red", 1);
  log.subscribe(2, "red", 1);
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "limit");
  EXPECT_THAT(why.answer, HasSubstr("pool red may have 1 running frameworks (max_running)"));
}

TEST(WhyFramework, BehindALimitGetsItsPlaceByPriority) {
  Log log({WhyKind::framework, "f1"});
  log.allocator(PoolChanged{"red", false, 1000, {}, "fair", 1, 0, {}, {}});
  log.agent(1, 2);
  log.subscribe(1, "red", 1);
  log.allocator(FrameworkAdded{framework_id(2), "ann", "high"});
  log.subscribe(2, "red", 1);
  EXPECT_EQ(log.explain().cause, "limit");
}

TEST(WhyFramework, BehindALimitOfItsUserWaitsForAPlace) {
  Log log({WhyKind::framework, "f3"});
  log.allocator(PoolChanged{"red", false, 1000, {}, "fair", 0, 1, {}, {}});
  log.agent(1, 3);
  for (const std::uint64_t n : {1u, 2u, 3u}) {
    log.allocator(FrameworkAdded{framework_id(n), n == 2 ? "bob" : "ann", "normal"});
    log.subscribe(n, "red", 1);
  }
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "limit");
  EXPECT_THAT(why.answer, HasSubstr("(max_running_per_user)"));
}

TEST(WhyFramework, BehindALimitOfItsUserAloneWaitsForAPlace) {
  Log log({WhyKind::framework, "f2"});
  log.allocator(UserLimited{"ann", false, 1});
  log.agent(1, 3);
  for (const std::uint64_t n : {1u, 2u}) {
    log.allocator(FrameworkAdded{framework_id(n), "ann", "normal"});
    log.subscribe(n, "red", 1);
  }
  EXPECT_THAT(log.explain().answer, HasSubstr("user ann may have 1 running frameworks (max_running)"));
  log.allocator(UserLimited{"ann", true, 0});
  EXPECT_NE(log.explain().cause, "limit");
}

TEST(WhyFramework, OfAPoolThatMayHaveOtherAgentsFindsNoSlots) {
  Log log({WhyKind::framework, "f1"});
  log.allocator(PoolChanged{"red", false, 1000, {}, "fair", 0, 0, {"r9"}, {}});
  log.agent(1, 2);
  log.subscribe(1, "red", 1);
  EXPECT_EQ(log.explain().cause, "no-slots");
}

TEST(WhyJob, TellsWhereItsDataIsAndWhenASlotThereMayComeFree) {
  Log log({WhyKind::job, "f1/job-1"});
  log.agent(1, 1);
  log.agent(2, 1);
  log.subscribe(1, "", 3);
  log.job(1, 1, {{agent_id(1)}, {agent_id(1)}});
  log.launch(1, "old", 1);
  log.at(10s);
  log.finish(1, "old", 1);
  log.launch(1, "next", 1);
  log.at(12s);
  log.offer(1, 1, 2);
  log.decline(1, 1, 2, 5s);
  const auto why = log.explain();
  EXPECT_EQ(why.subject, "job job-1 of f1");
  EXPECT_EQ(why.cause, "own-choice");
  EXPECT_EQ(part(why, "data"), "near 1 agent, 0 with a free map slot: a1 (1 busy, next free in about 8.0 s)");
  EXPECT_EQ(number(why, "tasks.waiting"), 2);
}

TEST(WhyJob, ThatHasNotBegunIsHeldByTheLimitOfItsFramework) {
  Log log({WhyKind::job, "job-2"});
  log.subscribe(1, "", 1);
  log.framework(1, FrameworkRules{"greedy", 1});
  log.job(1, 1, {{}});
  log.framework(1, JobQueued{JobId{2}, "job-2", "", "", "normal"});
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "limit");
  EXPECT_THAT(why.answer, HasSubstr("f1 runs 1 job at a time (max_running_jobs)"));
}

TEST(WhyJob, ThatHasNotBegunIsBehindThoseOfHigherPriority) {
  Log log({WhyKind::job, "job-2"});
  log.subscribe(1, "", 1);
  log.framework(1, FrameworkRules{"greedy", 1});
  log.job(1, 1, {{}});
  log.framework(1, JobQueued{JobId{2}, "job-2", "", "", "low"});
  log.framework(1, JobQueued{JobId{3}, "job-3", "", "", "normal"});
  log.framework(1, JobQueued{JobId{4}, "job-4", "", "", "high"});
  EXPECT_EQ(number(log.explain(), "limit.before"), 2);
}

TEST(WhyJob, WhoseTasksAllRunDoesNotWait) {
  Log log({WhyKind::job, "job-1"});
  log.agent(1, 1);
  log.subscribe(1, "", 1);
  log.job(1, 1, {{}});
  log.framework(1, TaskPlaced{JobId{1}, TaskId{"j1-0"}, agent_id(1), kMap, Locality::any, false, 0s});
  log.launch(1, "j1-0", 1);
  EXPECT_EQ(log.explain().cause, "runs");
}

TEST(WhyJob, ThatEndedTellsHow) {
  Log log({WhyKind::job, "job-1"});
  log.job(1, 1, {{}});
  log.framework(1, JobFinished{JobId{1}, false, "a map failed"});
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "failed");
  EXPECT_THAT(why.answer, HasSubstr("a map failed"));
}

TEST(WhyTask, TellsOfEachAgentThatItPrefers) {
  Log log({WhyKind::task, "f1/j1-0"});
  log.agent(1, 1);
  log.subscribe(1, "", 1);
  log.job(1, 1, {{agent_id(1)}});
  log.offer(1, 1, 1);
  log.decline(1, 1, 1, 5s);
  EXPECT_EQ(part(log.explain(), "data"),
            "a1: 1 free, 0 on offer, 0 busy; f1 declined it 0.0 s ago (no-node-local)");
}

TEST(WhyPool, SplitsWhatItMissesIntoItsOwnChoiceAndWhatIsImposed) {
  Log log({WhyKind::pool, "red"});
  log.agent(1, 2);
  log.subscribe(1, "blue", 2);
  log.launch(1, "t1", 1);
  log.launch(1, "t2", 1);
  log.subscribe(2, "red", 1);
  log.at(10s);
  log.finish(1, "t1", 1);
  log.offer(1, 2, 1);
  log.decline(1, 2, 1, 60s);
  log.at(15s);
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "own-choice");
  EXPECT_THAT(part(why, "short"), HasSubstr("5 slot-seconds missed by its own choice, 10 imposed"));
}

TEST(Why, NamesTheNearestOfWhatThereIsNot) {
  Log log({WhyKind::job, "jbo-1"});
  log.job(1, 1, {{}});
  log.job(1, 22, {{}});
  EXPECT_THAT(log.explain().answer,
              HasSubstr("there is no job jbo-1; the nearest of 2: f1/job-1, f1/job-22"));
}

TEST(Why, AnAllocatorThatStartsAgainIsSeenAnew) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 3);
  log.agent(2, 3);
  log.subscribe(1, "", 1);
  log.starts_again("allocator");
  log.agent(1, 1);
  log.subscribe(1, "", 2);
  EXPECT_EQ(number(log.explain(), "slots.all"), 1);
}

}  // namespace
}  // namespace proffer::study
