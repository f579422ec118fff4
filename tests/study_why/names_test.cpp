// Frameworks of one name, and logs that lack lines.
#include <gmock/gmock.h>

#include "tests/study_why/log.hpp"

namespace proffer::study {
namespace {

using ::testing::HasSubstr;

/// Framework 1 holds both slots, framework 2 waits; both are called run.
void tell_two_runs(Log& log) {
  log.agent(1, 2);
  log.subscribe_as("run", 1, "", 6);
  log.launch(1, "t1", 1);
  log.launch(1, "t2", 1);
  log.subscribe_as("run", 2, "", 3);
}

TEST(WhyNames, OfTwoOfOneNameTheOneThatLacksMoreIsExplainedAndTheOtherIsTold) {
  Log log({WhyKind::framework, "run"});
  tell_two_runs(log);
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "behind-others");
  EXPECT_EQ(number(why, "share.running"), 0);
  EXPECT_THAT(why.answer, HasSubstr("2 frameworks are called run"));
  EXPECT_THAT(part(why, "another"), HasSubstr("runs 2 map slots, wants 4 more"));
}

TEST(WhyNames, AnIdTellsOneFromTheOther) {
  Log log({WhyKind::framework, to_hex(framework_id(1).value)});
  tell_two_runs(log);
  const auto why = log.explain();
  EXPECT_EQ(why.cause, "at-share");
  EXPECT_EQ(number(why, "share.running"), 2);
}

TEST(WhyNames, OfOneThatIsGoneAndOneThatIsThereTheLatterIsMeant) {
  Log log({WhyKind::framework, "run"});
  log.agent(1, 1);
  log.subscribe_as("run", 1, "", 1);
  log.allocator(FrameworkLost{framework_id(1), true, "it is done"});
  log.subscribe_as("run", 2, "", 0);
  EXPECT_EQ(log.explain().cause, "no-demand");
}

TEST(WhyNames, OneThatHadANameBeforeIsTold) {
  Log log({WhyKind::framework, "run"});
  log.agent(1, 1);
  log.subscribe_as("run", 1, "", 1);
  log.allocator(FrameworkLost{framework_id(1), true, "teardown"});
  EXPECT_EQ(log.explain().answer, "It has ended and left the cluster.");
  log.subscribe_as("run", 2, "", 0);
  EXPECT_THAT(log.explain().answer, HasSubstr("Before it another was called run, and ended."));
  log.allocator(FrameworkLost{framework_id(2), true, "teardown"});
  EXPECT_THAT(log.explain().answer, HasSubstr("2 frameworks were called run; this was the last of them."));
}

TEST(WhyNames, WithoutLinesOfTheFrameworkItselfTheCureIsSaid) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 1);
  log.subscribe(1, "", 1);
  EXPECT_THAT(part(log.explain(), "jobs"), HasSubstr("PROFFER_EVENT_LOG or --event-log names this log"));
  log.framework(1, FrameworkRules{"greedy", 0});
  EXPECT_EQ(part(log.explain(), "jobs"), "none so far");
}

TEST(WhyNames, LivesTellApartTheLinesOfTwoProgramsOfOneName) {
  Log log({WhyKind::framework, to_hex(framework_id(2).value)});
  tell_two_runs(log);
  for (const std::uint32_t life : {71u, 72u}) {  // what comes before a session is of it as well
    log.says("framework run", JobQueued{JobId{1}, "sleep", "", "", "normal"}, life);
  }
  log.says("framework run", SessionBegan{framework_id(1)}, 71);
  log.says("framework run", SessionBegan{framework_id(2)}, 72);
  log.says("framework run", JobSubmitted{JobId{1}, "sleep", 6, 0}, 71);
  EXPECT_EQ(part(log.explain(), "jobs"), "1 queued, 0 begun, 0 ended");
  log.says("framework run", JobSubmitted{JobId{1}, "sleep", 3, 0}, 72);
  EXPECT_EQ(part(log.explain(), "jobs"), "0 queued, 1 begun, 0 ended");
}

