// What a framework waits for where all slots are taken, or not for it.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "proffer/study/recorder.hpp"
#include "tests/study_why/log.hpp"

namespace proffer::study {
namespace {

using ::testing::HasSubstr;

/// One map of job 1 of f1 runs, and one of its reduces.
void run_map_and_reduce(Log& log) {
  log.framework(1, JobQueued{JobId{1}, "job-1", "", "", "normal"});
  log.framework(1, JobSubmitted{JobId{1}, "job-1", 1, 2});
  log.framework(1, TaskPlaced{JobId{1}, TaskId{"m"}, agent_id(1), kMap, Locality::any, false, 0s});
  log.launch(1, "m", 1);
  log.framework(1, TaskPlaced{JobId{1}, TaskId{"r"}, agent_id(1), kReduce, Locality::any, false, 0s});
  log.launch(1, "r", 1, kReduce);
}

TEST(WhyWaits, ReducesThatRunAreNotToldToWaitForTheMaps) {
  Log log({WhyKind::job, "job-1"});
  log.agent(1, 1, 1);
  log.subscribe(1, "", 1);
  run_map_and_reduce(log);
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "maps-first");
  EXPECT_EQ(why.answer,
            "Its 1 map that is left runs; 1 of its reduces runs already, but cannot end before that map is "
            "done; 1 more waits for it.");
  EXPECT_THAT(part(why, "tasks"), HasSubstr("map: 0 wait, 1 run, 0 done; reduce: 0 wait, 1 run, 0 done"));
}

TEST(WhyWaits, AJobThatComesAfterOthersIsToldWhichHaveNotEnded) {
  Log log({WhyKind::job, "join"});
  log.agent(1, 1, 1);
  log.subscribe(1, "", 1);
  run_map_and_reduce(log);
  log.framework(1, JobQueued{JobId{2}, "other", "", "", "normal"});
  log.framework(1, JobQueued{JobId{3}, "join", "", "", "normal", {JobId{1}, JobId{2}}});
  auto why = log.explain();
  EXPECT_EQ(why.cause, "jobs-first");
  EXPECT_EQ(why.answer, "It comes after job-1 (0 of 3 tasks done), other (not begun), which have not ended.");
  log.framework(1, JobFinished{JobId{1}, true, ""});
  EXPECT_EQ(log.explain().answer, "It comes after other (not begun), which has not ended.");
}

TEST(WhyWaits, AJobIsToldWhoseReducesHoldTheSlotsThatItWants) {
  Log log({WhyKind::job, "job-2"});
  log.agent(1, 2, 1);
  log.subscribe(1, "", 2);
  log.allocator(DemandChanged{framework_id(1), kReduce, 2});
  run_map_and_reduce(log);
  log.framework(1, JobQueued{JobId{2}, "job-2", "", "", "normal"});
  log.framework(1, JobSubmitted{JobId{2}, "job-2", 0, 1});
  log.framework(1, TaskQueued{JobId{2}, TaskId{"r2"}, kReduce, {}});
  log.offer(1, 1, 1);
  log.decline(1, 1, 1, 0s);  // of a map slot: that is another matter
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "at-share");
  EXPECT_THAT(why.answer,
              HasSubstr("1 reduce slot is held by reduces of jobs whose maps are not done yet (job-1 1)"));
}

TEST(WhyWaits, ARigidJobIsToldHowManySlotsCameTogetherUntilItStarts) {
  Log log({WhyKind::job, "job-1"});
  log.agent(1, 2, 1);
  log.subscribe(1, "", 2);
  log.framework(1, JobQueued{JobId{1}, "job-1", "", "", "normal"});
  log.framework(1, JobSubmitted{JobId{1}, "job-1", 2, 0});
  log.framework(1, TaskQueued{JobId{1}, TaskId{"m0"}, kMap, {}});
  log.framework(1, TaskQueued{JobId{1}, TaskId{"m1"}, kMap, {}});
  log.framework(1, GatheredTooFew{JobId{1}, kMap, 2, 1, 7s});
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "rigid");
  EXPECT_THAT(why.answer, HasSubstr("needs 2 map slots at once: 1 came together, and were let go"));
  EXPECT_THAT(why.answer, HasSubstr("It pauses for 7.0 s after that"));
  log.framework(1, TaskPlaced{JobId{1}, TaskId{"m0"}, agent_id(1), kMap, Locality::any, false, 0s});
  EXPECT_NE(log.explain().cause, "rigid");
}

