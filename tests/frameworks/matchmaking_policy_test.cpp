// Locality markers instead of waits (He et al. 2011).
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

/// A job whose tasks all lie on agent 1.
struct MatchBench : PolicyBench {
  MatchBench() : PolicyBench("matchmaking,pass=3s") { job_of(9, {1}); }
};

TEST(MatchmakingPolicy, AnAgentGetsOnePassWithoutWorkBeforeItGetsNonLocalWork) {
  MatchBench bench;
  EXPECT_EQ(bench.slot(11, 0s), "no-node-local");
  EXPECT_EQ(bench.slot(11, 3s), "t0@any");
  EXPECT_EQ(bench.slot(12, 3s), "no-node-local");
}

TEST(MatchmakingPolicy, TellsHowLongTheJobHasLetSlotsPassSinceItsLaunch) {
  MatchBench bench;
  bench.slot(11, 1s);
  const auto there = agent(11);
  const auto waited = [&](Duration when) {
    return std::get<Take>(bench.policy->consider({there, kMap, OfferId{1, 9}}, bench.pool, at(when))).waited;
  };
  EXPECT_EQ(waited(4s), Duration{3s});
  bench.slot(11, 5s);
  EXPECT_EQ(waited(8s), Duration{3s});
}

TEST(MatchmakingPolicy, AMarkIsGoodForOneNonLocalTask) {
  MatchBench bench;
  bench.slot(11, 0s);
  EXPECT_THAT(bench.offers({offer(50, agent(11), 4)}, 3s), ElementsAre("t0@any", "no-node-local"));
}

TEST(MatchmakingPolicy, ALocalTaskIsTakenAtOnceAndClearsTheMark) {
  MatchBench bench;
  bench.pool.add({1}, map_on("own", {11}));
  bench.slot(12, 0s);
  EXPECT_EQ(bench.slot(11, 0s), "own@node");
  EXPECT_EQ(bench.slot(11, 3s), "no-node-local");
}

TEST(MatchmakingPolicy, ANewJobClearsAllMarks) {
  MatchBench bench;
  bench.slot(11, 0s);
  bench.pool.add(bench.job(2), map_on("new", {2}));
  EXPECT_EQ(bench.slot(11, 3s), "no-node-local");
  EXPECT_EQ(bench.slot(11, 6s), "t0@any");
}

TEST(MatchmakingPolicy, AMarkedAgentIsHiddenForAPass) {
  MatchBench bench;
  bench.slot(11, 1s);
  EXPECT_EQ(bench.level_change(1s), Duration{4s});
}

TEST(MatchmakingPolicy, AStarvedFrameworkTakesWhatItIsOffered) {
  MatchBench bench;
  bench.standings = {{kMap, 0, 10, true, true, false}};
  EXPECT_EQ(bench.slot(11, 0s), "t0@any");
}

TEST(MatchmakingPolicy, JobsWithoutPreferencesNeedNoMark) {
  PolicyBench bench("matchmaking");
  bench.pool.add(bench.job(1), anywhere("reduce", kReduce));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 1, kReduce)}, 0s), ElementsAre("reduce@any"));
}

}  // namespace
}  // namespace proffer::testing
