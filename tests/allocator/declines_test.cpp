// DECLINE and its filters, rounds, expiry, SUPPRESS and REVIVE.
#include "allocator/tables/timer_heap.hpp"
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::SizeIs;

TEST(Declines, ADeclinedSlotGoesToTheNextAtOnce) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 1);
  s.decline("f", "a1");
  EXPECT_EQ(s.offers("g"), "a1:1");
}

TEST(Declines, ASlotThatAllDeclinedStandsIdle) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 1);
  s.decline("f", "a1");
  s.decline("g", "a1");
  s.offers("f");
  s.offers("g");
  s.pass(std::chrono::hours(2));
  EXPECT_EQ(s.offers("f") + s.offers("g"), "");
}

TEST(Declines, TheRefuserKeepsItsPlace) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 1);
  s.decline("f", "a1");
  s.offers("f");
  s.agent("a2", 1);
  EXPECT_EQ(s.offers("f"), "a2:1");
}

TEST(Declines, ReasonsAreCountedAndTraced) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.pass(kSecond);
  s.decline("f", "a1", {DeclineReason::no_node_local, 5 * kSecond, {}});
  EXPECT_EQ(s.describe("f").offers_declined[static_cast<std::size_t>(DeclineReason::no_node_local)], 1u);
  const auto declined = s.traces<OfferDeclined>();
  ASSERT_THAT(declined, SizeIs(1));
  EXPECT_EQ(declined[0].reason, DeclineReason::no_node_local);
  EXPECT_EQ(declined[0].held, kSecond);
  EXPECT_EQ(declined[0].refuse_for_us, 5'000'000);
}

TEST(Declines, RefusalForATimeEndsWithItNotBefore) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.decline("f", "a1", refuse_for(5 * kSecond));
  s.offers("f");
  s.pass(5 * kSecond - Duration{1});
  EXPECT_EQ(s.offers("f"), "");
  s.pass(Duration{1});
  EXPECT_EQ(s.offers("f"), "a1:1*");
}

TEST(Declines, RefusalUntilChangeEndsWhenASlotIsFreedThere) {
  Stage s;
  s.framework("g", {.demand = 1});
  s.framework("f");
  s.agent("a1", 2);
  s.run("g", "a1", "t");
  s.decline("f", "a1");
  s.offers("f");
  s.say("g", Heartbeat{1, Demand{{{kMap, 0}}}});
  s.finish("a1", "t");
  EXPECT_EQ(s.offers("f"), "a1:2");
}

TEST(Declines, RefusalUntilChangeEndsWhenSomethingIsLaunchedThere) {
  Stage s;
  s.framework("f");
  s.framework("g", {.demand = 1});
  s.agent("a1", 2);
  s.decline("f", "a1");
  s.offers("f");
  EXPECT_EQ(s.accept("g", "a1", {"t"}), "t");
  EXPECT_EQ(s.offers("f"), "a1:1*");
}

TEST(Declines, RefusalUntilReviveOutlastsChangesOnThatAgent) {
  Stage s;
  s.framework("g", {.demand = 1});
  s.framework("f");
  s.agent("a1", 2);
  s.run("g", "a1", "t");
  s.decline("f", "a1", kUntilRevive);
  s.offers("f");
  s.say("g", Heartbeat{1, Demand{{{kMap, 0}}}});
  s.finish("a1", "t");
  EXPECT_EQ(s.offers("f"), "");
  s.revive("f");
  EXPECT_EQ(s.offers("f"), "a1:2*");
}

TEST(Declines, ARefusalIsOfOneAgentAndKind) {
  Stage s;
  s.framework("f");
  s.agent("a1", Resources{{kMap, 1}, {kReduce, 1}});
  const auto offers = s.client("f").offers;
  s.say("f", Decline{{offers[0].id}, DeclineReason::other, {}, {}});
  s.offers("f");
  s.agent("a2", 1);
  EXPECT_EQ(s.offers("f"), "a2:1");
  EXPECT_EQ(s.describe("f").offered, (Resources{{kMap, 1}, {kReduce, 1}}));
}

