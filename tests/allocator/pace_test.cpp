// Frameworks that do not keep up cost the others nothing, lose no task, and go on as soon as they have caught
// up.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Beats each second; a framework is held back after 5 s of silence, and loses its session after 30.
AllocatorConfig paced() {
  AllocatorConfig config;
  config.offer_timeout = std::chrono::hours(1);
  return config;
}

class Pace : public ::testing::Test {
 protected:
  Pace() : s(paced()) {
    s.agent("a1", 3);
    s.framework("slow", {.demand = 2, .failover = 600 * kSecond});
    s.run("slow", "a1", "t1");
    s.offers("slow");
    s.revive("slow");
    s.offers("slow");
    s.updates("slow");
    s.framework("other", {.demand = 1, .failover = 600 * kSecond});
    s.offers("other");
  }
  void lag(Lag lag) { s.step(PeerLag{s.client("slow").peer, lag}); }
  Stage s;
};

TEST_F(Pace, AtHalfItKeepsItsOffersAndGetsNoNewOnes) {
  lag(Lag::half);
  EXPECT_THAT(s.held("slow"), SizeIs(1));
  s.decline("slow", "a1");
  s.revive("slow");
  EXPECT_EQ(s.offers("slow"), "");
}

TEST_F(Pace, AtHalfItHearsOfItsTasks) {
  lag(Lag::half);
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("slow"), "t1 FINISHED");
}

TEST_F(Pace, AtFullItsOffersAreTheOthersAtOnce) {
  s.framework("third", {.demand = 1});
  EXPECT_EQ(s.offers("third"), "");
  lag(Lag::full);
  EXPECT_THAT(s.take<Rescind>("slow"), SizeIs(1));
  EXPECT_THAT(s.held("third"), SizeIs(1));
}

TEST_F(Pace, AtFullTheEndOfItsTaskFreesTheSlotAndIsNotToldYet) {
  lag(Lag::full);
  s.framework("third", {.demand = 2});
  EXPECT_EQ(s.offers("third"), "a1:1*");
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("slow"), "");
  EXPECT_THAT(s.take<Acknowledge>("a1"), IsEmpty()) << "the agent keeps it, too";
  EXPECT_EQ(s.offers("third"), "a1:1");
}

TEST_F(Pace, WhatTheAgentSaysAgainIsNotPassedOnEither) {
  lag(Lag::full);
  s.finish("a1", "t1");
  s.pass(5 * kSecond);
  EXPECT_EQ(s.updates("slow"), "");
}

TEST_F(Pace, OnceItHasCaughtUpItHearsAllAndIsOfferedSlotsAgain) {
  lag(Lag::full);
  s.finish("a1", "t1");
  s.updates("slow");
  lag(Lag::none);
  EXPECT_EQ(s.updates("slow"), "t1 FINISHED");
  EXPECT_NE(s.offers("slow"), "");
}

TEST_F(Pace, FullAgainTakesBackWhatWasThrownAwayMeanwhile) {
  lag(Lag::full);
  lag(Lag::none);
  EXPECT_THAT(s.held("slow"), SizeIs(1));
  lag(Lag::full);
  EXPECT_EQ(s.describe("slow").offered, Resources{});
}

TEST_F(Pace, FullForThirtySecondsEndsTheSessionAndNoTask) {
  lag(Lag::full);
  s.pass(29 * kSecond);
  EXPECT_THAT(s.traces<FrameworkLost>(), IsEmpty());
  s.pass(kSecond + kSecond / 2);
  ASSERT_THAT(s.traces<FrameworkLost>(), SizeIs(1));
  EXPECT_EQ(s.traces<FrameworkLost>()[0].why, "too slow");
  EXPECT_FALSE(s.traces<FrameworkLost>()[0].removed);
  EXPECT_EQ(s.closed(), 1u);
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
}

TEST_F(Pace, TheThirtySecondsBeginAnewWithEachTimeThatItIsFull) {
  lag(Lag::full);
  s.pass(29 * kSecond);
  lag(Lag::none);
  lag(Lag::full);
  s.pass(29 * kSecond);
  EXPECT_THAT(s.traces<FrameworkLost>(), IsEmpty());
}

