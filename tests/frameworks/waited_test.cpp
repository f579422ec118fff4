// The wait of a job until now, as each policy that waits tells it.
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

/// A job whose tasks all lie on agent 1; its first slot, on another agent, comes after 2 s.
struct WaitedPolicy : ::testing::TestWithParam<std::string_view> {
  WaitedPolicy() : bench(GetParam()) { job = bench.job_of(9, {1}); }
  Duration waited(Duration when) const { return bench.policy->waited(job, kMap, bench.pool, at(when)); }

  PolicyBench bench;
  JobId job;
};
INSTANTIATE_TEST_SUITE_P(OfEach, WaitedPolicy,
                         ::testing::Values("wait,node_wait=60s", "dsfs,t1=60s,t2=70s", "skip,node_skips=9",
                                           "auto", "matchmaking,pass=60s"));

TEST_P(WaitedPolicy, CountsFromTheFirstSlotThatTheJobLetPass) {
  EXPECT_EQ(waited(2s), 0s);
  EXPECT_EQ(bench.slot(11, 2s), "no-node-local");
  EXPECT_EQ(waited(9s), 7s);
}

TEST_P(WaitedPolicy, IsOverWithTheJob) {
  bench.slot(11, 2s);
  bench.policy->job_ended(job);
  EXPECT_EQ(waited(9s), 0s);
}

TEST(Waited, AJobOfAPolicyThatNeverWaitsHasNotWaited) {
  PolicyBench bench("greedy");
  const auto job = bench.job_of(9, {1});
  bench.slot(11, 2s);
  EXPECT_EQ(bench.policy->waited(job, kMap, bench.pool, at(9s)), 0s);
}

}  // namespace
}  // namespace proffer::testing