TEST(Declines, TooSmallIsLiftedByMoreFreeSlotsThere) {
  Stage s;
  s.framework("g", {.demand = 1});
  s.framework("f");
  s.agent("a1", 2);
  s.decline("f", "a1", {DeclineReason::too_small, std::nullopt, {}});
  s.offers("f");
  s.decline("g", "a1", kUntilRevive);
  EXPECT_EQ(s.offers("f"), "a1:2");
}

TEST(Declines, OtherReasonsAreNotLiftedByMoreFreeSlots) {
  Stage s;
  s.framework("g", {.demand = 1});
  s.framework("f");
  s.agent("a1", 2);
  s.decline("f", "a1", {DeclineReason::no_node_local, std::nullopt, {}});
  s.offers("f");
  s.decline("g", "a1", kUntilRevive);
  EXPECT_EQ(s.offers("f"), "");
}

TEST(Declines, TwoWhoFindItTooSmallDoNotPlayPingPong) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 2);
  int answers = 0;
  while ((!s.held("f").empty() || !s.held("g").empty()) && answers < 100) {
    s.decline(s.held("f").empty() ? "g" : "f", "a1", {DeclineReason::too_small, std::nullopt, {}});
    ++answers;
  }
  EXPECT_LE(answers, 6);
}

TEST(Declines, OfAnOfferThatIsGoneHasNoEffect) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  const auto id = s.held("f").at(0);
  s.decline("f", "a1");
  s.say("f", Decline{{id, {9, 9}}, DeclineReason::other, {}, {}});
  EXPECT_EQ(s.traces<OfferDeclined>().size(), 1u);
}

TEST(Declines, OfSomebodyElsesOfferHasNoEffect) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 1);
  s.say("g", Decline{s.held("f"), DeclineReason::other, {}, {}});
  EXPECT_EQ(s.describe("f").offered, (Resources{{kMap, 1}}));
}

// ---- rounds ----

TEST(Rounds, AReviverIsOfferedTheSlotAgainOnlyAfterTheOthers) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.framework("h");
  s.agent("a1", 1);
  s.decline("f", "a1");
  s.revive("f");
  EXPECT_EQ(s.offers("f"), "a1:1") << "the first offer only";
  s.decline("g", "a1");
  EXPECT_EQ(s.offers("f"), "");
  s.decline("h", "a1");
  EXPECT_EQ(s.offers("f"), "a1:1");
}

TEST(Rounds, WhoRevivesAfterEachDeclineDoesNotStarveTheOthers) {
  Stage s;
  s.framework("greedy");
  s.framework("patient");
  s.agent("a1", 1);
  int turns = 0;
  while (s.held("patient").empty() && turns < 10) {
    s.decline("greedy", "a1");
    s.revive("greedy");
    ++turns;
  }
  EXPECT_EQ(turns, 1);
}

TEST(Rounds, AFreedSlotBeginsItsOwn) {
  Stage s;
  s.framework("g", {.demand = 1});
  s.framework("f");
  s.framework("h");
  s.agent("a1", 3);
  s.run("g", "a1", "t");
  s.say("g", Heartbeat{1, Demand{{{kMap, 0}}}});
  s.decline("f", "a1", kUntilRevive);
  s.revive("f");
  s.offers("f");
  EXPECT_EQ(s.held("h").size(), 2u) << "what f declined went to h, and f waits for the next round";
  s.finish("a1", "t");
  EXPECT_EQ(s.offers("f"), "a1:1") << "f comes first for what was just freed";
}

TEST(Rounds, AFilterThatEndsWithinOneTakesEffectInTheNext) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.framework("h");
  s.agent("a1", 1);
  s.decline("f", "a1", refuse_for(kSecond));
  s.offers("f");
  s.pass(2 * kSecond);
  s.decline("g", "a1", kUntilRevive);
  EXPECT_EQ(s.offers("f"), "");
  s.decline("h", "a1", kUntilRevive);
  EXPECT_EQ(s.offers("f"), "a1:1");
}

