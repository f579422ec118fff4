// Two processes of one framework: the one that came later is right, and the other is told so.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

class Fencing : public ::testing::Test {
 protected:
  Fencing() {
    s.agent("a1", 1);
    s.framework("f", as(1, 0));
  }
  static FrameworkOptions as(std::uint64_t instance, std::uint64_t epoch) {
    return {.demand = 1, .failover = 600 * kSecond, .instance = instance, .epoch = epoch};
  }
  /// A SUBSCRIBE under the id of f.
  void hello(const std::string& client, std::uint64_t instance, std::uint64_t epoch) {
    Subscribe subscribe;
    subscribe.framework = s.client("f").framework;
    subscribe.secret = s.client("f").secret;
    subscribe.name = "f";
    subscribe.user = "somebody";
    subscribe.failover_timeout = 600 * kSecond;
    subscribe.instance = instance;
    subscribe.framework_epoch = epoch;
    s.say_first(client, subscribe);
  }
  Stage s;
};

TEST_F(Fencing, ANewProcessTakesTheIdOverAndTheFormerIsTold) {
  hello("g", 2, 0);
  EXPECT_EQ(s.take<Subscribed>("g").at(0).framework_epoch, 2u);
  EXPECT_EQ(s.error("f"), ErrorCode::fenced);
}

TEST_F(Fencing, CallsOfTheFormerProcessHaveNoEffect) {
  const auto offers = s.held("f");
  hello("g", 2, 0);
  s.error("f");
  s.say("f", Accept{1, offers, {s.task("t1")}, DeclineReason::other, {}, {}});
  EXPECT_EQ(s.error("f"), ErrorCode::fenced);
  EXPECT_TRUE(s.take<Launch>("a1").empty());
  s.say("f", Teardown{});
  EXPECT_EQ(s.error("f"), ErrorCode::fenced);
  EXPECT_TRUE(s.describe("f").connected);
}

TEST_F(Fencing, TheFormerProcessIsRefusedWhenItComesBack) {
  hello("g", 2, 0);
  s.error("f");
  s.reconnect("f");
  hello("f", 1, 1);
  EXPECT_EQ(s.error("f"), ErrorCode::fenced);
  EXPECT_EQ(s.error("g"), std::nullopt);
}

TEST_F(Fencing, TheFirstHelloOfTheFormerProcessThatComesOnceMoreTakesNothingBack) {
  hello("g", 2, 0);
  s.error("f");
  hello("f", 1, 0);
  EXPECT_EQ(s.error("f"), ErrorCode::fenced);
  EXPECT_EQ(s.error("g"), std::nullopt);
}

TEST_F(Fencing, TheFormerProcessIsRefusedAfterARestartOfTheAllocatorAsWell) {
  hello("g", 2, 0);
  s.restart();
  hello("f", 1, 1);
  EXPECT_EQ(s.error("f"), ErrorCode::fenced);
  hello("g", 2, 2);
  EXPECT_EQ(s.error("g"), std::nullopt);
}

TEST_F(Fencing, AHelloWhoseAnswerWasLostIsNotFenced) {
  hello("g", 2, 0);
  s.lose("g");
  s.reconnect("g");
  hello("g", 2, 0);
  EXPECT_EQ(s.error("g"), std::nullopt);
  EXPECT_EQ(s.take<Subscribed>("g").back().framework_epoch, 3u);
}

TEST_F(Fencing, AProcessThatLostItsConnectionComesBackUnderItsEpoch) {
  s.lose("f");
  s.reconnect("f");
  hello("f", 1, 1);
  EXPECT_EQ(s.error("f"), std::nullopt);
}

TEST_F(Fencing, AThirdProcessTakesOverFromTheSecond) {
  hello("g", 2, 0);
  hello("h", 3, 0);
  EXPECT_EQ(s.error("g"), ErrorCode::fenced);
  EXPECT_EQ(s.take<Subscribed>("h").at(0).framework_epoch, 3u);
}

TEST_F(Fencing, AProcessThatDoesNotSayWhichItIsIsNotFenced) {
  hello("g", 2, 0);
  s.error("f");
  s.reconnect("f");
  hello("f", 0, 1);
  EXPECT_EQ(s.error("f"), std::nullopt);
}

