// The line of jobs.
#include "frameworks/mapreduce/job_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace proffer::mapreduce {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr JobId kFirst{1};
constexpr JobId kSecond{2};

JobLine two_jobs() {
  JobLine line;
  line.add(kFirst);
  line.add(kSecond);
  return line;
}

TEST(JobLine, AJobIsNewOnce) {
  auto line = two_jobs();
  EXPECT_THAT(line.take_new(), ElementsAre(kFirst, kSecond));
  EXPECT_THAT(line.take_new(), IsEmpty());
}

TEST(JobLine, AJobThatEndedBeforeItWasSeenIsNotNew) {
  auto line = two_jobs();
  line.end(kFirst);
  EXPECT_THAT(line.take_new(), ElementsAre(kSecond));
}

TEST(JobLine, AJobMayBeginWhenOneCameOrEnded) {
  auto line = two_jobs();
  EXPECT_TRUE(line.take_chance());
  EXPECT_FALSE(line.take_chance());
  line.end(kFirst);
  EXPECT_TRUE(line.take_chance());
}

TEST(JobLine, AKilledJobIsUnwantedOnceAndSaysWhy) {
  auto line = two_jobs();
  line.kill(kSecond, "it was killed");
  line.kill(kSecond, "it was killed again");
  EXPECT_THAT(line.unwanted(), ElementsAre(kSecond));
  EXPECT_EQ(line.take_reason(kSecond), "it was killed");
  EXPECT_THAT(line.unwanted(), IsEmpty());
}

TEST(JobLine, AllJobsAreUnwantedOnceTheyAreCancelled) {
  auto line = two_jobs();
  line.cancel();
  line.add(JobId{3});
  EXPECT_THAT(line.unwanted(), ElementsAre(kFirst, kSecond, JobId{3}));
  EXPECT_EQ(line.take_reason(kFirst), "it was cancelled");
}

TEST(JobLine, AJobThatEndsIsKilledAndTimedNoMore) {
  auto line = two_jobs();
  line.kill(kFirst, "why");
  line.wait_for_time(kFirst);
  line.end(kFirst);
  EXPECT_THAT(line.unwanted(), IsEmpty());
  EXPECT_THAT(line.timed(), IsEmpty());
  EXPECT_THAT(line.active(), ElementsAre(kSecond));
  line.check_invariants();
}

TEST(JobLine, AJobLeavesThePoolAfterItsEnd) {
  auto line = two_jobs();
  line.enter_pool(kFirst);
  EXPECT_THAT(line.leaving(), IsEmpty());
  line.end(kFirst);
  EXPECT_THAT(line.leaving(), ElementsAre(kFirst));
  EXPECT_THAT(line.in_pool(), ElementsAre(kFirst));
  line.check_invariants();
  line.leave_pool(kFirst);
  EXPECT_THAT(line.in_pool(), IsEmpty());
}

TEST(JobLine, AJobThatWasNeverInThePoolDoesNotLeaveIt) {
  auto line = two_jobs();
  line.end(kFirst);
  EXPECT_THAT(line.leaving(), IsEmpty());
}

TEST(JobLineDeath, AJobEndsOnce) {
  auto line = two_jobs();
  line.end(kFirst);
  EXPECT_DEATH(line.end(kFirst), "not in the line");
}

TEST(JobLineDeath, AJobThatHasEndedIsNotKilled) {
  auto line = two_jobs();
  line.end(kFirst);
  EXPECT_DEATH(line.kill(kFirst, "why"), "has ended");
}

}  // namespace
}  // namespace proffer::mapreduce