TEST(Rounds, EveryoneIsOfferedASlotWithinAsManyAnswers) {
  constexpr int kFrameworks = 1000;
  Stage s;
  s.check_every(100);
  std::vector<std::string> names;
  for (int i = 0; i < kFrameworks; ++i) {
    names.push_back("f" + std::to_string(i));
    s.framework(names.back());
  }
  s.agent("a1", 1);
  std::map<std::string, int> seen;
  int answers = 0;
  for (bool any = true; any && answers <= kFrameworks;) {
    any = false;
    for (const auto& name : names) {
      if (s.held(name).empty()) continue;
      s.decline(name, "a1");
      ++seen[name];
      ++answers;
      any = true;
    }
  }
  EXPECT_EQ(answers, kFrameworks);
  EXPECT_THAT(seen, SizeIs(kFrameworks));
}

// ---- expiry ----

TEST(Expiry, AnOfferExpiresAtItsDeadlineNotBefore) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.pass(30 * kSecond - Duration{1});
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(0));
  s.pass(Duration{1});
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(1));
  EXPECT_EQ(s.describe("f").offers_expired, 1u);
  EXPECT_THAT(s.traces<OfferExpired>(), SizeIs(1));
}

TEST(Expiry, TheSlotGoesToTheNext) {
  Stage s;
  s.framework("f");
  s.framework("g");
  s.agent("a1", 1);
  s.pass(30 * kSecond);
  EXPECT_EQ(s.offers("g"), "a1:1");
}

/// When the slot was offered, in seconds, to a framework that never answers.
std::vector<std::int64_t> offered_at(Stage& s, Duration until) {
  std::vector<std::int64_t> times;
  const auto begin = s.now();
  while (s.now() - begin < until) {
    if (!s.offers("f").empty()) times.push_back((s.now() - begin) / kSecond);
    s.pass(kSecond);
  }
  return times;
}

TEST(Expiry, TheRefusalDoublesWhileTheFrameworkStaysSilent) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  EXPECT_THAT(offered_at(s, 1000 * kSecond), testing::ElementsAre(0, 60, 150, 300, 570));
}

TEST(Expiry, TheRefusalIsAnHourAtMost) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  const auto times = offered_at(s, std::chrono::hours(12));
  EXPECT_EQ(times.back() - times[times.size() - 2], 3630);
}

TEST(Expiry, AnAnswerEndsTheDoubling) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.pass(60 * kSecond);
  s.offers("f");
  s.decline("f", "a1", refuse_for(kSecond));
  s.pass(kSecond);
  EXPECT_EQ(s.offers("f"), "a1:1*");
  s.pass(30 * kSecond);
  s.pass(30 * kSecond);
  EXPECT_EQ(s.offers("f"), "a1:1*");
}

TEST(Expiry, HidesEveryAgentFromTheSilentOneUntilItSpeaks) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.pass(30 * kSecond);
  s.offers("f");
  s.agent("a2", 1);
  EXPECT_EQ(s.offers("f"), "");
  s.revive("f");
  EXPECT_EQ(s.offers("f"), "a1:1* a2:1*");
}

TEST(Expiry, LeavesARefusalOfThatAgentAsItIs) {
  Stage s;
  s.agent("a1", 2);
  s.framework("g", {.demand = 1});
  s.run("g", "a1", "g1");
  s.framework("f", {.demand = 2});
  const auto first = s.held("f", "a1");
  s.say("g", Heartbeat{1, Demand{{{kMap, 0}}}});
  s.finish("a1", "g1");
  ASSERT_EQ(s.offers("f"), "a1:1* a1:1");
  s.say("f", Decline{first, DeclineReason::other, 1000 * kSecond, {}});
  s.pass(100 * kSecond);  // the other offer expires, and the silence after it ends
  EXPECT_EQ(s.offers("f"), "");
}

