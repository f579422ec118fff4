// Starved pools get slots back, from those above their fair share, and by nobody's death who is not.
#include "allocator/tables/preempt_claims.hpp"
#include "proffer/sharing/starvation_clocks.hpp"
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
  pool.share.min_share_timeout = timeout;
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

TEST_F(Preemption, OffNothingIsDemandedBackButTheStarvedNeedNotWaitForLocality) {
  begin(preempting(PreemptionMode::off, 5 * kSecond));
  stage->pass(60 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0);
  EXPECT_THAT(stage->traces<SlotsPreempted>(), IsEmpty());
  EXPECT_THAT(killed(), IsEmpty());
  end("g2");
  const auto offers = stage->take<Offers>("owed");
  ASSERT_THAT(offers, SizeIs(1));
  EXPECT_TRUE(offers[0].standings.at(0).starved);
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
  stage->pass(8 * kSecond);
  run("greedy", {"g5"});
  stage->pass(39 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0) << "8 s until it expired, 30 s of silence, and 10 s from then";
  stage->pass(kSecond);
  EXPECT_GT(preempted("greedy"), 0);
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
  // Both new slots go to the owed pool first; it declines them, so they are greedy's.
  stage->decline("owed", "a2", refuse_for(kSecond));
  ASSERT_EQ(stage->offers("greedy"), "a2:2");
  stage->take<Rescind>("greedy");
  stage->pass(11 * kSecond);
  EXPECT_THAT(stage->take<Rescind>("greedy"), SizeIs(1));
  EXPECT_EQ(preempted("greedy"), 0);
}

TEST_F(Preemption, AnOfferBeyondWhatItsFrameworkCanSpareIsTakenBackWhole) {
  stage.emplace(preempting());
  stage->agent("a1", 4);
  stage->framework("greedy", {.demand = 9, .pool = "greedy"});
  ASSERT_EQ(stage->offers("greedy"), "a1:4*");
  stage->framework("owed", {.demand = 4, .pool = "owed"});
  stage->pass(10 * kSecond);
  EXPECT_THAT(stage->take<Rescind>("greedy"), SizeIs(1));
  EXPECT_EQ(preempted("greedy"), 0);
  EXPECT_EQ(stage->offers("owed"), "a1:4") << "greedy has had them in this round";
}

TEST_F(Preemption, TasksOnAnAgentThatIsSomebodysAloneAreOfNoUseToTheStarved) {
  auto config = preempting();
  config.pools[0].private_agents = 1;
  begin(config);
  stage->pass(60 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0);
  EXPECT_THAT(killed(), IsEmpty());
}

TEST_F(Preemption, WhatRoundingAloneDecidesIsNobodysToDemand) {
  auto config = preempting(PreemptionMode::on, 5 * kSecond);
  config.pools[1].share.min_share = {};
  config.pools[1].share.weight_milli = 1500;
  config.preemption.fair_share_threshold_milli = 1000;
  stage.emplace(config);
  stage->agent("a1", 1);  // 0.4 of a slot, and 0.6
  stage->framework("greedy", {.demand = 9, .pool = "greedy"});
  run("greedy", {"g1"});
  stage->framework("owed", {.demand = 4, .pool = "owed"});
  stage->pass(60 * kSecond);
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
  killed();
  for (const auto* task : {"g1", "g2", "g3", "g4"}) end(task);
  stage->framework("heir", {.demand = 9, .pool = "greedy"});
  EXPECT_EQ(stage->offers("owed"), "a1:1 a1:1 a1:1 a1:1");
  stage->accept("owed", "a1", {"o1"});  // the others are the heir's
  run("heir", {"h1", "h2", "h3"});
  stage->pass(5 * kSecond);
  EXPECT_EQ(preempted("heir"), 0);
  EXPECT_THAT(killed(), IsEmpty());
}

TEST_F(Preemption, PoolsWithRestrictedOnesInThemAreNotHelped) {
  auto config = preempting();
  config.pools.push_back(pool_of("owed.elsewhere"));
  config.pools.back().racks = {"r9"};
  stage.emplace(config);
  stage->agent("a1", 4);
  stage->framework("greedy", {.demand = 9, .pool = "greedy"});
  run("greedy", {"g1", "g2", "g3", "g4"});
  stage->framework("owed", {.demand = 4, .pool = "owed.elsewhere"});
  stage->pass(60 * kSecond);
  EXPECT_EQ(preempted("greedy"), 0) << "for slots that it may not have";
}

// ---- whose choice it is ----