TEST_F(Fencing, TheConnectionOfTheFormerProcessIsForgottenWithItsEnd) {
  hello("g", 2, 0);
  s.error("f");
  s.lose("f");
  s.say("f", Teardown{});
  EXPECT_EQ(s.error("f"), ErrorCode::unknown_session);
}

/// An id that somebody has drawn, and the processes that claim it one after the other.
class Claiming : public ::testing::Test {
 protected:
  void claim(const std::string& client, std::uint64_t number, std::uint64_t instance) {
    hello(client, number << 32, instance, true);
  }
  void hello(const std::string& client, std::uint64_t epoch, std::uint64_t instance, bool claims) {
    Subscribe subscribe;
    subscribe.framework = kId;
    subscribe.secret = kSecret;
    subscribe.name = "job";
    subscribe.user = "somebody";
    subscribe.failover_timeout = 60 * kSecond;
    subscribe.instance = instance;
    subscribe.framework_epoch = epoch;
    subscribe.claims = claims;
    s.say_first(client, subscribe);
  }
  static constexpr FrameworkId kId{{4, 2}};
  static constexpr Secret kSecret{{4, 3}};
  Stage s;
};

TEST_F(Claiming, AnIdThatNobodyHasIsTheirsFromThenOn) {
  claim("f", 1, 11);
  const auto subscribed = s.take<Subscribed>("f");
  ASSERT_EQ(subscribed.size(), 1u);
  EXPECT_EQ(subscribed[0].framework, kId);
  EXPECT_EQ(subscribed[0].secret, kSecret);
  EXPECT_EQ(subscribed[0].framework_epoch, (1ull << 32) + 1);
}

TEST_F(Claiming, TheNextOneTakesOverAndTheFormerIsFenced) {
  claim("f", 1, 11);
  claim("g", 2, 12);
  EXPECT_EQ(s.error("f"), ErrorCode::fenced);
  s.reconnect("f");
  hello("f", (1ull << 32) + 1, 11, false);
  EXPECT_EQ(s.error("f"), ErrorCode::fenced);
}

TEST_F(Claiming, OneThatWakesUpOnlyAfterTheNextHasComeIsFenced) {
  claim("g", 2, 12);
  claim("f", 1, 11);
  EXPECT_EQ(s.error("f"), ErrorCode::fenced);
  EXPECT_EQ(s.error("g"), std::nullopt);
}

TEST_F(Claiming, OneThatWasGivenUpIsToldSoAndTheNextMayClaimTheIdAnew) {
  claim("f", 1, 11);
  s.lose("f");
  s.pass(61 * kSecond);
  s.reconnect("f");
  hello("f", (1ull << 32) + 1, 11, false);
  EXPECT_EQ(s.error("f"), ErrorCode::unknown_framework);
  claim("g", 2, 12);
  EXPECT_EQ(s.error("g"), std::nullopt);
}

TEST_F(Claiming, ItIsKnownAfterARestartOfTheAllocator) {
  claim("g", 2, 12);
  s.restart();
  claim("f", 1, 11);
  EXPECT_EQ(s.error("f"), ErrorCode::fenced);
}

TEST_F(Claiming, AnIdOfAnotherWithAnotherSecretIsRefused) {
  s.framework("f");
  Subscribe subscribe;
  subscribe.framework = s.client("f").framework;
  subscribe.secret = kSecret;
  subscribe.name = "f";
  subscribe.user = "somebody";
  subscribe.claims = true;
  s.say_first("g", subscribe);
  EXPECT_EQ(s.error("g"), ErrorCode::refused);
}

TEST_F(Claiming, WithoutAnIdOrASecretNothingIsClaimed) {
  Subscribe subscribe;
  subscribe.name = "job";
  subscribe.claims = true;
  s.say_first("f", subscribe);
  EXPECT_EQ(s.error("f"), ErrorCode::invalid);
  subscribe.framework = kId;
  s.say_first("g", subscribe);
  EXPECT_EQ(s.error("g"), ErrorCode::invalid);
}

}  // namespace
}  // namespace proffer
