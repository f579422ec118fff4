// BYE of a peer, and the orderly end of the allocator itself.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class Goodbyes : public ::testing::Test {
 protected:
  Goodbyes() {
    s.agent("a1", 2);
    s.framework("f", {.demand = 2, .failover = 60 * kSecond});
    s.run("f", "a1", "t1");
    s.revive("f");
    s.offers("f");
  }
  Stage s;
};

TEST_F(Goodbyes, AnAgentThatLeavesLosesItsOffersAndNotItsTasks) {
  ASSERT_THAT(s.held("f"), SizeIs(1));
  s.say("a1", Bye{"it is stopped"});
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(1));
  EXPECT_EQ(s.updates("f"), "");
  EXPECT_EQ(s.describe().agents.at(0).reach, "silent");
  s.say("a1", Heartbeat{});
  EXPECT_EQ(s.error("a1"), ErrorCode::unknown_session);
}

TEST_F(Goodbyes, AnAgentThatComesBackHasItsTasks) {
  s.say("a1", Bye{});
  s.reconnect("a1");
  s.say_first("a1", s.registration("a1", {{kMap, 2}}, {s.listed("a1", "t1")}, 2));
  EXPECT_EQ(s.updates("f"), "");
  EXPECT_EQ(s.describe("f").used, (Resources{{kMap, 1}}));
}

TEST_F(Goodbyes, AFrameworkThatLeavesHasItsFailoverTimeout) {
  s.say("f", Bye{"its host is rebooted"});
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
  const auto away = s.describe("f");
  EXPECT_FALSE(away.connected);
  EXPECT_EQ(away.given_up_in, 60 * kSecond);
  s.pass(59 * kSecond);
  EXPECT_EQ(s.describe("f").given_up_in, kSecond);
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
  s.pass(kSecond);
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(1));
}

TEST_F(Goodbyes, OneThatIsConnectedHasNoSuchTime) { EXPECT_EQ(s.describe("f").given_up_in, std::nullopt); }

TEST_F(Goodbyes, TheEndOfTheAllocatorTakesOffersBackAndTellsEverybody) {
  s.step(Stopping{});
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(1));
  EXPECT_THAT(s.take<Bye>("f"), SizeIs(1));
  EXPECT_THAT(s.take<Bye>("a1"), SizeIs(1));
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
  EXPECT_THAT(s.take<Offers>("f"), IsEmpty());
}

TEST_F(Goodbyes, AfterItNothingIsOfferedAndNobodyIsAdmitted) {
  s.step(Stopping{});
  s.framework("g");
  s.agent("a2", 2);
  EXPECT_THAT(s.client("g").inbox, IsEmpty());
  EXPECT_THAT(s.client("a2").inbox, IsEmpty());
  EXPECT_EQ(s.describe().agents.size(), 1u) << "people are answered";
}

/// A world that is woken for something which is not done then would never sleep.
TEST(GoodbyesInBatches, NoPassIsDueAfterTheEnd) {
  auto config = without_heartbeats();
  config.batch = 5 * kSecond;
  Stage s(config);
  s.agent("a1", 2);
  s.framework("f");
  s.step(Stopping{});
  s.pass(60 * kSecond);
  EXPECT_EQ(s.offers("f"), "");
}

TEST_F(Goodbyes, PeersThatLeaveThenAreNotLost) {
  Stage t;
  t.agent("a1", 2);
  t.framework("f", {.failover = Duration::zero()});
  t.run("f", "a1", "t1");
  t.step(Stopping{});
  t.lose("f");
  t.lose("a1");
  t.pass(10 * kSecond);
  EXPECT_THAT(t.take<Kill>("a1"), IsEmpty());
  EXPECT_THAT(t.traces<FrameworkLost>(), IsEmpty());
}

}  // namespace
}  // namespace proffer
