// Delay scheduling that knows when slots come free.
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

/// Slots that a test says.
struct Told final : Foresight {
  std::vector<std::pair<AgentId, Time>> slots;
  void each_slot(Kind kind, Time until, const std::function<void(AgentId, Time)>& visit) const override {
    if (kind != kMap) return;
    for (const auto& [agent, when] : slots) {
      if (when <= until) visit(agent, when);
    }
  }
};

struct OracleBench : PolicyBench {
  explicit OracleBench(std::string_view text = "oracle,horizon=10s") : PolicyBench(text) {
    ability<NeedsForesight>()->foresee(told);
  }
  void will_be_free(std::uint64_t agent, Duration when) {
    told.slots.emplace_back(agent_id(agent), at(when));
  }
  Told told;
};

TEST(OraclePolicy, WaitsForASlotThatIsReleasedInTime) {
  OracleBench bench;
  bench.pool.add(bench.job(1), map_on("a", {1}));
  bench.will_be_free(1, 9s);
  EXPECT_EQ(bench.slot(11, 0s), "no-node-local");
}

TEST(OraclePolicy, TakesASlotAtOnceForATaskThatHasNoneInTime) {
  OracleBench bench;
  bench.pool.add(bench.job(1), map_on("a", {1}));
  bench.will_be_free(1, 11s);
  bench.will_be_free(2, 1s);
  EXPECT_EQ(bench.slot(3, 0s), "a@rack");
}

TEST(OraclePolicy, WaitsForASlotThatIsFreeBesideThoseOfTheMessage) {
  OracleBench bench;
  bench.pool.add(bench.job(1), map_on("a", {1}));
  bench.told.slots.emplace_back(agent_id(1), Time{});
  EXPECT_EQ(bench.slot(11, 5s), "no-node-local");
}

TEST(OraclePolicy, SeveralTasksWaitForOneSlotSinceItIsReleasedAgain) {
  OracleBench bench;
  bench.job_of(2, {1});
  bench.will_be_free(1, 3s);
  EXPECT_THAT(bench.offers({offer(1, agent(11), 2)}, 0s), ElementsAre("no-node-local"));
}

TEST(OraclePolicy, OfItsLocalTasksItLaunchesTheOneWhoseNextChanceIsFarthestOff) {
  OracleBench bench;
  const auto job = bench.job(1);
  bench.pool.add(job, map_on("soon", {1, 2}));
  bench.pool.add(job, map_on("never", {1}));
  bench.pool.add(job, map_on("late", {1, 3}));
  bench.will_be_free(2, 1s);
  bench.will_be_free(3, 2s);
  EXPECT_THAT(bench.offers({offer(1, agent(1), 3)}, 0s), ElementsAre("never@node", "late@node", "soon@node"));
}

TEST(OraclePolicy, ASlotThatItHasJustTakenIsReleasedNoSoonerThanAnyThatIsKnown) {
  OracleBench bench;
  const auto job = bench.job(1);
  bench.pool.add(job, map_on("first", {2}));
  bench.pool.add(job, map_on("a", {1, 3}));
  bench.pool.add(job, map_on("b", {1, 2}));
  bench.told.slots = {{agent_id(1), Time{}}, {agent_id(2), Time{}}, {agent_id(3), at(9s)}};
  const auto said = bench.offers({offer(1, agent(2)), offer(2, agent(1))}, 1s);
  EXPECT_THAT(said, ElementsAre("first@node", "b@node"));
}

TEST(OraclePolicy, AJobForWhichNothingComesGoesBeforeALocalTaskOfTheNext) {
  OracleBench bench;
  bench.pool.add(bench.job(1), map_on("hopeless", {1}));
  bench.pool.add(bench.job(2), map_on("local", {11}));
  EXPECT_EQ(bench.slot(11, 0s), "hopeless@any");
}

TEST(OraclePolicy, AJobThatWaitsLeavesTheSlotToALocalTaskOfTheNext) {
  OracleBench bench;
  bench.pool.add(bench.job(1), map_on("waits", {1}));
  bench.pool.add(bench.job(2), map_on("local", {11}));
  bench.will_be_free(1, 3s);
  EXPECT_EQ(bench.slot(11, 0s), "local@node");
}

TEST(OraclePolicy, WhoHasWaitedTwiceTheHorizonForWhatWasForeseenWaitsNoMore) {
  OracleBench bench;
  bench.job_of(2, {1});
  bench.told.slots.emplace_back(agent_id(1), Time{});  // and nobody is ever offered it
  EXPECT_EQ(bench.slot(11, 5s), "no-node-local");
  EXPECT_EQ(bench.slot(11, 25s), "no-node-local");
  EXPECT_EQ(bench.slot(11, 26s), "t0@any");
  EXPECT_EQ(bench.slot(11, 27s), "t1@any");
}

TEST(OraclePolicy, ALaunchStartsThatWaitAnew) {
  OracleBench bench;
  bench.job_of(2, {1});
  bench.told.slots.emplace_back(agent_id(1), Time{});
  bench.slot(11, 5s);
  EXPECT_EQ(bench.slot(1, 24s), "t0@node");
  EXPECT_EQ(bench.slot(11, 26s), "no-node-local");
}

TEST(OraclePolicy, TasksWithoutPreferencesTakeAnySlotAtOnce) {
  OracleBench bench;
  bench.pool.add(bench.job(1), anywhere("reduce", kReduce));
  EXPECT_THAT(bench.offers({offer(1, agent(1), 2, kReduce)}, 0s),
              ElementsAre("reduce@any", "no-pending-task"));
}

TEST(OraclePolicy, WithoutForesightItIsRefusedInASentence) {
  const auto spec = parse_policy("oracle").value();
  const auto policy = make_policy(spec).value();
  EXPECT_THAT(give_foresight(*policy, spec, nullptr).error().message, HasSubstr("only a simulation"));
  const auto other = make_policy({}).value();
  EXPECT_TRUE(give_foresight(*other, {}, nullptr));
}

}  // namespace
}  // namespace proffer::testing
