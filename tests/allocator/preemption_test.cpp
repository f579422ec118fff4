// Starved pools get slots back, from those above their fair share, and by nobody's death who is not.
#include "allocator/preempt_claims.hpp"
#include "allocator/starvation_clocks.hpp"
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

AllocatorPool pool_of(const std::string& name, std::int64_t min_share = 0,
                      std::optional<Duration> timeout = {}) {
  AllocatorPool pool;
  pool.share.name = name;
  if (min_share > 0) pool.share.min_share.set(kMap, min_share);
  pool.min_share_timeout = timeout;
  return pool;
}

AllocatorConfig preempting(PreemptionMode mode = PreemptionMode::on,
                           std::optional<Duration> fair_share_timeout = {}) {
  auto config = with_pools({pool_of("greedy"), pool_of("owed", 2, 10 * kSecond)});
  config.preemption.mode = mode;
  config.preemption.fair_share_timeout = fair_share_timeout;
  return config;
}

/// `greedy` runs g1 to g4 on the four slots of a1; `owed` has come since, and wants as many.
class Preemption : public ::testing::Test {
 protected:
  void begin(const AllocatorConfig& config) {
    stage.emplace(config);
    stage->agent("a1", 4);
    stage->framework("greedy", {.demand = 9, .pool = "greedy"});
    run("greedy", {"g1", "g2", "g3", "g4"});
    stage->offers("greedy");
    stage->framework("owed", {.demand = 4, .pool = "owed"});
  }
  /// On all that it is offered on a1.
  void run(const std::string& framework, const std::vector<std::string>& tasks) {
    stage->accept(framework, "a1", tasks);
    for (const auto& task : tasks) {
      stage->ack_launch("a1", task);
      stage->status("a1", task, TaskState::running);
    }
  }
  std::int64_t preempted(const std::string& framework) {
    std::int64_t slots = 0;
    for (const auto& message : stage->take<Preempt>(framework)) slots += message.slots[kMap];
    return slots;
  }
  std::vector<std::string> killed() {
    std::vector<std::string> tasks;
    for (const auto& message : stage->take<Kill>("a1")) tasks.push_back(message.task.value);
    return tasks;
  }
  void end(const std::string& task) { stage->status("a1", task, TaskState::killed); }

  std::optional<Stage> stage;
};

TEST_F(Preemption, APoolBelowItsMinShareIsHelpedAfterItsTimeoutNotBefore) {
  begin(preempting());
  stage->pass(9 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0);
  stage->pass(kSecond);
  EXPECT_EQ(preempted("greedy"), 2);
}

TEST_F(Preemption, OffNothingHappens) {
  begin(preempting(PreemptionMode::off, 5 * kSecond));
  stage->pass(60 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0);
  EXPECT_THAT(stage->traces<PoolStarved>(), IsEmpty());
}

TEST_F(Preemption, LoggedItIsOnlySaid) {
  begin(preempting(PreemptionMode::log));
  stage->pass(19 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0);
  ASSERT_THAT(stage->traces<SlotsPreempted>(), SizeIs(1));
  EXPECT_EQ(stage->traces<SlotsPreempted>()[0].slots, 2);
  EXPECT_FALSE(stage->traces<SlotsPreempted>()[0].enforced);
  EXPECT_THAT(killed(), IsEmpty());
}

TEST_F(Preemption, BelowHalfItsFairShareAPoolGetsAllOfIt) {
  auto config = preempting(PreemptionMode::on, 30 * kSecond);
  config.pools[1].share.min_share = {};
  begin(config);
  stage->pass(29 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0);
  stage->pass(kSecond);
  EXPECT_EQ(preempted("greedy"), 2) << "4 slots, two pools";
}

TEST_F(Preemption, AtHalfItsFairShareAPoolIsNotStarved) {
  auto config = preempting(PreemptionMode::on, 30 * kSecond);
  config.pools[1].share.min_share = {};
  begin(config);
  stage->finish("a1", "g4");
  run("owed", {"o1"});
  stage->pass(60 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0);
}

TEST_F(Preemption, WhatIsGivenBackIsOfferedToTheStarvedPool) {
  begin(preempting());
  stage->pass(10 * kSecond);
  end("g2");
  EXPECT_EQ(stage->offers("owed"), "a1:1");
  EXPECT_EQ(stage->offers("greedy"), "");
}

TEST_F(Preemption, ThoseWhoIgnoreItLoseTheNewestTasksAtTheDeadline) {
  begin(preempting());
  stage->pass(14 * kSecond);
  EXPECT_THAT(killed(), IsEmpty());
  stage->pass(kSecond);
  EXPECT_THAT(killed(), ElementsAre("g4", "g3"));
  stage->updates("greedy");
  end("g4");
  EXPECT_EQ(stage->updates("greedy"), "g4 KILLED(preempted)");
}

TEST_F(Preemption, WhatWasGivenBackInTimeIsNotKilled) {
  begin(preempting());
  stage->pass(12 * kSecond);
  end("g1");
  run("owed", {"o1"});
  stage->pass(3 * kSecond);
  EXPECT_THAT(killed(), ElementsAre("g4"));
}

TEST_F(Preemption, TasksThatTheFrameworkIsEndingCountAsGivenBack) {
  begin(preempting());
  stage->pass(10 * kSecond);
  for (const auto* task : {"g1", "g2"}) {
    stage->say("greedy", Kill{stage->client("greedy").framework, TaskId{task}, 60 * kSecond});
  }
  killed();
  stage->pass(5 * kSecond);
  const auto again = killed();  // with a shorter grace; sent again until they end
  EXPECT_EQ(std::set<std::string>(again.begin(), again.end()), (std::set<std::string>{"g1", "g2"}));
}