TEST(WhyWaits, FactsAreNamedOnceWhateverKindsOfSlotsAFrameworkHas) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 2, 1);
  log.subscribe(1, "", 2);
  log.allocator(DemandChanged{framework_id(1), kReduce, 2});
  run_map_and_reduce(log);
  const auto why = log.explain();
  std::set<std::string> names;
  for (const auto& [name, value] : why.facts) EXPECT_TRUE(names.insert(name).second) << name;
  EXPECT_EQ(
      std::count_if(why.parts.begin(), why.parts.end(), [](const auto& p) { return p.topic == "share"; }), 2);
}

TEST(WhyWaits, AJobIsToldWhatItLostToPoolsOfItsOwnFramework) {
  Log log({WhyKind::job, "job-1"});
  log.agent(1, 1, 1);
  log.subscribe(1, "", 2);
  run_map_and_reduce(log);
  log.framework(1, TaskPreempted{JobId{1}, TaskId{"m"}, kMap, "prod", true});
  log.framework(1, TaskPreempted{JobId{1}, TaskId{"r"}, kReduce, "prod", false});
  EXPECT_EQ(part(log.explain(), "preempted"),
            "its framework ended 1 task for starved pools of its own (1 for prod)");
}

TEST(WhyWaits, WhatIsOnlyLoggedWasNotDemandedBack) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 1, 1);
  log.subscribe(1, "", 1);
  log.allocator(SlotsPreempted{framework_id(1), "owed", kMap, 3, false});
  EXPECT_EQ(part(log.explain(), "preempted"), "");
  log.allocator(SlotsPreempted{framework_id(1), "owed", kMap, 2, true});
  EXPECT_THAT(part(log.explain(), "preempted"), HasSubstr("give back 2 slots"));
}

TEST(WhyWaits, WhoHasItsShareDoesNotWaitByItsOwnChoiceForOneDecline) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 2);
  log.subscribe(1, "", 4);
  log.offer(1, 1, 1);
  log.decline(1, 1, 1, 1s);
  log.launch(1, "t1", 1);
  log.launch(1, "t2", 1);
  EXPECT_EQ(log.explain().cause, "at-share");
}

TEST(WhyWaits, WhoLacksSlotsAndLastDeclinedOneWaitsByItsOwnChoice) {
  Log log({WhyKind::framework, "f2"});
  log.agent(1, 2);
  log.subscribe(1, "", 4);
  log.subscribe(2, "", 2);
  log.offer(1, 2, 1);
  log.decline(1, 2, 1, 1s);
  log.launch(1, "t1", 1);
  log.launch(1, "t2", 1);
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "own-choice");
  EXPECT_THAT(why.answer, HasSubstr("it declined 1 of 1 offer (no-node-local 1)"));
}

/// Pool red wants two agents for itself; there is one more.
void tell_private_agents(Log& log) {
  PoolChanged red;
  red.pool = "red";
  red.order = "fair";
  red.private_agents = 2;
  log.allocator(red);
  for (const std::uint64_t n : {1u, 2u, 3u}) log.agent(n, 1);
  log.subscribe(1, "red", 2);
}

TEST(WhyWaits, AFrameworkWithAgentsOfItsOwnWaitsUntilItHasThem) {
  Log log({WhyKind::framework, "f1"});
  tell_private_agents(log);
  log.allocator(AgentLeased{agent_id(3), "blue", false});
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "no-slots");
  EXPECT_THAT(why.answer, HasSubstr("pool red gets 2 together, once so many are nobody's and empty; 2 are"));
  EXPECT_EQ(number(why, "slots.free"), 0);
}

TEST(WhyWaits, AFrameworkWithAgentsOfItsOwnIsToldOfTheirSlotsOnly) {
  Log log({WhyKind::framework, "f1"});
  tell_private_agents(log);
  for (const std::uint64_t n : {1u, 2u}) log.allocator(AgentLeased{agent_id(n), "red", false});
  EXPECT_EQ(number(log.explain(), "slots.free"), 2);
  log.allocator(AgentLeased{agent_id(2), "red", true});
  EXPECT_EQ(number(log.explain(), "slots.free"), 1);
}

TEST(WhyWaits, WhatIsFreeMayHaveToWaitForAReport) {
  Log log({WhyKind::framework, "f1"});
  log.allocator(AllocatorRules{30s, 3s});
  log.agent(1, 2);
  log.subscribe(1, "", 2);
  EXPECT_THAT(log.explain().answer, HasSubstr("its reports only, every 3.0 s"));
}

TEST(WhyWaits, WhoLetAnOfferExpireIsToldSoThoughAllSlotsAreTaken) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 1);
  log.subscribe(1, "", 1);
  log.offer(1, 1, 1);
  log.at(30s);
  log.allocator(OfferExpired{{1, 1}, framework_id(1)});
  log.subscribe(2, "", 1);
  log.launch(2, "t1", 1);
  log.at(40s);
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "silent");
  EXPECT_THAT(why.answer,
              HasSubstr("expire 10 s ago and has answered none since, so it is shown none for another 20 s"));
}

