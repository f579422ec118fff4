// REGISTER: who may, what is asked of it, and what is believed of its tasks.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Register, IsAnsweredWithAnIdAndASession) {
  auto config = without_heartbeats();
  config.catalog_endpoint = "tcp://catalog";
  Stage s(config);
  s.agent("a1", 2);
  const auto answers = s.take<Registered>("a1");
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_FALSE(answers[0].agent.value.is_nil());
  EXPECT_EQ(answers[0].catalog_endpoint, "tcp://catalog");
  EXPECT_NE(s.client("a1").session.value, 0u);
  EXPECT_THAT(s.traces<AgentRegistered>(), SizeIs(1));
}

TEST(Register, SentTwiceBeforeTheAnswerOpensOneSession) {
  Stage s;
  s.framework("f");
  s.agent("a1", 2);
  const auto session = s.client("a1").session;
  s.say_first("a1", [&] {
    auto again = s.registration("a1", {{kMap, 2}});
    again.agent = {};
    return again;
  }());
  EXPECT_EQ(s.client("a1").session, session);
  EXPECT_EQ(s.offers("f"), "a1:2") << "the offer stands";
  EXPECT_THAT(s.describe().agents, SizeIs(1));
}

TEST(Register, WithoutSlotsIsInvalid) {
  Stage s;
  s.agent("a1", Resources{});
  EXPECT_EQ(s.error("a1"), ErrorCode::invalid);
  EXPECT_THAT(s.describe().agents, IsEmpty());
}

TEST(Register, BadNamesRacksAndSlotsAreInvalid) {
  Stage s;
  s.agent("no spaces", 1);
  EXPECT_EQ(s.error("no spaces"), ErrorCode::invalid);
  s.agent("a1", 1, "");
  EXPECT_EQ(s.error("a1"), ErrorCode::invalid);
  s.agent("a1", 1025);
  EXPECT_THAT(s.error_text("a1"), HasSubstr("1025"));
  auto message = s.registration("a1", {{kMap, 1}});
  message.data_endpoint = std::string(5000, 'x');
  s.say_first("a1", message);
  EXPECT_EQ(s.error("a1"), ErrorCode::invalid);
}

TEST(Register, TheSecondLiveAgentOfANameIsRefused) {
  Stage s;
  s.agent("a1", 1);
  auto twin = s.registration("a1", {{kMap, 1}});
  twin.agent = {};
  s.say_first("twin", twin);
  EXPECT_THAT(s.error_text("twin"), HasSubstr("a1"));
  EXPECT_THAT(s.describe().agents, SizeIs(1));
}

TEST(Register, AnotherAgentOfALivingNameIsRefusedWhateverItsRun) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f");
  s.run("f", "a1", "t1");
  auto twin = s.registration("a1", {{kMap, 1}}, {}, 2);
  twin.secret = {};
  for (const auto id : {AgentId{}, AgentId{{5, 5}}}) {
    twin.agent = id;
    s.say_first("twin", twin);
    EXPECT_EQ(s.error("twin"), ErrorCode::name_in_use);
  }
  EXPECT_EQ(s.updates("f"), "");
  s.say("a1", Heartbeat{});
  EXPECT_EQ(s.error("a1"), std::nullopt) << "its session stands";
}

TEST(Register, ANameIsFreeWhenItsConnectionIsLost) {
  Stage s;
  s.agent("a1", 1);
  s.lose("a1");
  auto twin = s.registration("a1", {{kMap, 3}});
  twin.agent = {};
  s.say_first("twin", twin);
  EXPECT_EQ(s.error("twin"), std::nullopt);
  ASSERT_THAT(s.describe().agents, SizeIs(1));
  EXPECT_EQ(s.describe().agents[0].total, (Resources{{kMap, 3}}));
}

TEST(Register, TheNextStartOfAnAgentReplacesTheFormerAndItsTasksAreLost) {
  Stage s;
  s.agent("a1", 2);
  s.framework("f");
  s.run("f", "a1", "t1");
  s.offers("f");
  s.say_first("a1-again", s.registration("a1", {{kMap, 2}}, {}, 2));
  EXPECT_EQ(s.updates("f"), "t1 LOST(agent-lost)");
  s.revive("f");
  EXPECT_EQ(s.offers("f"), "a1:2*");
  EXPECT_EQ(s.describe("f").used, Resources{});
  s.say("a1", Heartbeat{});
  EXPECT_EQ(s.error("a1"), ErrorCode::unknown_session);
}

TEST(Register, AnOlderStartOfTheSameAgentIsRefused) {
  Stage s;
  s.say_first("a1", s.registration("a1", {{kMap, 1}}, {}, 5));
  const auto id = s.client("a1").agent;
  auto zombie = s.registration("a1", {{kMap, 1}}, {}, 4);
  zombie.agent = id;
  s.say_first("zombie", zombie);
  EXPECT_EQ(s.error("zombie"), ErrorCode::name_in_use);
}