TEST_F(Preemption, ADeclineStartsTheClockAnew) {
  begin(preempting());
  stage->pass(5 * kSecond);
  stage->finish("a1", "g4");
  stage->decline("owed", "a1", kUntilRevive);
  stage->pass(100 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0) << "it could not have the slots";
  stage->revive("owed");
  stage->decline("owed", "a1", refuse_for(5 * kSecond));
  stage->pass(14 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0);
  stage->pass(kSecond);
  EXPECT_GT(preempted("greedy"), 0);
}

TEST_F(Preemption, AnExpiryStartsTheClockAnew) {
  auto config = preempting();
  config.offer_timeout = 8 * kSecond;
  begin(config);
  stage->finish("a1", "g4");  // offered to the owed pool, which does not answer
  stage->pass(47 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0) << "8 s until it expired, 30 s of silence, and 10 s from then";
}

TEST_F(Preemption, ADeclineSparesWhatIsNotGivenBackYet) {
  begin(preempting());
  stage->pass(10 * kSecond);
  end("g2");
  stage->decline("owed", "a1", kUntilRevive);
  stage->pass(9 * kSecond);
  EXPECT_THAT(killed(), IsEmpty());
}

TEST_F(Preemption, NobodyFallsBelowHisFairShare) {
  auto config = with_pools({pool_of("a"), pool_of("b"), pool_of("owed", 4, 10 * kSecond)});
  config.preemption.mode = PreemptionMode::on;
  begin(preempting());  // only for its helpers
  stage.emplace(config);
  stage->agent("a1", 6);
  stage->framework("fa", {.demand = 3, .pool = "a"});
  run("fa", {"a-1", "a-2", "a-3"});
  stage->framework("fb", {.demand = 3, .pool = "b"});
  run("fb", {"b-1", "b-2", "b-3"});
  stage->framework("owed", {.demand = 9, .pool = "owed"});
  stage->pass(10 * kSecond);
  EXPECT_EQ(preempted("fa"), 2);  // 6 slots: 4 guaranteed, 1 each for the others
  EXPECT_EQ(preempted("fb"), 2);
}

TEST_F(Preemption, OffersOfThoseAboveTheirShareGoFirst) {
  begin(preempting());
  stage->agent("a2", 2);
  // Both new slots go to the owed pool; it takes one, and the other is greedy's after a decline.
  stage->decline("owed", "a2", refuse_for(kSecond));
  ASSERT_EQ(stage->offers("greedy"), "a2:2");
  stage->take<Rescind>("greedy");
  stage->pass(11 * kSecond);
  EXPECT_THAT(stage->take<Rescind>("greedy"), SizeIs(1));
  EXPECT_EQ(preempted("greedy"), 0);
}

TEST_F(Preemption, TheStarvedAreTold) {
  begin(preempting());
  stage->pass(10 * kSecond);
  end("g2");
  const auto offers = stage->take<Offers>("owed");
  ASSERT_THAT(offers, SizeIs(1));
  EXPECT_TRUE(offers[0].standings.at(0).starved);
}

TEST_F(Preemption, PoolsWithAgentsOfTheirOwnAreNotHelped) {
  auto config = preempting();
  config.pools[1].racks = {"r1"};
  begin(config);
  stage->pass(60 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0);
}

TEST_F(Preemption, AFrameworkThatLeavesOwesNothing) {
  begin(preempting());
  stage->pass(10 * kSecond);
  stage->say("greedy", Teardown{});
  for (const auto* task : {"g1", "g2", "g3", "g4"}) end(task);
  stage->pass(20 * kSecond);
  EXPECT_EQ(stage->describe().frameworks.size(), 1u);
}

// ---- the tables ----

using allocator::PreemptClaims;
using allocator::Shortage;
using allocator::StarvationClocks;

TEST(StarvationClocksTest, AClockThatStoppedStartsFromTheBeginning) {
  StarvationClocks clocks;
  const StarvationClocks::Key key{ShareNode{1}, kMap, Shortage::of_min_share};
  clocks.note(key, true, 10 * kSecond, Time{});
  clocks.note(key, false, 10 * kSecond, Time{} + 9 * kSecond);
  clocks.note(key, true, 10 * kSecond, Time{} + 9 * kSecond);
  EXPECT_EQ(clocks.next(), Time{} + 19 * kSecond);
  EXPECT_FALSE(clocks.take_due(Time{} + 18 * kSecond));
  EXPECT_EQ(clocks.take_due(Time{} + 19 * kSecond), key);
  EXPECT_TRUE(clocks.starved(ShareNode{1}, kMap));
  EXPECT_EQ(clocks.next(), Time{} + 29 * kSecond);
}

TEST(PreemptClaimsTest, SlotsSettleTheOldestClaimFirstAndAreHeldForItsPool) {
  PreemptClaims claims;
  claims.add({ShareNode{1}, LeafId{7}, kMap, 1, Time{} + kSecond});
  claims.add({ShareNode{2}, LeafId{7}, kMap, 2, Time{} + kSecond});
  claims.settle(LeafId{8}, {3}, kMap, 1);
  claims.settle(LeafId{7}, {3}, kMap, 2);
  ASSERT_THAT(claims.all(), SizeIs(1));
  EXPECT_EQ(claims.all().front().owed, 1);
  EXPECT_THAT(claims.take_held({3}, kMap), SizeIs(2));
  EXPECT_EQ(claims.expected(kMap, [](ShareNode) { return true; }), 1);
}

}  // namespace
}  // namespace proffer