TEST(WhyWaits, OffersThatOthersDoNotAnswerAreNotTaken) {
  Log log({WhyKind::framework, "f2"});
  log.agent(1, 1);
  log.subscribe(1, "", 1);
  log.offer(1, 1, 1);
  log.subscribe(2, "", 1);
  log.at(12s);
  EXPECT_THAT(
      log.explain().answer,
      HasSubstr("taken, 1 of 1 by offers that others have not answered, and it is 1st of 1 in line for the "
                "next; the first of these offers expires in 18 s"));
}

TEST(WhyWaits, ThoseThatRefuseAllAgentsDoNotStandInLine) {
  Log log({WhyKind::framework, "f3"});
  log.agent(1, 1);
  log.subscribe(1, "", 1);
  log.subscribe(2, "", 1);
  log.subscribe(3, "", 2);
  log.offer(1, 1, 1);
  log.decline(1, 1, 1, 60s);
  log.launch(3, "t1", 1);
  const auto why = log.explain();
  EXPECT_EQ(number(why, "order.framework"), 2);  // behind f2 alone
  EXPECT_EQ(number(why, "order.idle"), 1);
}

TEST(WhyWaits, ATaskThatRunsLongIsComparedWithThoseThatRanAsLong) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 3);
  log.subscribe(1, "", 6);
  for (const auto* task : {"t1", "t2"}) log.launch(1, task, 1);
  log.at(10s);
  log.finish(1, "t1", 1);
  log.at(30s);
  log.finish(1, "t2", 1);
  for (const auto* task : {"t3", "t4", "t5"}) log.launch(1, task, 1);
  log.at(42s);  // 12 s: those of 10 s tell nothing any more
  EXPECT_THAT(log.explain().answer, HasSubstr("the next should come free in about 18 s"));
  log.at(61s);
  EXPECT_THAT(log.explain().answer, HasSubstr("those that run have run longer than any that finished"));
}

/// What measures say of the same lines.
TEST(WhyWaits, ADeficitIsDividedAsTheMeasuresDivideIt) {
  const Plan plan;
  Recorder recorder(plan, Time{});
  Log log({WhyKind::framework, "f1"});
  std::uint64_t seq = 0;
  const auto both = [&](Duration at, const Trace& trace) {
    log.at(at);
    log.allocator(trace);
    recorder.line(Time{} + at, ++seq, "allocator", trace);
  };
  both(0s, AgentRegistered{agent_id(1), "a1", "r1", {{kMap, 4}}});
  both(0s, FrameworkSubscribed{framework_id(1), "f1", ""});
  both(0s, DemandChanged{framework_id(1), kMap, 4});
  both(3s, OfferMade{{1, 1}, framework_id(1), agent_id(1), {{kMap, 1}}});
  both(3s, OfferDeclined{{1, 1}, framework_id(1), agent_id(1), DeclineReason::no_node_local, 0s, 100000});
  both(8s, OfferMade{{1, 2}, framework_id(1), agent_id(1), {{kMap, 1}}});
  both(8s, OfferAccepted{{1, 2}, framework_id(1), 1, 0s});
  both(8s, TaskLaunched{framework_id(1), TaskId{"t"}, {1, 1}, agent_id(1), {{kMap, 1}}});
  both(9s, AgentRegistered{agent_id(2), "a2", "r1", {{kMap, 1}}});
  const auto measures = recorder.finish(9s).measures;
  const auto why = log.explain();
  const std::map<std::string, Explanation::Value> facts(why.facts.begin(), why.facts.end());
  EXPECT_EQ(std::get<double>(facts.at("deficit.declined")), 20);
  EXPECT_EQ(std::get<double>(facts.at("deficit.declined")), measures.at("deficit_declined.map"));
  EXPECT_EQ(std::get<double>(facts.at("deficit.imposed")), measures.at("deficit_imposed.map"));
}

TEST(WhyWaits, SlotsOfAnAgentInTroubleAreNotFreeAndItsWordsAreToldUntilItIsWell) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 2);
  log.subscribe(1, "", 2);
  log.allocator(AgentTrouble{agent_id(1), "no room on the disk"});
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "agent-trouble");
  EXPECT_EQ(
      why.answer,
      "No map slot is free but 2 of agents in trouble, which are offered to nobody until they are well: "
      "a1 says: no room on the disk.");
  log.allocator(AgentTrouble{agent_id(1), ""});
  EXPECT_EQ(log.explain().cause, "on-offer");
}

}  // namespace
}  // namespace proffer::study
