// What heartbeats show to have got lost, and what is done about it.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

AllocatorConfig with_beats() {
  AllocatorConfig config;
  config.offer_timeout = std::chrono::hours(1);
  return config;
}

class Beats : public ::testing::Test {
 protected:
  Beats() : s(with_beats()) {
    s.agent("a1", 2);
    s.framework("f", {.demand = 2});
    s.run("f", "a1", "t1");
    s.offers("f");
  }
  TaskDigest of(const std::vector<std::string>& tasks) {
    TaskDigest digest;
    for (const auto& task : tasks) {
      ++digest.count;
      digest.hash ^= hash_of_task(s.client("f").framework, {task});
    }
    return digest;
  }
  void beat(const std::vector<std::string>& tasks, int times = 1) {
    for (; times > 0; --times) s.say("a1", Heartbeat{1, {}, of(tasks)});
  }
  /// The digest in the newest heartbeat to a peer.
  std::optional<TaskDigest> told(const std::string& name) {
    s.pass(2 * kSecond);
    return s.client(name).beat.tasks;
  }
  /// Has the free slot of a1 offered to f.
  void show() {
    s.revive("f");
    EXPECT_EQ(s.offers("f"), "a1:1*");
  }
  Stage s;
};

TEST_F(Beats, AnAgentThatHasWhatIsKnownOfItIsLeftAlone) {
  beat({"t1"}, 10);
  EXPECT_EQ(s.error("a1"), std::nullopt);
}

TEST_F(Beats, AnAgentThatDiffersThreeTimesInARowHasToListItsTasks) {
  beat({}, 2);
  beat({"t1"});
  beat({}, 2);
  EXPECT_EQ(s.error("a1"), std::nullopt);
  beat({});
  EXPECT_EQ(s.error("a1"), ErrorCode::unknown_session);
  s.agent("a1", 2);
  EXPECT_EQ(s.updates("f"), "t1 LOST(agent-lost)");
}

TEST_F(Beats, AnAgentHasToListItsTasksOnceInTenSecondsAtMost) {
  const auto again = [&] {
    s.say_first("a1", s.registration("a1", {{kMap, 2}}, {s.listed("a1", "t1")}));
    beat({}, 3);
    return s.error("a1");
  };
  EXPECT_EQ(again(), ErrorCode::unknown_session);
  EXPECT_EQ(again(), std::nullopt);
  s.pass(11 * kSecond);
  EXPECT_EQ(again(), ErrorCode::unknown_session);
  s.pass(11 * kSecond);
  EXPECT_EQ(again(), std::nullopt) << "listing them was no help";
}

TEST_F(Beats, ALaunchThatIsUnderWayIsNotExpectedThere) {
  s.revive("f");
  s.accept("f", "a1", {"t2"});
  beat({"t1"}, 3);
  EXPECT_EQ(s.error("a1"), std::nullopt);
  s.ack_launch("a1", "t2");
  beat({"t1", "t2"}, 3);
  EXPECT_EQ(s.error("a1"), std::nullopt);
}

TEST_F(Beats, ATaskMayHaveEndedUnheardWhileAStatusOfItWaitsForItsAcknowledgement) {
  s.status("a1", "t1", TaskState::running);
  beat({}, 3);
  EXPECT_EQ(s.error("a1"), std::nullopt);
  s.acknowledge("f", "t1", 2);
  beat({}, 3);
  EXPECT_EQ(s.error("a1"), ErrorCode::unknown_session);
}

TEST_F(Beats, ATaskThatIsToBeKilledThereIsExpectedUntilItHasEnded) {
  s.say("f", Teardown{});
  beat({"t1"}, 3);
  EXPECT_EQ(s.error("a1"), std::nullopt);
  s.status("a1", "t1", TaskState::killed);
  beat({}, 3);
  EXPECT_EQ(s.error("a1"), std::nullopt);
}

TEST_F(Beats, BothAreToldWhatIsBelievedOfThem) {
  EXPECT_EQ(told("a1"), of({"t1"}));
  EXPECT_EQ(told("f"), of({"t1"}));
  s.finish("a1", "t1");
  EXPECT_EQ(told("a1"), of({}));
  EXPECT_EQ(told("f"), of({}));
}

TEST_F(Beats, AFrameworkIsToldNothingWhileAgentsAreAway) {
  s.framework("g", {.failover = 600 * kSecond});
  s.restart();
  s.framework("g", {.failover = 600 * kSecond});
  EXPECT_EQ(told("g"), std::nullopt);
}

TEST_F(Beats, ALostReviveIsMadeUpFor) {
  show();
  s.decline("f", "a1", kUntilRevive);
  s.say("f", Suppress{});
  s.say("f", Heartbeat{1, {}, {}, 1});
  EXPECT_EQ(s.offers("f"), "");
  s.say("f", Heartbeat{2, {}, {}, 2});
  EXPECT_EQ(s.offers("f"), "a1:1*");
}

TEST_F(Beats, AReviveThatCameIsNotMadeUpFor) {
  show();
  s.decline("f", "a1", kUntilRevive);
  s.say("f", Heartbeat{1, {}, {}, 1});
  EXPECT_EQ(s.offers("f"), "");
}

TEST_F(Beats, ALostSuppressIsMadeUpFor) {
  show();
  s.say("f", Heartbeat{1, {}, {}, 1, {}, true});
  EXPECT_EQ(s.take<Rescind>("f").size(), 1u);
  EXPECT_EQ(s.describe("f").demand.at(kMap), 1) << "what runs";
}

TEST_F(Beats, ALostSuppressOfOneKindIsMadeUpFor) {
  show();
  s.say("f", Heartbeat{1, {}, {}, 1, {kMap}});
  EXPECT_EQ(s.take<Rescind>("f").size(), 1u);
}

TEST_F(Beats, ADemandInTheSameBeatEndsASuppression) {
  show();
  s.say("f", Heartbeat{1, Demand{{{kMap, 2}}}, {}, 1, {kMap}});
  EXPECT_TRUE(s.take<Rescind>("f").empty());
}

}  // namespace
}  // namespace proffer
