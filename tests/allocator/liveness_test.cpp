// Who is silent for how long, and that our own sleep is nobody's silence.
#include "allocator/liveness.hpp"
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

TEST_F(Liveness, ASilentFrameworkLosesItsSession) {
  s.client("f").mute = true;
  s.pass(6 * kSecond);
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

// ---- own time ----

using allocator::OwnTime;

Time at(int seconds) { return Time{} + seconds * kSecond; }

TEST(OwnTimeOf, AProcessThatIsNeverLateIsTheWorlds) {
  OwnTime own;
  EXPECT_EQ(own.at(at(5), at(5), kSecond), at(5));
  EXPECT_EQ(own.at(at(7), {}, kSecond), at(7)) << "nothing was due";
  EXPECT_EQ(own.at(at(8), at(7), kSecond), at(8)) << "a heartbeat late at most";
  EXPECT_EQ(own.to_world(at(9)), at(9));
}

TEST(OwnTimeOf, AProcessThatSleptStoodStill) {
  OwnTime own;
  EXPECT_EQ(own.at(at(60), at(10), kSecond), at(10));
  EXPECT_EQ(own.at(at(61), at(11), kSecond), at(11));
  EXPECT_EQ(own.to_world(at(12)), at(62));
  EXPECT_EQ(own.at(at(100), at(12), kSecond), at(12)) << "gaps add up";
  EXPECT_EQ(own.to_world(at(12)), at(100));
}

TEST(OwnTimeOf, AClusterWithoutHeartbeatsIsTheWorlds) {
  OwnTime own;
  EXPECT_EQ(own.at(at(1000), at(10), Duration::zero()), at(1000));
}

}  // namespace
}  // namespace proffer