TEST(Register, WhoTakesTheNameOfASilentAgentProvesNothingAboutItsTasks) {
  Stage s{AllocatorConfig{}};
  s.agent("a1", 1);
  s.framework("f", {.demand = 1});
  s.run("f", "a1", "t1");
  s.lose("a1");
  auto other = s.registration("a1", {{kMap, 1}});
  other.agent = {};
  other.secret = {};
  s.say_first("a1-again", other);
  EXPECT_EQ(s.error("a1-again"), std::nullopt);
  EXPECT_THAT(s.describe().agents, SizeIs(2)) << "the one that has the tasks is still known";
  s.pass(40 * kSecond);
  for (const auto& update : s.take<Update>("f")) {
    EXPECT_EQ(update.status.state, TaskState::unreachable);
  }
}

TEST(Register, WhoHadItsNameTakenIsRefusedWhileTheOtherLivesAndComesBackWithItsTasksAfterwards) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f", {.demand = 1});
  s.run("f", "a1", "t1");
  s.lose("a1");
  auto other = s.registration("a1", {{kMap, 1}});
  other.agent = {};
  other.secret = {};
  s.say_first("a1-again", other);
  s.reconnect("a1");
  const auto back = s.registration("a1", {{kMap, 1}}, {s.listed("a1", "t1")});
  s.say_first("a1", back);
  EXPECT_EQ(s.error("a1"), ErrorCode::name_in_use);
  s.lose("a1-again");
  s.say_first("a1", back);
  EXPECT_EQ(s.error("a1"), std::nullopt);
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
}

TEST(Register, AKnownIdInANewSessionRescindsItsOffers) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f");
  s.offers("f");
  s.lose("a1");
  s.reconnect("a1");
  s.agent("a1", 1);
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(1));
  EXPECT_EQ(s.offers("f"), "a1:1");
  EXPECT_THAT(s.describe().agents, SizeIs(1));
}

/// A REGISTER under the id of a1 over another connection.
Register under_the_id(Stage& s, Secret secret, std::uint64_t run) {
  auto hello = s.registration("a1", {{kMap, 1}}, {}, run);
  hello.secret = secret;
  return hello;
}

TEST(Register, AKnownIdWithoutItsSecretIsRefusedAndItsSessionGoesOn) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f");
  s.offers("f");
  for (const auto secret : {Secret{}, Secret{{1, 1}}}) {
    s.say_first("stranger", under_the_id(s, secret, std::uint64_t{1} << 63));
    EXPECT_EQ(s.error("stranger"), ErrorCode::refused);
  }
  EXPECT_EQ(s.accept("f", "a1", {"t1"}), "t1");
  EXPECT_THAT(s.take<Launch>("a1"), SizeIs(1));
  EXPECT_THAT(s.take<Launch>("stranger"), IsEmpty());
}

TEST(Register, AnAgentWhoseSecretIsLostIsToldWhatToDoEvenAfterItsSession) {
  Stage s;
  s.agent("a1", 1);
  s.lose("a1");
  s.say_first("stranger", under_the_id(s, {}, 2));
  EXPECT_THAT(s.error_text("stranger"), HasSubstr("remove the file 'agent' from its work_dir"));
}

TEST(Register, TheSecretIsNeverNilAndDiffersFromAgentToAgent) {
  Stage s;
  s.agent("a1", 1);
  s.agent("a2", 1);
  EXPECT_FALSE(s.client("a1").secret.value.is_nil());
  EXPECT_NE(s.client("a1").secret, s.client("a2").secret);
}

TEST(Register, AnAllocatorThatKnowsNoIdsTakesTheSecretThatComesWithOne) {
  Stage s;
  auto hello = s.registration("a1", {{kMap, 1}});
  hello.agent = {{5, 5}};
  hello.secret = {{6, 6}};
  s.say_first("a1", hello);
  EXPECT_EQ(s.client("a1").secret, (Secret{{6, 6}}));
  s.say_first("stranger", under_the_id(s, {{7, 7}}, 2));
  EXPECT_EQ(s.error("stranger"), ErrorCode::refused);
}

TEST(Register, TheSameRunThroughAnotherConnectionIsRefusedWhileTheFirstIsAlive) {
  Stage s;
  s.agent("a1", 1);
  const auto session = s.client("a1").session;
  s.say_first("copy", under_the_id(s, s.client("a1").secret, 1));
  EXPECT_EQ(s.error("copy"), ErrorCode::name_in_use);
  s.say("a1", Heartbeat{});
  EXPECT_FALSE(s.error("a1"));
  EXPECT_EQ(s.client("a1").session, session);
}

TEST(Register, ALaterRunWithTheSecretReplacesTheSessionAtOnce) {
  Stage s;
  s.agent("a1", 1);
  s.reconnect("a1");
  s.say_first("a1", s.registration("a1", {{kMap, 1}}, {}, 2));
  EXPECT_THAT(s.take<Registered>("a1"), SizeIs(2));
}

