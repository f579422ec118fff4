// The brake on the loss of many agents at once, and pauses of the allocator itself.
#include "allocator/state/silence_brake.hpp"
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class MassLoss : public ::testing::Test {
 protected:
  MassLoss() : s(with_long_offers()) {}
  static std::string name(int i) { return "a" + std::to_string(100 + i); }
  void cluster(int agents) {
    s.framework("f");
    for (int i = 0; i < agents; ++i) {
      s.agent(name(i), 1);
      s.run("f", name(i), "t" + std::to_string(i));
    }
    s.updates("f");
  }
  void silence(int first, int behind) {
    for (int i = first; i < behind; ++i) s.client(name(i)).mute = true;
  }
  /// They are heard of again, in their session or a new one.
  void speak(int first, int behind) {
    for (int i = first; i < behind; ++i) {
      s.client(name(i)).mute = false;
      s.say(name(i), Heartbeat{});
    }
  }
  std::size_t unreachable() {
    std::size_t count = 0;
    for (const auto& agent : s.describe().agents) count += agent.reach == "unreachable";
    return count;
  }
  Stage s;
};

TEST_F(MassLoss, WhenMostAreSilentNoneIsGivenUp) {
  cluster(10);
  silence(0, 6);
  s.pass(120 * kSecond);
  EXPECT_EQ(unreachable(), 0u);
  EXPECT_EQ(s.updates("f"), "");
  EXPECT_THAT(s.describe().degraded, HasSubstr("6 of 10 agents are silent"));
  EXPECT_THAT(s.traces<ClusterDegraded>(), SizeIs(1));
  EXPECT_THAT(s.held("f"), IsEmpty()) << "nothing is offered there all the same";
}

TEST_F(MassLoss, HalfOfThemAreNotMost) {
  cluster(10);
  silence(0, 5);
  s.pass(35 * kSecond);
  EXPECT_EQ(unreachable(), 5u);
  EXPECT_EQ(s.describe().degraded, "");
}

TEST_F(MassLoss, ThreeOfThreeAreNotMany) {
  cluster(3);
  silence(0, 3);
  s.pass(35 * kSecond);
  EXPECT_EQ(unreachable(), 3u);
}

TEST_F(MassLoss, TheBrakeIsOnUntilFewerThanThirtyPercentAreSilent) {
  cluster(10);
  silence(0, 6);
  s.pass(60 * kSecond);
  speak(0, 3);
  s.pass(10 * kSecond);
  EXPECT_EQ(unreachable(), 0u) << "three of ten are silent still";
  EXPECT_NE(s.describe().degraded, "");
  speak(3, 4);
  EXPECT_EQ(s.describe().degraded, "");
  s.pass(2 * kSecond);
  EXPECT_EQ(unreachable(), 2u);
  EXPECT_EQ(s.traces<ClusterDegraded>().back().why, "");
}

TEST_F(MassLoss, AnOperatorGivesSingleOnesUp) {
  cluster(10);
  silence(0, 6);
  s.pass(60 * kSecond);
  for (int i = 0; i < 6; ++i) s.say_first("person", ChangeAgent{1, name(i), "gone", {}});
  EXPECT_EQ(s.describe().agents.size(), 4u);
  EXPECT_EQ(s.describe().degraded, "");
}

TEST_F(MassLoss, TenASecondBecomeUnreachable) {
  cluster(60);
  silence(0, 25);
  s.pass(30 * kSecond + kSecond / 2);
  EXPECT_EQ(unreachable(), 10u);
  s.pass(kSecond);
  EXPECT_EQ(unreachable(), 20u);
  s.pass(kSecond);
  EXPECT_EQ(unreachable(), 25u);
}

TEST_F(MassLoss, OneThatComesBackWhileItIsPutOffIsNotGivenUp) {
  cluster(10);
  silence(0, 6);
  s.pass(60 * kSecond);
  speak(0, 6);
  s.pass(60 * kSecond);
  EXPECT_EQ(unreachable(), 0u);
  EXPECT_EQ(s.updates("f"), "");
}

/// The peers heard nothing for 20 s either, and have cut their connections: all that comes of it.
TEST_F(MassLoss, APauseOfTheAllocatorMarksNobody) {
  cluster(100);
  s.pass(3 * kSecond);
  s.sleep(20 * kSecond);
  for (int i = 0; i < 100; ++i) s.lose(name(i));
  s.lose("f");
  for (int i = 0; i < 100; ++i) {
    auto again = s.registration(name(i), {{kMap, 1}}, {s.listed(name(i), "t" + std::to_string(i))});
    s.reconnect(name(i));
    s.say_first(name(i), std::move(again));
  }
  s.reconnect("f");
  s.framework("f");
  s.pass(40 * kSecond);
  EXPECT_EQ(s.updates("f"), "");
  EXPECT_EQ(unreachable(), 0u);
  EXPECT_THAT(s.traces<AgentLost>(), IsEmpty());
  EXPECT_THAT(s.traces<ClusterDegraded>(), IsEmpty());
  EXPECT_EQ(s.describe("f").used, (Resources{{kMap, 100}}));
}

// ---- the brake by itself ----

using allocator::SilenceBrake;

TEST(SilenceBrake, GoesOnAboveHalfAndThree) {
  EXPECT_FALSE(SilenceBrake().judge({3, 3}));
  EXPECT_TRUE(SilenceBrake().judge({4, 4}));
  EXPECT_TRUE(SilenceBrake().judge({4, 7}));
  EXPECT_FALSE(SilenceBrake().judge({4, 8}));
  EXPECT_TRUE(SilenceBrake().judge({5, 8}));
}

TEST(SilenceBrake, GoesOffBelowThirtyPercent) {
  SilenceBrake brake;
  brake.judge({7, 10});
  EXPECT_FALSE(brake.judge({3, 10}));
  EXPECT_TRUE(brake.judge({2, 10}));
  EXPECT_FALSE(brake.on());
}

TEST(SilenceBrake, GoesOffWhenNobodyIsLeft) {
  SilenceBrake brake;
  brake.judge({4, 4});
  EXPECT_TRUE(brake.judge({0, 0}));
}

TEST(SilenceBrake, LetsTenGoInASecond) {
  SilenceBrake brake;
  const auto now = time_from_us(5'000'000);
  for (int i = 0; i < SilenceBrake::kMostInASecond; ++i) EXPECT_EQ(brake.give_up(now), std::nullopt);
  EXPECT_EQ(brake.give_up(now + kSecond / 2), now + kSecond);
  EXPECT_EQ(brake.give_up(now + kSecond), std::nullopt);
}

}  // namespace
}  // namespace proffer
