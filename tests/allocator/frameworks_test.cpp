// SUBSCRIBE, sessions, failover and TEARDOWN.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Subscribe, IsAnsweredWithAnIdAndASession) {
  Stage s;
  s.framework("f");
  const auto answers = s.take<Subscribed>("f");
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_FALSE(answers[0].framework.value.is_nil());
  EXPECT_EQ(answers[0].framework_epoch, 1u);
  EXPECT_NE(s.client("f").session.value, 0u);
  EXPECT_THAT(s.traces<FrameworkSubscribed>(), SizeIs(1));
}

TEST(Subscribe, TwoFrameworksMayHaveOneName) {
  Stage s;
  s.framework("f");
  Subscribe twin;
  twin.name = "f";
  s.say_first("twin", twin);
  EXPECT_NE(s.client("twin").framework, s.client("f").framework);
  EXPECT_THAT(s.describe().frameworks, SizeIs(2));
}

TEST(Subscribe, SentTwiceBeforeTheAnswerOpensOneSessionAndRepeatsOffers) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f");
  const auto session = s.client("f").session;
  s.client("f").inbox.clear();
  Subscribe again;
  again.name = "f";
  again.user = "somebody";
  s.say_first("f", again);
  EXPECT_EQ(s.client("f").session, session);
  EXPECT_EQ(s.offers("f"), "a1:1*");
  EXPECT_THAT(s.describe().frameworks, SizeIs(1));
  EXPECT_THAT(s.traces<OfferMade>(), SizeIs(1));
}

TEST(Subscribe, AnUnknownIdIsRefused) {
  Stage s;
  s.client("f").framework = {{1, 2}};
  s.framework("f");
  EXPECT_EQ(s.error("f"), ErrorCode::unknown_framework);
}

TEST(Subscribe, AKnownIdWithoutItsSecretIsRefusedAndItsSessionGoesOn) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f");
  for (const auto secret : {Secret{}, Secret{{1, 1}}}) {
    Subscribe thief{s.client("f").framework, "f", "", "somebody", {}, {}, "", secret};
    s.say_first("thief", thief);
    EXPECT_EQ(s.error("thief"), ErrorCode::refused);
  }
  EXPECT_EQ(s.accept("f", "a1", {"t1"}), "t1");
  EXPECT_THAT(s.take<Rescind>("f"), IsEmpty());
}

TEST(Subscribe, AStrangerIsNotToldOfWhichPoolAndUserAnIdIs) {
  Stage s;
  s.framework("f");
  s.say_first("thief", Subscribe{s.client("f").framework, "g", "", "else", {}, {}, "", {}});
  EXPECT_EQ(s.error_text("thief").find("somebody"), std::string::npos);
}

TEST(Subscribe, TheSecretLetsItBackInThroughAnotherConnection) {
  Stage s;
  s.framework("f", {.failover = kSecond});
  const auto first = s.client("f").framework;
  s.reconnect("f");
  s.framework("f", {.failover = kSecond});
  EXPECT_EQ(s.client("f").framework, first);
  EXPECT_FALSE(s.error("f"));
}

TEST(Subscribe, AnUnknownPoolIsRefusedAndThePoolsAreNamed) {
  Stage s(with_pools({{{"red", 1000, {}}, {}, {}}, {{"blue.sky", 1000, {}}, {}, {}}}));
  s.framework("f", {.pool = "green"});
  const auto text = s.error_text("f");
  EXPECT_THAT(text, HasSubstr("'green'"));
  EXPECT_THAT(text, HasSubstr("'red'"));
  EXPECT_THAT(text, HasSubstr("'blue.sky'"));
  EXPECT_THAT(s.describe().frameworks, IsEmpty());
}

TEST(Subscribe, WhoComesBackIsOfTheSameUser) {
  Stage s;
  s.framework("f", {.failover = 60 * kSecond});
  s.lose("f");
  s.reconnect("f");
  Subscribe again{s.client("f").framework, "f", "", "somebody-else", 60 * kSecond, {}, "",
                  s.client("f").secret};
  s.say_first("f", again);
  EXPECT_EQ(s.error_text("f"), "that framework is 'f' of user 'somebody' in pool '', and stays so");
  again.user = "somebody";
  s.say_first("f", again);
  EXPECT_TRUE(s.describe("f").connected);
}