/// Another framework of the owed pool, which has declined nothing.
class PreemptionForTwo : public Preemption {
 protected:
  void begin() {
    Preemption::begin(preempting());
    stage->framework("sibling", {.demand = 4, .pool = "owed"});
    stage->pass(5 * kSecond);
    stage->finish("a1", "g4");
    ASSERT_EQ(stage->offers("owed"), "a1:1");
  }
  /// `owed` does, and the sibling takes it.
  void decline(DeclineOptions options) {
    stage->decline("owed", "a1", options);
    run("sibling", {"s1"});
  }
};

TEST_F(PreemptionForTwo, WhoHasNothingLeftToRunRefusesNothing) {
  begin();
  decline({DeclineReason::no_pending_task, Duration::zero(), 0});
  stage->pass(5 * kSecond);
  EXPECT_EQ(preempted("greedy"), 1) << "ten seconds from the beginning";
}

TEST_F(PreemptionForTwo, WhoHasNothingLeftToRunLeavesClaimsAsTheyAre) {
  begin();
  stage->pass(5 * kSecond);  // it lacks one beside the slot that is on offer
  ASSERT_EQ(preempted("greedy"), 1);
  decline({DeclineReason::no_pending_task, Duration::zero(), 0});
  killed();
  stage->pass(5 * kSecond);
  EXPECT_THAT(killed(), ElementsAre("g3"));
}

TEST_F(PreemptionForTwo, AReviveEndsNobodyElsesRefusal) {
  begin();
  decline(refuse_for(600 * kSecond));
  stage->revive("sibling");
  stage->pass(100 * kSecond);
  EXPECT_THAT(stage->traces<PoolStarved>(), IsEmpty());
  stage->pass(510 * kSecond);
  EXPECT_THAT(stage->traces<PoolStarved>(), testing::Not(IsEmpty()));
}

TEST_F(PreemptionForTwo, WhoLeavesRefusesNothingAnyMore) {
  begin();
  decline(kUntilRevive);
  stage->say("owed", Teardown{});
  stage->pass(10 * kSecond);
  EXPECT_EQ(preempted("greedy"), 1);
}

TEST_F(PreemptionForTwo, WhoIsSuppressedRefusesNothing) {
  begin();
  decline(kUntilRevive);
  stage->say("owed", Suppress{{kMap}});
  stage->pass(10 * kSecond);
  EXPECT_EQ(preempted("greedy"), 1);
}

// ---- who dies ----

TEST_F(Preemption, ATaskDiesForOnePoolOnly) {
  auto config =
      with_pools({pool_of("greedy"), pool_of("one", 1, 10 * kSecond), pool_of("two", 1, 10 * kSecond)});
  config.preemption.mode = PreemptionMode::on;
  stage.emplace(config);
  stage->agent("a1", 4);
  stage->framework("greedy", {.demand = 9, .pool = "greedy"});
  run("greedy", {"g1", "g2", "g3", "g4"});
  for (const auto* pool : {"one", "two"}) stage->framework(pool, {.demand = 1, .pool = pool});
  stage->pass(14 * kSecond);
  EXPECT_EQ(preempted("greedy"), 2);
  stage->pass(kSecond);
  EXPECT_THAT(killed(), ElementsAre("g4", "g3"));
}

TEST_F(Preemption, WhatDiesOutOfReachPaysNothing) {
  auto config = preempting();
  config.heartbeat = kSecond;
  stage.emplace(config);
  stage->agent("a1", 2);
  stage->framework("greedy", {.demand = 9, .pool = "greedy"});
  run("greedy", {"g1", "g2"});
  stage->agent("a2", 2);
  stage->accept("greedy", "a2", {"g3", "g4"});
  stage->say("greedy", Kill{stage->client("greedy").framework, TaskId{"g4"}, 60 * kSecond});
  stage->client("a2").mute = true;
  stage->pass(40 * kSecond);  // unreachable
  stage->framework("owed", {.demand = 1, .pool = "owed"});
  stage->pass(15 * kSecond);
  EXPECT_THAT(killed(), ElementsAre("g2"));
}

TEST_F(Preemption, WhoIsAwayKeepsItsFairShare) {
  auto config = with_pools({pool_of("greedy"), pool_of("owed")});
  config.preemption.mode = PreemptionMode::on;
  config.preemption.fair_share_timeout = 30 * kSecond;
  stage.emplace(config);
  stage->agent("a1", 4);
  stage->framework("greedy", {.demand = 9, .pool = "greedy", .failover = 600 * kSecond});
  run("greedy", {"g1", "g2", "g3", "g4"});
  stage->lose("greedy");
  stage->framework("owed", {.demand = 4, .pool = "owed"});
  stage->pass(35 * kSecond);
  EXPECT_THAT(killed(), ElementsAre("g4", "g3"));
  EXPECT_EQ(stage->describe("greedy").fair, (Quantities{{kMap, 2}}));
}

