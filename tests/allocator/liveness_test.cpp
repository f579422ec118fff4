// Who is silent for how long, and that our own sleep is nobody's silence.
#include "allocator/peers/liveness.hpp"
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::SizeIs;

/// Beats each second; offers end after 3 s of silence, are taken back after 5, tasks are out of reach
/// after 30.
AllocatorConfig beating() {
  AllocatorConfig config;
  config.offer_timeout = std::chrono::hours(1);
  return config;
}

class Liveness : public ::testing::Test {
 protected:
  Liveness() : s(beating()) {
    s.agent("a1", 2);
    s.framework("f", {.demand = 2});
    s.run("f", "a1", "t1");
    s.offers("f");
    s.revive("f");
    s.offers("f");
  }
  void fall_silent() { s.client("a1").mute = true; }
  void speak() {
    s.client("a1").mute = false;
    s.say("a1", Heartbeat{});
  }
  Stage s;
};

TEST_F(Liveness, WhoAnswersHeartbeatsIsNeverSilent) {
  s.pass(120 * kSecond);
  EXPECT_EQ(s.updates("f"), "");
  EXPECT_TRUE(s.describe().agents[0].reachable);
  EXPECT_THAT(s.held("f"), SizeIs(1));
}

TEST_F(Liveness, AfterThreeSecondsNothingNewIsOfferedThere) {
  fall_silent();
  s.pass(4 * kSecond);
  EXPECT_THAT(s.held("f"), SizeIs(1)) << "what is offered stays";
  s.framework("g");
  s.decline("f", "a1", kUntilRevive);
  EXPECT_EQ(s.offers("g"), "");
  speak();
  EXPECT_EQ(s.offers("g"), "a1:1*");
}

TEST_F(Liveness, AfterFiveSecondsItsOffersAreRescinded) {
  fall_silent();
  s.pass(6 * kSecond);
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(1));
  EXPECT_EQ(s.updates("f"), "");
  speak();
  EXPECT_EQ(s.offers("f"), "a1:1*");
}

TEST_F(Liveness, AfterThirtySecondsItsTasksAreUnreachableAndItsSlotsDoNotCount) {
  fall_silent();
  s.pass(30 * kSecond + kSecond / 2);
  EXPECT_EQ(s.updates("f"), "t1 UNREACHABLE(agent-lost)");
  EXPECT_FALSE(s.describe().agents[0].reachable);
  EXPECT_EQ(s.describe("f").used, Resources{});
  EXPECT_EQ(s.describe("f").fair, (Quantities{{kMap, 0}}));
}

TEST_F(Liveness, AnAgentWhoseConnectionBrokeUnnoticedIsLetInAgainOnceItWasSilent) {
  s.client("a1").mute = true;
  s.pass(2 * kSecond);
  s.reconnect("a1");
  s.agent("a1", 2);
  EXPECT_EQ(s.error("a1"), ErrorCode::name_in_use);
  s.pass(2 * kSecond);
  s.agent("a1", 2);
  EXPECT_FALSE(s.error("a1"));
  EXPECT_THAT(s.take<Registered>("a1"), ::testing::Not(::testing::IsEmpty()));
}

TEST_F(Liveness, AnUnreachableAgentRegistersAgainAndItsTasksAreBack) {
  fall_silent();
  s.pass(31 * kSecond);
  s.updates("f");
  speak();
  EXPECT_EQ(s.error("a1"), ErrorCode::unknown_session);
  s.say_first("a1", s.registration("a1", {{kMap, 2}}, {s.listed("a1", "t1")}));
  EXPECT_EQ(s.updates("f"), "t1 RUNNING");
  EXPECT_EQ(s.describe("f").used, (Resources{{kMap, 1}}));
}

TEST_F(Liveness, AFrameworkThatIsSilentForThirtySecondsLosesItsSession) {
  s.client("f").mute = true;
  s.pass(29 * kSecond);
  EXPECT_EQ(s.closed(), 0u);
  s.pass(2 * kSecond);
  EXPECT_EQ(s.closed(), 1u);
  EXPECT_THAT(s.traces<FrameworkLost>(), SizeIs(1));
}

TEST_F(Liveness, ASleepOfOurOwnMarksNobody) {
  s.sleep(100 * kSecond);
  s.pass(2 * kSecond);
  EXPECT_EQ(s.updates("f"), "");
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(0));
  EXPECT_THAT(s.traces<AgentLost>(), SizeIs(0));
  EXPECT_THAT(s.traces<FrameworkLost>(), SizeIs(0));
}

TEST_F(Liveness, SilenceAfterASleepIsSilence) {
  fall_silent();
  s.pass(2 * kSecond);
  s.sleep(100 * kSecond);
  s.pass(kSecond);
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(0)) << "less than 5 s of 103";
  s.pass(2 * kSecond);
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(1));
}

/// The other sides of the connections heard nothing either, and may have cut them.
TEST_F(Liveness, AConnectionCutForOurOwnSleepGivesNobodyUp) {
  s.pass(2 * kSecond);
  s.sleep(20 * kSecond);
  s.lose("f");
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(0));
  s.reconnect("f");
  s.framework("f");
  s.pass(20 * kSecond);
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(0)) << "it is back under its id";
}

TEST_F(Liveness, WhoDoesNotComeBackAfterOurOwnSleepIsGivenUpWithinFiveSeconds) {
  s.pass(2 * kSecond);
  s.sleep(20 * kSecond);
  s.lose("f");
  s.pass(6 * kSecond);
  EXPECT_GT(s.take<Kill>("a1").size(), 0u);
}

TEST_F(Liveness, AConnectionLostLongAfterOurOwnSleepIsItsOwn) {
  s.pass(2 * kSecond);
  s.sleep(20 * kSecond);
  s.pass(6 * kSecond);
  s.lose("f");
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(1));
}

}  // namespace
}  // namespace proffer