TEST(Subscribe, BadNamesAndTimeoutsAreInvalid) {
  Stage s;
  s.framework("two words");
  EXPECT_EQ(s.error("two words"), ErrorCode::invalid);
  s.framework("f", {.failover = -kSecond});
  EXPECT_EQ(s.error("f"), ErrorCode::invalid);
  s.framework("f", {.demand = -1});
  EXPECT_EQ(s.error("f"), ErrorCode::invalid);
}

TEST(Sessions, AMessageWithoutOneIsRefused) {
  Stage s;
  s.say_first("stranger", Revive{});
  EXPECT_EQ(s.error("stranger"), ErrorCode::unknown_session);
}

TEST(Sessions, AMessageOfAnotherSessionHasNoEffect) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  const auto peer = s.client("f").peer;
  s.step(MessageReceived{peer, {kCluster, kEpoch, {12345}, 1, Decline{s.held("f"), {}, {}, {}}}});
  EXPECT_EQ(s.error("f"), ErrorCode::unknown_session);
  EXPECT_THAT(s.traces<OfferDeclined>(), IsEmpty());
}

TEST(Sessions, AnotherClusterOrEpochIsRefused) {
  Stage s;
  s.framework("f");
  const auto& f = s.client("f");
  const std::vector<Envelope> strange{{{{1, 1}}, kEpoch, f.session, 1, Revive{}},
                                      {kCluster, {kEpoch.value - 1}, f.session, 2, Revive{}},
                                      {kCluster, {kEpoch.value + 1}, f.session, 3, Revive{}}};
  for (const auto& envelope : strange) {
    s.step(MessageReceived{f.peer, envelope});
    EXPECT_EQ(s.error("f"), ErrorCode::wrong_cluster);
  }
}

TEST(Sessions, AMessageThatComesTwiceTakesEffectOnce) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  const auto& f = s.client("f");
  const Envelope accept{kCluster, kEpoch, f.session, 9, Accept{1, s.held("f"), {s.task("t")}, {}, {}, {}}};
  s.step(MessageReceived{f.peer, accept});
  s.step(MessageReceived{f.peer, accept});
  EXPECT_THAT(s.take<Accepted>("f"), SizeIs(1));
}

TEST(Sessions, WhatAnAllocatorDoesNotTakeIsRefused) {
  Stage s;
  s.framework("f");
  s.agent("a1", 1);
  s.say("f", Launch{});
  EXPECT_EQ(s.error("f"), ErrorCode::type);
  s.say("a1", Revive{});
  EXPECT_EQ(s.error("a1"), ErrorCode::type);
  s.say("f", ErrorMessage{});
  EXPECT_EQ(s.error("f"), std::nullopt);
}

TEST(Sessions, NumbersRiseByOne) {
  Stage s;
  s.agent("a1", 1);
  Actions actions;
  Envelope subscribe;
  subscribe.message = Subscribe{{}, "f", "", "", {}, {}};
  s.machine().step(MessageReceived{{55}, subscribe}, actions, s.now());
  std::vector<std::uint64_t> numbers;
  for (const auto& action : actions) {
    if (const auto* send = std::get_if<Send>(&action)) numbers.push_back(send->envelope.seq);
  }
  EXPECT_THAT(numbers, testing::ElementsAre(1, 2)) << "SUBSCRIBED and OFFERS";
}

// ---- going away ----

class Going : public ::testing::Test {
 protected:
  void begin(Duration failover) {
    s.agent("a1", 2);
    s.framework("f", {.failover = failover});
    s.run("f", "a1", "t1");
    s.revive("f");  // it holds the other slot's offer before the heir comes
    s.framework("heir");
    s.offers("heir");
    s.client("a1").inbox.clear();
  }
  Stage s;
};

TEST_F(Going, WithoutFailoverALostConnectionKillsTheTasks) {
  begin(Duration::zero());
  s.lose("f");
  const auto kills = s.take<Kill>("a1");
  ASSERT_THAT(kills, SizeIs(1));
  EXPECT_EQ(kills[0].task.value, "t1");
  EXPECT_EQ(kills[0].grace, 5 * kSecond);
  const auto lost = s.traces<FrameworkLost>();
  ASSERT_THAT(lost, SizeIs(1));
  EXPECT_TRUE(lost[0].removed);
}