TEST_F(Preemption, WhoIsSuppressedKeepsItsFairShare) {
  auto config = preempting(PreemptionMode::on, 30 * kSecond);
  config.pools[1].share.min_share = {};
  begin(config);
  stage->say("greedy", Suppress{});
  stage->pass(30 * kSecond);
  EXPECT_EQ(preempted("greedy"), 2);
}

// ---- the tables ----

using allocator::PreemptClaims;

class StarvationClocksTest : public ::testing::Test {
 protected:
  static constexpr LeafId kX{1};
  static constexpr LeafId kY{2};
  void run(int second, StarvationClocks::End refused = Time::min()) {
    clocks.run(key, 10 * kSecond, refused, at(second));
  }
  static Time at(int second) { return Time{} + second * kSecond; }
  StarvationClocks::End refused_until(std::set<LeafId> by) {
    return clocks.refused_until(kMap, [&](LeafId leaf) { return by.contains(leaf); });
  }
  const StarvationClocks::Key key{ShareNode{1}, kMap, Shortage::of_min_share};
  StarvationClocks clocks;
};

TEST_F(StarvationClocksTest, AClockThatStoppedStartsFromTheBeginning) {
  run(0);
  clocks.stop(key);
  run(9);
  EXPECT_EQ(clocks.next(), at(19));
  EXPECT_FALSE(clocks.pop_due(at(18)));
  EXPECT_EQ(clocks.pop_due(at(19)), key);
  EXPECT_TRUE(clocks.starved(ShareNode{1}, kMap));
  EXPECT_EQ(clocks.next(), at(29));
}

TEST_F(StarvationClocksTest, AClockBeginsAtTheEndOfRefusals) {
  run(0);
  run(5, at(7));
  EXPECT_EQ(clocks.next(), at(17));
  run(5, std::nullopt);
  EXPECT_EQ(clocks.next(), std::nullopt);
  run(30);
  EXPECT_EQ(clocks.next(), at(30)) << "the refusal does not count any more";
}

TEST_F(StarvationClocksTest, TheLatestRefusalOfThoseWhoCountCounts) {
  clocks.refused(kX, kMap, at(600));
  clocks.refused(kY, kMap, at(5));
  EXPECT_EQ(refused_until({kX, kY}), at(600));
  EXPECT_EQ(refused_until({kY}), at(5));
  clocks.revived(kX, kMap, at(100));
  EXPECT_EQ(refused_until({kX, kY}), at(100));
  clocks.forget(kX);
  EXPECT_EQ(refused_until({kX, kY}), at(5));
  clocks.refused(kX, kMap, std::nullopt);
  EXPECT_EQ(refused_until({kX, kY}), std::nullopt);
}

TEST_F(StarvationClocksTest, ARefusalSetsAClockBackAtOnce) {
  run(0);
  clocks.set_back(ShareNode{1}, kMap, at(10));
  EXPECT_FALSE(clocks.pop_due(at(10)));
}

TEST(PreemptClaimsTest, SlotsSettleTheOldestClaimFirstAndAreHeldForItsPool) {
  PreemptClaims claims;
  claims.add({ShareNode{1}, LeafId{7}, kMap, 1, Time{} + kSecond});
  claims.add({ShareNode{2}, LeafId{7}, kMap, 2, Time{} + kSecond});
  claims.settle(LeafId{8}, {3}, kMap, 1);
  claims.settle(LeafId{7}, {3}, kMap, 2);
  ASSERT_THAT(claims.all(), SizeIs(1));
  EXPECT_EQ(claims.all().front().owed, 1);
  EXPECT_THAT(claims.pop_held({3}, kMap), SizeIs(2));
  EXPECT_EQ(claims.expected(kMap, [](ShareNode) { return true; }), 1);
}

TEST(PreemptClaimsTest, AClaimForWhichTasksAreKilledStaysBeforeThoseThatAreNotDue) {
  PreemptClaims claims;
  claims.add({ShareNode{1}, LeafId{7}, kMap, 2, Time{} + kSecond});
  claims.add({ShareNode{2}, LeafId{7}, kMap, 1, Time{} + 2 * kSecond});
  auto claim = *claims.pop_due(Time{} + kSecond);
  claim.killing = true;
  claims.put_back(claim);
  EXPECT_EQ(claims.being_killed(LeafId{7}, kMap), 2);
  claims.settle(LeafId{7}, {3}, kMap, 2);
  ASSERT_THAT(claims.all(), SizeIs(1));
  EXPECT_EQ(claims.all().front().pool, ShareNode{2});
}

}  // namespace
}  // namespace proffer