TEST(Expiry, OfSeveralOffersAtOnceIsOneSilence) {
  Stage s;
  s.framework("f");
  for (const auto* agent : {"a1", "a2", "a3"}) s.agent(agent, 1);
  s.pass(30 * kSecond);
  s.offers("f");
  s.pass(30 * kSecond);
  EXPECT_NE(s.offers("f"), "") << "after 30 s, not 120";
}

// ---- suppress and revive ----

TEST(Suppress, RescindsWhatIsOutstandingAndOffersNothingMore) {
  Stage s;
  s.framework("f");
  s.framework("g", {.demand = 0});
  s.agent("a1", 1);
  s.say("f", Suppress{});
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(1));
  s.offers("f");
  s.agent("a2", 1);
  EXPECT_EQ(s.offers("f"), "");
  EXPECT_EQ(s.describe("f").offers_rescinded, 1u);
}

TEST(Suppress, IsOfTheKindsItNames) {
  Stage s;
  s.framework("f");
  s.say("f", Suppress{{kReduce}});
  s.agent("a1", Resources{{kMap, 1}, {kReduce, 1}});
  EXPECT_EQ(s.offers("f"), "a1:1");
}

TEST(Suppress, EndsWithRevive) {
  Stage s;
  s.framework("f");
  s.say("f", Suppress{});
  s.agent("a1", 1);
  s.revive("f");
  EXPECT_EQ(s.offers("f"), "a1:1*");
}

TEST(Suppress, EndsWithDemandAboveZero) {
  Stage s;
  s.framework("f");
  s.say("f", Suppress{});
  s.agent("a1", 3);
  s.say("f", Heartbeat{1, Demand{{{kMap, 2}}}});
  EXPECT_EQ(s.offers("f"), "a1:2*");
}

TEST(Suppress, ReviveOfOneKindLeavesTheOthersSuppressed) {
  Stage s;
  s.framework("f");
  s.say("f", Suppress{});
  s.agent("a1", Resources{{kMap, 1}, {kReduce, 1}});
  s.revive("f", {kReduce});
  EXPECT_EQ(s.offers("f"), "a1:reduce:1*");
}

TEST(Revive, OfOneKindLeavesFiltersOfOthers) {
  Stage s;
  s.framework("f");
  s.agent("a1", Resources{{kMap, 1}, {kReduce, 1}});
  s.decline("f", "a1", kUntilRevive);
  s.offers("f");
  s.revive("f", {kReduce});
  EXPECT_EQ(s.offers("f"), "a1:reduce:1*");
}

TEST(Demand, DoesNotClearFilters) {
  Stage s;
  s.framework("f", {.demand = 1});
  s.agent("a1", 1);
  s.decline("f", "a1", kUntilRevive);
  s.offers("f");
  s.say("f", Heartbeat{1, Demand{{{kMap, 9}}}});
  EXPECT_EQ(s.offers("f"), "");
}

TEST(Demand, RidesInADecline) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.decline("f", "a1", {DeclineReason::no_pending_task, std::nullopt, 0});
  s.offers("f");
  s.agent("a2", 1);
  EXPECT_EQ(s.offers("f"), "");
}

TEST(Demand, BelowZeroIsRefused) {
  Stage s;
  s.framework("f");
  s.say("f", Heartbeat{1, Demand{{{kMap, -1}}}});
  EXPECT_EQ(s.error("f"), ErrorCode::invalid);
}

// ---- the heap of deadlines ----

TEST(TimerHeap, HoldsNoMoreThanTwiceWhatIsWantedAndAFew) {
  allocator::TimerHeap<int> heap;
  const auto wanted = [](Time, int key) { return key % 100 == 0; };
  for (int i = 0; i < 100'000; ++i) {
    heap.push(Time{} + (i + 1) * kSecond, i);
    heap.settle(wanted);
    ASSERT_LE(heap.size(), 2u * static_cast<unsigned>(i / 100 + 1) + 65);
  }
  EXPECT_EQ(heap.pop_due(Time{} + kSecond, wanted), 0);
  EXPECT_EQ(heap.pop_due(Time{} + 101 * kSecond, wanted), 100);
}

}  // namespace
}  // namespace proffer