TEST_F(Going, ItsOffersGoToTheOthersAtOnceAndItsSlotsAsTheirTasksEnd) {
  begin(Duration::zero());
  s.lose("f");
  EXPECT_EQ(s.offers("heir"), "a1:1");
  s.status("a1", "t1", TaskState::killed);
  EXPECT_EQ(s.offers("heir"), "a1:1");
  EXPECT_THAT(s.take<Acknowledge>("a1"), SizeIs(1)) << "nobody else will";
  EXPECT_THAT(s.describe().frameworks, SizeIs(1));
}

TEST_F(Going, ItsOutputsMayBeDeletedWhenItsLastTaskHasEnded) {
  begin(Duration::zero());
  s.lose("f");
  EXPECT_THAT(s.take<Release>("a1"), IsEmpty());
  s.status("a1", "t1", TaskState::killed);
  const auto releases = s.take<Release>("a1");
  ASSERT_THAT(releases, SizeIs(1));
  EXPECT_EQ(releases[0].job, JobId{});
}

TEST_F(Going, KillsAreRepeatedUntilTheTasksHaveEnded) {
  begin(Duration::zero());
  s.lose("f");
  s.pass(4 * kSecond);
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(3));
}

TEST_F(Going, WhoWasGivenUpIsUnknown) {
  begin(Duration::zero());
  s.lose("f");
  s.reconnect("f");
  s.framework("f");
  EXPECT_EQ(s.error("f"), ErrorCode::unknown_framework);
}

TEST_F(Going, WithFailoverTasksLiveOnAndTheFrameworkMayComeBack) {
  begin(60 * kSecond);
  s.lose("f");
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
  EXPECT_EQ(s.offers("heir"), "a1:1");
  s.pass(59 * kSecond);
  s.status("a1", "t1", TaskState::finished);
  s.reconnect("f");
  s.framework("f", {.failover = 60 * kSecond});
  EXPECT_EQ(s.error("f"), std::nullopt);
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
  EXPECT_EQ(s.take<Subscribed>("f").back().framework_epoch, 2u);
  s.pass(60 * kSecond);
  EXPECT_THAT(s.describe().frameworks, SizeIs(2));
}

TEST_F(Going, WhenTheFailoverTimeoutIsOverItsTasksAreKilled) {
  begin(60 * kSecond);
  s.lose("f");
  s.pass(60 * kSecond - Duration{1});
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
  s.pass(Duration{1});
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(1));
}

TEST_F(Going, ANewSessionOfTheSameFrameworkVoidsItsOffers) {
  begin(60 * kSecond);
  const auto stale = s.held("f");
  ASSERT_THAT(stale, SizeIs(1));
  s.reconnect("f");
  s.framework("f", {.failover = 60 * kSecond});
  Accept accept;
  accept.offers = stale;
  accept.tasks = {s.task("t2")};
  EXPECT_EQ(s.accept("f", accept), "t2=DROPPED(offer-gone)");
}

TEST_F(Going, TeardownKillsAndForgets) {
  begin(60 * kSecond);
  s.say("f", Teardown{});
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(1));
  EXPECT_EQ(s.closed(), 1u);
  s.status("a1", "t1", TaskState::killed);
  EXPECT_THAT(s.describe().frameworks, SizeIs(1));
}

TEST_F(Going, WhatItHasNotAcknowledgedIsAcknowledgedInItsPlace) {
  begin(60 * kSecond);
  s.status("a1", "t1", TaskState::running);
  EXPECT_THAT(s.take<Acknowledge>("a1"), IsEmpty());
  s.say("f", Teardown{});
  const auto running = s.take<Acknowledge>("a1");
  ASSERT_THAT(running, SizeIs(1));
  EXPECT_EQ(running[0].seq, 2u) << "the number that the agent gave it";
}

TEST_F(Going, AnEndThatItHasNotAcknowledgedIsAcknowledgedInItsPlace) {
  begin(60 * kSecond);
  s.lose("f");
  s.status("a1", "t1", TaskState::finished);
  EXPECT_THAT(s.take<Acknowledge>("a1"), IsEmpty());
  s.pass(60 * kSecond);
  EXPECT_THAT(s.take<Acknowledge>("a1"), SizeIs(1));
  EXPECT_THAT(s.describe().frameworks, SizeIs(1));
}

