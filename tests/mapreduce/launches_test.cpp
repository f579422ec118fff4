// Launched attempts, and how long tasks are spread.
#include "frameworks/mapreduce/launches.hpp"

#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using mapreduce::Launches;

constexpr JobId kJob{1};
const TaskId kTask{"j1-m-00000-0"};
const TaskId kOther{"j1-m-00001-0"};

/// Long tasks are balanced over two agents.
Launches balanced() {
  Launches launches(true);
  launches.offered(agent_id("a1"), Time{});
  launches.offered(agent_id("a2"), Time{});
  return launches;
}

TEST(Launches, AnAttemptHasAnOwnerUntilItEnds) {
  Launches launches(false);
  launches.launched(kTask, {kJob, true, agent_id("a1")});
  EXPECT_EQ(launches.owner_of(kTask)->job, kJob);
  EXPECT_EQ(launches.owner_of(kTask)->agent, agent_id("a1"));
  EXPECT_FALSE(launches.owner_of(kOther));
  launches.ended(kTask, 1s);
  EXPECT_FALSE(launches.owner_of(kTask));
}

TEST(Launches, NoAgentIsCrowdedUnlessLongTasksAreBalanced) {
  Launches launches(false);
  launches.launched(kTask, {kJob, true, agent_id("a1")});
  EXPECT_FALSE(launches.crowded(kJob, agent_id("a1"), 5));
}

TEST(Launches, AnAgentWithMoreLongTasksThanTheMeanIsCrowded) {
  auto launches = balanced();
  launches.launched(kTask, {kJob, true, agent_id("a1")});
  launches.check_invariants();
  EXPECT_TRUE(launches.crowded(kJob, agent_id("a1"), 1));
  EXPECT_FALSE(launches.crowded(kJob, agent_id("a2"), 1));
}

TEST(Launches, AnAttemptThatEndsCrowdsNoMore) {
  auto launches = balanced();
  launches.launched(kTask, {kJob, true, agent_id("a1")});
  launches.launched(kOther, {kJob, true, agent_id("a2")});
  launches.ended(kTask, Duration::zero());
  launches.check_invariants();
  EXPECT_FALSE(launches.crowded(kJob, agent_id("a1"), 1));
}

TEST(Launches, ThereIsReliefOnceSomethingChangedAfterARefusal) {
  auto launches = balanced();
  launches.launched(kTask, {kJob, true, agent_id("a1")});
  EXPECT_FALSE(launches.take_relief());  // nothing was refused
  EXPECT_TRUE(launches.crowded(kJob, agent_id("a1"), 1));
  EXPECT_FALSE(launches.take_relief());  // nothing has changed
  launches.ended(kTask, 1s);
  EXPECT_TRUE(launches.take_relief());
  EXPECT_FALSE(launches.take_relief());
}

TEST(LaunchesDeath, AnAttemptIsLaunchedOnce) {
  Launches launches(false);
  launches.launched(kTask, {kJob, true, agent_id("a1")});
  EXPECT_DEATH(launches.launched(kTask, {kJob, true, agent_id("a2")}), "launched twice");
}

}  // namespace
}  // namespace proffer::mapreduce_test