TEST_F(Pace, AfterFiveSecondsOfSilenceItsOffersAreTheOthers) {
  s.framework("third", {.demand = 1});
  s.client("slow").mute = true;
  s.pass(6 * kSecond);
  EXPECT_THAT(s.take<Rescind>("slow"), SizeIs(1));
  EXPECT_THAT(s.held("third"), SizeIs(1));
  EXPECT_THAT(s.traces<FrameworkLost>(), IsEmpty());
}

TEST_F(Pace, ASilentOneThatSpeaksAgainIsOfferedSlotsInTheSameSession) {
  s.client("slow").mute = true;
  s.pass(20 * kSecond);
  s.offers("slow");
  s.client("slow").mute = false;
  s.say("slow", Heartbeat{});
  EXPECT_FALSE(s.error("slow"));
  EXPECT_NE(s.offers("slow"), "");
  s.pass(60 * kSecond);
  EXPECT_THAT(s.traces<FrameworkLost>(), IsEmpty());
}

TEST_F(Pace, ThirtySecondsOfSilenceEndTheSessionAndNoTask) {
  s.client("slow").mute = true;
  s.pass(29 * kSecond);
  EXPECT_THAT(s.traces<FrameworkLost>(), IsEmpty());
  s.pass(2 * kSecond);
  EXPECT_THAT(s.traces<FrameworkLost>(), SizeIs(1));
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
}

TEST_F(Pace, ANewSessionKeepsUpUntilItIsSaidOtherwise) {
  lag(Lag::full);
  s.lose("slow");
  s.reconnect("slow");
  s.framework("slow", {.demand = 2, .failover = 600 * kSecond});
  EXPECT_NE(s.offers("slow"), "");
}

TEST_F(Pace, ANewSessionOverAConnectionThatIsFullIsHeldBackAsTheFormerOne) {
  lag(Lag::full);
  s.framework("slow", {.demand = 2, .failover = 600 * kSecond});
  EXPECT_EQ(s.offers("slow"), "");
  lag(Lag::none);
  EXPECT_NE(s.offers("slow"), "");
}

TEST_F(Pace, ALagOfAnAgentOrOfNobodyChangesNothing) {
  s.step(PeerLag{s.client("a1").peer, Lag::full});
  s.step(PeerLag{PeerId{99999}, Lag::full});
  EXPECT_THAT(s.held("slow"), SizeIs(1));
}

TEST(PaceOfPools, AFrameworkThatIsHeldBackIsOwedNothing) {
  AllocatorPool blue;
  blue.share.name = "blue";
  blue.share.min_share.set(kMap, 1);
  blue.share.min_share_timeout = 10 * kSecond;
  AllocatorPool red;
  red.share.name = "red";
  Stage s(with_pools({blue, red}));
  s.agent("a1", 1);
  s.framework("r", {.demand = 1, .pool = "red"});
  s.run("r", "a1", "t1");
  s.framework("b", {.demand = 1, .pool = "blue"});
  s.step(PeerLag{s.client("b").peer, Lag::half});
  s.pass(60 * kSecond);
  EXPECT_THAT(s.traces<PoolStarved>(), IsEmpty());
  s.step(PeerLag{s.client("b").peer, Lag::none});
  s.pass(11 * kSecond);
  EXPECT_THAT(s.traces<PoolStarved>(), SizeIs(1));
}

/// Only others can know these of a task.
TEST(StatusesOfAgents, AnAgentCannotCallItsTaskUnreachableOrGoneOrLostWithoutAReason) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f", {.demand = 1});
  s.run("f", "a1", "t1");
  s.updates("f");
  for (const auto state : {TaskState::unreachable, TaskState::gone, TaskState::lost}) {
    s.status("a1", "t1", state);
    EXPECT_EQ(s.error("a1"), ErrorCode::invalid);
    EXPECT_EQ(s.updates("f"), "");
  }
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
}

}  // namespace
}  // namespace proffer