TEST(Register, AnUnknownIdIsAdopted) {
  Stage s;
  auto stranger = s.registration("a1", {{kMap, 1}});
  stranger.agent = {{5, 5}};
  s.say_first("a1", stranger);
  EXPECT_EQ(s.client("a1").agent, (AgentId{{5, 5}}));
}

TEST(Register, SlotsMayChangeFromSessionToSession) {
  Stage s;
  s.agent("a1", 1);
  s.framework("f");
  s.run("f", "a1", "t1");
  s.offers("f");
  s.lose("a1");
  s.reconnect("a1");
  s.say_first("a1", s.registration("a1", {{kMap, 4}}, {s.listed("a1", "t1")}));
  EXPECT_EQ(s.offers("f"), "a1:3");
}

TEST(Register, AnAgentWithFewerSlotsThanItsTasksTakeIsOfferedWhenTheyEnd) {
  Stage s;
  s.framework("f");
  s.agent("a1", 2);
  EXPECT_EQ(s.accept("f", "a1", {"t1", "t2"}), "t1 t2");
  s.offers("f");
  s.lose("a1");
  s.reconnect("a1");
  s.say_first("a1", s.registration("a1", {{kMap, 1}}, {s.listed("a1", "t1"), s.listed("a1", "t2")}));
  s.finish("a1", "t1");
  EXPECT_EQ(s.offers("f"), "");
  s.finish("a1", "t2");
  EXPECT_EQ(s.offers("f"), "a1:1");
}

// ---- reconciliation ----

class Reconcile : public ::testing::Test {
 protected:
  Reconcile() {
    s.agent("a1", 2);
    s.framework("f", {.demand = 2});
    s.accept("f", "a1", {"t1", "t2"});
    s.ack_launch("a1", "t1");
    s.updates("f");
  }
  void back(std::vector<AgentTask> tasks) {
    s.lose("a1");
    s.reconnect("a1");
    s.client("a1").inbox.clear();
    s.say_first("a1", s.registration("a1", {{kMap, 2}}, std::move(tasks)));
  }
  Stage s;
};

TEST_F(Reconcile, ListedTasksAreKept) {
  back({s.listed("a1", "t1"), s.listed("a1", "t2")});
  EXPECT_EQ(s.updates("f"), "");
  EXPECT_EQ(s.describe("f").used, (Resources{{kMap, 2}}));
  EXPECT_THAT(s.take<Registered>("a1").at(0).kill, IsEmpty());
}

TEST_F(Reconcile, WhatTheAgentHadAndDoesNotListIsLost) {
  back({s.listed("a1", "t2")});
  EXPECT_EQ(s.updates("f"), "t1 LOST(agent-lost)");
}

TEST_F(Reconcile, WhatTheAgentNeverHadIsDropped) {
  back({s.listed("a1", "t1")});
  EXPECT_EQ(s.updates("f"), "t2 DROPPED(agent-lost)");
  EXPECT_EQ(s.describe("f").used, (Resources{{kMap, 1}}));
}

TEST_F(Reconcile, AnEndThatIsOnItsWayIsWaitedFor) {
  back({s.listed("a1", "t1", TaskState::finished), s.listed("a1", "t2")});
  EXPECT_EQ(s.updates("f"), "");
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
}

TEST_F(Reconcile, WhatNobodyWantsIsKilledAndTakesItsSlotsUntilItHasEnded) {
  s.finish("a1", "t1");
  s.acknowledge("f", "t1", 1);
  auto ghost = s.listed("a1", "t1");
  ghost.launch = {kEpoch.value - 1, 5};
  s.offers("f");
  back({ghost, s.listed("a1", "t2")});
  EXPECT_THAT(s.take<Registered>("a1").at(0).kill, ElementsAre(ghost.launch));
  EXPECT_EQ(s.offers("f"), "") << "the ghost has the second slot";
  TaskStatus end;
  end.framework = ghost.framework;
  end.task = {"ghost"};
  end.seq = 1;
  end.state = TaskState::killed;
  s.say("a1", Status{ghost.launch, end});
  EXPECT_EQ(s.offers("f"), "a1:1");
  EXPECT_THAT(s.take<Acknowledge>("a1"), SizeIs(1));
}

TEST_F(Reconcile, AKillThatIsWantedIsSentInTheNewSession) {
  s.say("f", Kill{{}, {"t1"}, kSecond});
  back({s.listed("a1", "t1"), s.listed("a1", "t2")});
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(1));
}

TEST_F(Reconcile, MessagesOfTheOldSessionAreRefused) {
  const auto former = s.client("a1");
  back({s.listed("a1", "t1"), s.listed("a1", "t2")});
  s.step(MessageReceived{s.client("a1").peer, {kCluster, kEpoch, former.session, 9, Heartbeat{}}});
  EXPECT_EQ(s.error("a1"), ErrorCode::unknown_session);
}

}  // namespace
}  // namespace proffer
