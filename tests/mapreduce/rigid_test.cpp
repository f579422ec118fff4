// Rigid jobs: their maps start all at once or not at all.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

JobSpec rigid(std::size_t maps) {
  JobSpec spec;
  spec.token = "job-token";
  spec.synthetic = SyntheticJob{std::vector<SyntheticTask>(maps, SyntheticTask{1s}), {}, {}, {}, true};
  return spec;
}

MapReduceConfig stays() {
  MapReduceConfig config;
  config.stop_when_done = false;
  return config;
}

struct RigidJobs : ::testing::Test {
  Hand hand{stays()};
  std::vector<TaskSpec> start(std::size_t maps) {
    hand.submit(rigid(maps));
    hand.begin();
    for (std::size_t i = 1; i < maps; ++i) EXPECT_THAT(hand.offer_map("a1"), ::testing::IsEmpty());
    auto tasks = hand.offer_map("a2");
    EXPECT_THAT(tasks, ::testing::SizeIs(maps));
    return tasks;
  }
};

TEST_F(RigidJobs, AllMapsStartAtOnceAndTheJobEndsWithTheLast) {
  const auto tasks = start(3);
  for (const auto& task : tasks) hand.finish_synthetic(task);
  ASSERT_THAT(hand.watcher.ended, ::testing::SizeIs(1));
  EXPECT_TRUE(hand.watcher.ended[0].ok);
}

TEST_F(RigidJobs, WhenOneFailsTheOthersAreKilledAndAllStartAgain) {
  const auto tasks = start(3);
  hand.fail(tasks[1]);
  ASSERT_THAT(hand.kills, ::testing::SizeIs(2));
  EXPECT_THAT(hand.offer_map("a3", 2), ::testing::IsEmpty());
  EXPECT_THAT(hand.offer_map("a4"), ::testing::SizeIs(3));
  hand.end(tasks[0], TaskState::killed);
  hand.end(tasks[2], TaskState::killed);
  hand.framework->check_invariants();
}

TEST_F(RigidJobs, WhenAnAgentIsOutOfReachAllStartAgain) {
  const auto tasks = start(2);
  hand.end(tasks[0], TaskState::unreachable);
  EXPECT_THAT(hand.kills, ::testing::SizeIs(2));
  EXPECT_THAT(hand.offer_map("a3", 2), ::testing::SizeIs(2)) << "whatever becomes of the first one";
}

TEST_F(RigidJobs, WhatIsDoneIsNotDoneAgain) {
  const auto tasks = start(3);
  hand.finish_synthetic(tasks[0]);
  hand.fail(tasks[1]);
  hand.end(tasks[2], TaskState::killed);
  EXPECT_THAT(hand.offer_map("a3", 3), ::testing::SizeIs(2));
}

TEST_F(RigidJobs, AJobThatIsKilledWhileItWaitsLetsSlotsGoAtOnce) {
  hand.submit(rigid(3));
  hand.begin();
  hand.offer_map("a1", 2);
  EXPECT_THAT(hand.declined, ::testing::IsEmpty());
  hand.framework->cancel();
  hand.pass(0s);
  EXPECT_THAT(hand.declined, ::testing::SizeIs(1));
}

TEST_F(RigidJobs, OthersTasksAreGivenBackFirst) {
  const auto tasks = start(2);
  JobSpec plain = rigid(1);
  plain.synthetic->rigid = false;
  hand.submit(plain);
  hand.pass(0s);
  const auto other = hand.offer_map("a3");
  ASSERT_THAT(other, ::testing::SizeIs(1));
  const std::vector<HeldTask> newest_first{{tasks[1].id, 1}, {tasks[0].id, 1}, {other[0].id, 1}};
  Random random(1);
  std::uint64_t request = 1;
  Driver driver(hand.now, random, request);
  const auto victims = hand.framework->choose_victims(driver, Kind("map"), 1, newest_first);
  EXPECT_THAT(victims, ::testing::ElementsAre(other[0].id));
}

}  // namespace
}  // namespace proffer::mapreduce_test
