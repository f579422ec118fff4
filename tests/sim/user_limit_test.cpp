// One user with many jobs beside one with a single job, in a framework of mode `capacity`.
#include "small_plan.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;
using ::testing::DoubleNear;

/// Four slots; six jobs of ann's, 4 maps of 10 s each, and then a job of bob's with `maps` of them.
study::RunResult ann_and_bob(std::uint32_t user_limit, std::size_t maps) {
  auto plan = plan_of(2, 2);
  plan.frameworks[0].sharing.mode = PoolOrder::capacity;
  plan.frameworks[0].sharing.user_limit = user_limit;
  const std::vector<std::string> anywhere{"n0", "n1"};
  for (int job = 0; job < 6; ++job) add_job(plan, {4, anywhere}, seconds(10)).user = "ann";
  add_job(plan, {maps, anywhere}, seconds(10)).user = "bob";
  return run(plan);
}

double end_of(const study::RunResult& result, const std::string& user) {
  double end = 0;
  for (const auto& job : result.jobs) {
    if (job.user == user) end = std::max(end, job.finished.value_or(1e9));
  }
  return end;
}

TEST(UserLimit, AUserWithManyJobsCannotCrowdOutAnother) {
  const auto limited = end_of(ann_and_bob(25, 4), "bob");
  const auto crowded = end_of(ann_and_bob(kNoUserLimit, 4), "bob");
  EXPECT_LT(limited, 30) << "2 of 4 slots: two waves";
  EXPECT_GT(crowded, 60) << "a seventh of them: with the last";
}

TEST(UserLimit, WhatOneUserDoesNotWantTheOtherHas) {
  const auto limited = ann_and_bob(25, 2);
  const auto free = ann_and_bob(kNoUserLimit, 2);
  EXPECT_LT(end_of(limited, "bob"), end_of(free, "bob"));
  EXPECT_THAT(end_of(limited, "ann"), DoubleNear(end_of(free, "ann"), 2)) << "seven waves either way";
}

}  // namespace
}  // namespace proffer::sim