TEST(WhyNames, WithoutLivesJobsOfTwoOfOneNameAreNotTold) {
  Log log({WhyKind::framework, "run"});
  tell_two_runs(log);
  log.says("framework run", JobQueued{JobId{1}, "sleep", "", "", "normal"});
  EXPECT_THAT(part(log.explain(), "jobs"), HasSubstr("does not tell whose jobs are whose"));
}

TEST(WhyNames, AnotherLifeOfAProgramTellsItsJobsAnew) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 1);
  log.subscribe(1, "", 1);
  log.says("framework f1", SessionBegan{framework_id(1)}, 71);
  log.says("framework f1", JobQueued{JobId{1}, "words", "", "", "normal"}, 71);
  log.says("framework f1", JobQueued{JobId{2}, "lines", "", "", "normal"}, 72);
  log.says("framework f1", SessionBegan{framework_id(1)}, 72);
  EXPECT_EQ(part(log.explain(), "jobs"), "1 queued, 0 begun, 0 ended");
}

TEST(WhyNames, OfJobsOfOneNameTheOneThatWaitsIsMeant) {
  Log log({WhyKind::job, "job-1"});
  log.subscribe(1, "", 1);
  log.subscribe(2, "", 1);
  log.job(1, 1, {{}});
  log.job(2, 1, {{}});
  log.framework(2, TaskPlaced{JobId{1}, TaskId{"j1-0"}, agent_id(1), kMap, Locality::any, false, 0s});
  EXPECT_EQ(log.explain().subject, "job job-1 of f1");
}

TEST(WhyHoles, ALogWithoutItsBeginningSaysSoFirst) {
  Log log({WhyKind::framework, "f1"});
  log.loses("allocator", 5000);
  log.subscribe(1, "", 3);
  const auto why = log.explain();
  EXPECT_THAT(why.answer, HasSubstr("lacks the first 5000 lines of the allocator, so this may be wrong"));
  EXPECT_EQ(number(why, "log.missing"), 5000);
}

TEST(WhyHoles, ALogWithAHoleSaysSo) {
  Log log({WhyKind::framework, "f1"});
  log.agent(1, 1);
  log.subscribe(1, "", 3);
  log.loses("allocator", 1);
  log.agent(2, 1);
  EXPECT_THAT(log.explain().answer, HasSubstr("lacks the line of the allocator"));
}

TEST(WhyHoles, ALineOfTheSameLifeThatComesLateFillsItsHole) {
  Why why({WhyKind::framework, "f1"});
  const auto allocator = [&](std::uint64_t seq, Trace trace) {
    why.line({{}, seq, "allocator", std::move(trace)});
  };
  allocator(1, AgentRegistered{agent_id(1), "a1", "r1", {{kMap, 1}}});
  allocator(2, FrameworkSubscribed{framework_id(1), "f1", ""});
  const auto own = [&](std::uint64_t seq, Trace trace) {
    why.line({{}, seq, "framework f1", std::move(trace), 7});
  };
  own(1, FrameworkRules{"greedy", 0});
  own(3, JobQueued{JobId{1}, "j", "", "", "normal"});
  EXPECT_THAT(why.explain({})->answer, HasSubstr("lacks the line of f1"));
  own(2, SessionBegan{framework_id(1)});
  EXPECT_THAT(why.explain({})->answer, ::testing::Not(HasSubstr("lacks")));
}

TEST(WhyHoles, WhatIsNotFoundMayBeInTheLinesThatAreMissing) {
  Log log({WhyKind::framework, "f2"});
  log.loses("allocator", 9);
  log.subscribe(1, "", 3);
  EXPECT_THAT(log.explain().answer, HasSubstr("the event log lacks the first 9 lines of the allocator"));
}

}  // namespace
}  // namespace proffer::study