TEST_F(Going, TheNextFrameworkInheritsNoFilter) {
  begin(Duration::zero());
  s.decline("f", "a1", kUntilRevive);
  s.decline("heir", "a1", kUntilRevive);
  s.say("heir", Teardown{});
  s.framework("next");
  EXPECT_EQ(s.offers("next"), "a1:1*");
}

// ---- limits ----

TEST(Limits, WhoWaitsIsCountedForThoseWhoLook) {
  auto config = with_pools({{{"all", 1000, {}}, {}, {}}});
  config.pools[0].share.max_running = 1;
  Stage s(config);
  s.framework("f", {.pool = "all"});
  s.framework("g", {.pool = "all"});
  const auto pools = s.describe().pools;
  ASSERT_THAT(pools, ::testing::SizeIs(2));
  EXPECT_EQ(pools[1].frameworks, 2u);
  EXPECT_EQ(pools[1].waiting, 1u);
}

TEST(Times, OfPreemptionAreAboveZero) {
  AllocatorConfig config;
  config.preemption = {PreemptionMode::on, Duration::zero(), 500, kSecond};
  EXPECT_DEATH(Stage{config}, "timeout of fair shares");
  config.preemption = {PreemptionMode::log, {}, 500, Duration::zero()};
  EXPECT_DEATH(Stage{config}, "deadline of preemption");
}

// ---- guarantees ----

std::vector<std::string> warned(const Stage& stage) {
  std::vector<std::string> sentences;
  for (const auto& warning : stage.traces<PoolWarned>()) sentences.push_back(warning.why);
  return sentences;
}

AllocatorConfig with_promises() {
  return with_pools({{{"a", 1000, {{kMap, 2}}}, {}, {}}, {{"b", 1000, {{kMap, 3}}}, {}, {}}});
}
const std::string kBroken =
    "pools are promised 5 slots of kind map and the cluster has 4: each gets its part of them";

TEST(MinShares, ThatTheClusterCannotKeepAreTracedOnceItsAgentsAreThere) {
  Stage s(with_promises());
  s.agent("a1", 2);
  s.agent("a2", 2);
  EXPECT_THAT(warned(s), ::testing::IsEmpty());
  s.pass(3 * kSecond);
  s.agent("a3", {{kReduce, 1}});
  s.pass(60 * kSecond);
  EXPECT_THAT(warned(s), ::testing::ElementsAre(kBroken));
}

TEST(MinShares, ThatTheClusterCanKeepAreNot) {
  Stage s(with_pools({{{"a", 1000, {{kMap, 2}}}, {}, {}}, {{"a.b", 1000, {{kMap, 2}}}, {}, {}}}));
  s.agent("a1", 2);
  s.pass(60 * kSecond);
  EXPECT_THAT(warned(s), ::testing::IsEmpty());
}

TEST(MinShares, AreLookedAtAgainWhenAnAgentIsLost) {
  auto config = with_promises();
  config.heartbeat = kSecond;
  Stage s(config);
  s.agent("a1", 4);
  s.agent("a2", 1);
  s.pass(10 * kSecond);
  EXPECT_THAT(warned(s), ::testing::IsEmpty());
  s.client("a2").mute = true;
  s.pass(60 * kSecond);
  EXPECT_THAT(warned(s), ::testing::ElementsAre(kBroken));
}

TEST(MinShares, OfAKindThatNoAgentHasAreNamed) {
  Stage s(with_pools({{{"a", 1000, {{Kind("maps"), 2}}}, {}, {}}}));
  s.agent("a1", {{kMap, 2}, {kReduce, 1}});
  s.pass(60 * kSecond);
  EXPECT_THAT(warned(s), ::testing::ElementsAre("min_share of pool 'a': no agent has slots of kind maps "
                                                "(there are map, reduce); it counts once one has"));
  EXPECT_THAT(s.describe().pools.at(1).min_share, ::testing::ElementsAre(::testing::Pair(Kind("maps"), 2)));
}

}  // namespace
}  // namespace proffer
