// The parts of a pool of tasks: what runs, and what its jobs have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frameworks/pool/job_shares.hpp"
#include "frameworks/pool/running_tasks.hpp"

namespace proffer::frameworks {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr JobId kFirst{1};
constexpr JobId kSecond{2};
const Kind kMap{"map"};

RunningTask running(const char* id) { return {kFirst, TaskId{id}, {}, Locality::any, false, 0, {}, {}}; }

/// Three tasks, launched in this order, of which the second has ended.
RunningTasks two_of_three() {
  RunningTasks tasks;
  for (const auto* id : {"b", "c", "a"}) tasks.add(running(id));
  tasks.remove(TaskId{"c"});
  tasks.check_invariants();
  return tasks;
}

TEST(RunningTasks, AreVisitedInOrderOfLaunchOrTheNewestFirst) {
  const auto tasks = two_of_three();
  std::vector<std::string> order;
  const auto note = [&](const RunningTask& task) { order.push_back(task.id.value); };
  tasks.each(note);
  tasks.each_newest_first(note);
  EXPECT_THAT(order, ElementsAre("b", "a", "a", "b"));
}

TEST(RunningTasksDeath, ATaskRunsOnceAndEndsOnce) {
  auto tasks = two_of_three();
  EXPECT_DEATH(tasks.add(running("a")), "runs already");
  EXPECT_DEATH(tasks.remove(TaskId{"c"}), "not launched");
}

/// Two jobs, each with one task that waits.
JobShares two_jobs(const JobPlace& place = {}) {
  JobShares shares(ShareBy::kind);
  for (const auto job : {kFirst, kSecond}) {
    shares.add(job, "job", place);
    shares.change(job, kMap, [&](const JobShares::Share& share) {
      share.unlaunched.add({TaskId{"t" + std::to_string(job.value)}, kMap, {}, {}, 0, {}});
      return true;
    });
  }
  shares.check_invariants();
  return shares;
}

TEST(JobShares, TheTreeFollowsEveryChange) {
  auto shares = two_jobs();
  EXPECT_EQ(shares.tree().total_demand(kMap), 2);
  EXPECT_TRUE(shares.take_back(kFirst, TaskId{"t1"}));
  EXPECT_FALSE(shares.take_back(kFirst, TaskId{"t1"}));
  EXPECT_EQ(shares.tree().total_demand(kMap), 1);
  shares.check_invariants();
}

TEST(JobShares, AJobThatRunsMoreComesLater) {
  auto shares = two_jobs();
  EXPECT_THAT(shares.in_order(kMap), ElementsAre(kFirst, kSecond));
  shares.change(kFirst, kMap, [](JobShares::Share& share) { return ++share.running; });
  EXPECT_THAT(shares.in_order(kMap), ElementsAre(kSecond, kFirst));
}

TEST(JobShares, APoolThatThereIsNotCountsAsNone) {
  auto shares = two_jobs({.pool = "nowhere"});
  EXPECT_FALSE(shares.tree().has_pool("nowhere"));
  EXPECT_THAT(shares.in_order(kMap), ElementsAre(kFirst, kSecond));
}

TEST(JobShares, OnlyKindsOfItsTasksHaveAnOrder) {
  auto shares = two_jobs();
  EXPECT_THAT(shares.kinds(), ElementsAre(kMap));
  EXPECT_THAT(shares.in_order(Kind("reduce")), IsEmpty());
  EXPECT_EQ(shares.find(kFirst, Kind("reduce")), nullptr);
}

TEST(JobSharesDeath, AJobWithTasksIsNotRemoved) {
  auto shares = two_jobs();
  EXPECT_DEATH(shares.remove(kFirst), "has tasks");
}

}  // namespace
}  // namespace proffer::frameworks
