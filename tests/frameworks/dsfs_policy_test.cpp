// Delay scheduling with two thresholds and no levels.
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

/// A job whose tasks all lie on agent 1 of rack r1. Agents 2-10 are in that rack, 11 and on are not.
struct DsfsBench : PolicyBench {
  explicit DsfsBench(const std::string& settings = "t1=5s,t2=8s") : PolicyBench("dsfs," + settings) {
    job_of(9, {1});
  }
};

TEST(DsfsPolicy, TakesRackLocalFromT1AndAnythingFromT2) {
  DsfsBench bench;
  EXPECT_EQ(bench.slot(2, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(11, 5s), "no-rack-local");
  EXPECT_EQ(bench.slot(11, 8s - 1us), "no-rack-local");
  EXPECT_EQ(bench.slot(11, 8s), "t0@any");
}

TEST(DsfsPolicy, EveryLaunchStartsBothWaitsAnew) {
  DsfsBench bench;
  bench.slot(11, 0s);
  EXPECT_EQ(bench.slot(11, 8s), "t0@any");
  EXPECT_EQ(bench.slot(11, 8s), "no-node-local");
  EXPECT_EQ(bench.slot(2, 12s), "no-node-local");
  EXPECT_EQ(bench.slot(2, 13s), "t1@rack");
  EXPECT_EQ(bench.slot(3, 13s), "no-node-local");
}

TEST(DsfsPolicy, JobsThatComputeTakeRackLocalAtOnce) {
  DsfsBench bench("t1=5s,t2=8s,class=cpu");
  EXPECT_EQ(bench.slot(2, 0s), "t0@rack");
  EXPECT_EQ(bench.slot(11, 0s), "no-rack-local");
  EXPECT_EQ(bench.slot(11, 8s), "t1@any");
}

TEST(DsfsPolicy, T2MustBeLaterThanT1) {
  const auto refused = make_policy(*parse_policy("dsfs,t1=5s,t2=5s"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "setting t2 of policy dsfs = '5s' is not later than t1");
}

}  // namespace
}  // namespace proffer::testing
