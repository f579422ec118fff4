// A further life of the allocator: what it keeps, whom it waits for, and what it takes up.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// One agent of two slots that runs t1 of f, and an allocator that has just been started again.
class Recovery : public ::testing::Test {
 protected:
  Recovery() {
    s.agent("a1", 2);
    s.framework("f", {.demand = 2, .failover = 600 * kSecond});
    s.run("f", "a1", "t1");
    s.offers("f");
  }
  void come_back(const std::string& agent, std::vector<AgentTask> tasks = {}, std::int64_t slots = 2) {
    s.say_first(agent, s.registration(agent, {{kMap, slots}}, std::move(tasks)));
    EXPECT_EQ(s.error(agent), std::nullopt);
  }
  void subscribe(std::int64_t demand = 2) { s.framework("f", {.demand = demand, .failover = 600 * kSecond}); }
  Stage s;
};

// ---- what is kept ----

TEST_F(Recovery, AFrameworkIsKeptWithEachSubscribe) {
  const auto kept = s.record<KeptFramework>(key_of(s.client("f").framework));
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->name, "f");
  EXPECT_EQ(kept->secret, s.client("f").secret);
  EXPECT_EQ(kept->failover_timeout, 600 * kSecond);
  EXPECT_EQ(kept->epoch, 1u);
  s.lose("f");
  s.reconnect("f");
  subscribe();
  EXPECT_EQ(s.record<KeptFramework>(key_of(s.client("f").framework))->epoch, 2u);
}

TEST_F(Recovery, AFrameworkThatIsGivenUpIsKeptNoLonger) {
  const auto key = key_of(s.client("f").framework);
  s.say("f", Teardown{});
  EXPECT_FALSE(s.record<KeptFramework>(key));
}

TEST_F(Recovery, TheRecordIsKeptBeforeTheAnswerIsSent) {
  Actions actions;
  Subscribe hello;
  hello.name = "g";
  s.machine().step(MessageReceived{PeerId{77}, {{}, {}, {}, 0, hello}}, actions, s.now());
  bool kept = false;
  for (const auto& action : actions) {
    kept |= std::holds_alternative<KeepRecord>(action);
    if (const auto* send = std::get_if<Send>(&action)) {
      EXPECT_TRUE(kept) << type_name(send->envelope.message);
    }
  }
  EXPECT_TRUE(kept);
}

TEST_F(Recovery, AnAgentIsKeptWhenItChanges) {
  const auto key = key_of(s.client("a1").agent);
  EXPECT_EQ(s.record<KeptAgent>(key)->run, 1u);
  s.drop_record(key);
  come_back("a1", {s.listed("a1", "t1")});
  EXPECT_FALSE(s.record<KeptAgent>(key)) << "nothing new";
  s.say("a1", Heartbeat{});  // else what follows is the same hello once more
  s.say_first("a1", s.registration("a1", {{kMap, 2}}, {s.listed("a1", "t1")}, 2));
  EXPECT_EQ(s.record<KeptAgent>(key)->run, 2u);
}

TEST_F(Recovery, AFrameworkThatAnOperatorMovedIsInItsNewPoolAfterARestart) {
  Stage pools(with_pools({{{"x", 1000}, {}, {}}}));
  pools.framework("f", {.failover = 60 * kSecond});
  pools.say_first("operator", MoveFramework{1, "f", "x"});
  pools.restart();
  EXPECT_EQ(pools.describe("f").pool, "x");
  pools.framework("f", {.failover = 60 * kSecond});
  EXPECT_EQ(pools.error("f"), std::nullopt);
  EXPECT_EQ(pools.describe("f").pool, "x");
}

// ---- hold and window ----

TEST_F(Recovery, NothingIsOfferedBeforeAllAwaitedAgentsAreBack) {
  s.agent("a2", 1);
  s.restart();
  subscribe();
  come_back("a1", {s.listed("a1", "t1")});
  EXPECT_EQ(s.offers("f"), "");
  const auto state = s.describe();
  EXPECT_EQ(state.agents_known, 2u);
  EXPECT_EQ(state.agents_back, 1u);
  EXPECT_EQ(state.recovers_for, 10 * kSecond);
  come_back("a2", {}, 1);
  EXPECT_EQ(s.offers("f"), "a1:1");
  EXPECT_EQ(s.describe().recovers_for, std::nullopt);
  EXPECT_EQ(s.describe().agents_known, 0u);
}

TEST_F(Recovery, NothingIsOfferedInTheFirstTenSecondsIfOneStaysAway) {
  s.agent("a2", 1);
  s.restart();
  subscribe();
  come_back("a1", {s.listed("a1", "t1")});
  s.pass(9 * kSecond);
  EXPECT_EQ(s.offers("f"), "");
  s.pass(2 * kSecond);
  EXPECT_EQ(s.offers("f"), "a1:1");
}

TEST_F(Recovery, WithNothingKeptOffersAreMadeAtOnce) {
  s.restart_empty();
  s.client("f").framework = {};
  s.framework("f", {.demand = 2});
  come_back("a1");
  EXPECT_EQ(s.offers("f"), "a1:2");
}

TEST_F(Recovery, AnAgentThatIsNotBackAfterAMinuteIsKeptAsUnreachableAndNobodyWaitsForItAgain) {
  const auto key = key_of(s.client("a1").agent);
  s.restart();
  s.pass(59 * kSecond);
  EXPECT_FALSE(s.record<KeptAgent>(key)->unreachable);
  s.pass(2 * kSecond);
  EXPECT_TRUE(s.record<KeptAgent>(key)->unreachable);
  s.restart();
  s.agent("a2", 1);
  subscribe();
  EXPECT_EQ(s.offers("f"), "a2:1*");
}

TEST_F(Recovery, AnAgentThatHasNotComeBackIsNeverForgotten) {
  s.restart();
  s.pass(std::chrono::hours(72));
  EXPECT_THAT(s.describe().agents, SizeIs(1));
  EXPECT_TRUE(s.record<KeptAgent>(key_of(s.client("a1").agent)));
}

TEST_F(Recovery, TheFirstStepIsNoPauseHoweverLateItComes) {
  Stage beating{AllocatorConfig{}};
  beating.framework("f", {.failover = 100 * kSecond});
  beating.sleep(3600 * kSecond);
  beating.restart();
  beating.pass(99 * kSecond);
  EXPECT_THAT(beating.describe().frameworks, SizeIs(1));
  beating.pass(2 * kSecond);
  EXPECT_THAT(beating.describe().frameworks, IsEmpty());
}

TEST_F(Recovery, AnAwaitedAgentCountsForNothing) {
  s.restart();
  subscribe();
  EXPECT_FALSE(s.describe().agents[0].reachable);
  EXPECT_EQ(s.describe().agents[0].total, Resources{});
}

TEST_F(Recovery, ARetiredIdIsRefusedForEver) {
  s.keep_record(RetiredAgent{s.client("a1").agent, "a1"});
  s.drop_record(key_of(s.client("a1").agent));
  s.restart();
  s.say_first("a1", s.registration("a1", {{kMap, 2}}, {s.listed("a1", "t1")}));
  EXPECT_EQ(s.error("a1"), ErrorCode::agent_gone);
  EXPECT_THAT(s.describe().agents, IsEmpty());
}

// ---- frameworks ----

TEST_F(Recovery, AFrameworkIsDisconnectedAndItsFailoverTimeBeginsAnew) {
  s.pass(500 * kSecond);
  s.restart();
  EXPECT_FALSE(s.describe("f").connected);
  s.pass(590 * kSecond);
  EXPECT_THAT(s.describe().frameworks, SizeIs(1));
  s.pass(20 * kSecond);
  EXPECT_THAT(s.describe().frameworks, IsEmpty());
}

TEST_F(Recovery, AFrameworkWithoutFailoverTimeHasAMinute) {
  s.framework("hasty", {});
  s.restart();
  s.pass(59 * kSecond);
  s.framework("hasty", {});
  EXPECT_EQ(s.error("hasty"), std::nullopt);
}

TEST_F(Recovery, TheSecretOfAFrameworkIsStillAsked) {
  s.restart();
  s.client("f").secret = Secret{{1, 1}};
  subscribe();
  EXPECT_EQ(s.error("f"), ErrorCode::refused);
}

TEST_F(Recovery, StatusesAreNumberedAboveThoseOfFormerLives) {
  const auto before = (kEpoch.value << 32);
  s.restart();
  subscribe();
  come_back("a1", {s.listed("a1", "t1")});
  s.finish("a1", "t1");
  EXPECT_EQ(s.take<Update>("f").at(0).status.seq, before + 1);
}

// ---- adoption ----

TEST_F(Recovery, ATaskOfAKnownFrameworkIsAdoptedWithItsSlots) {
  s.restart();
  come_back("a1", {s.listed("a1", "t1")});
  EXPECT_THAT(s.take<Registered>("a1").at(0).kill, IsEmpty());
  EXPECT_EQ(s.describe("f").used, (Resources{{kMap, 1}}));
  subscribe();
  EXPECT_EQ(s.offers("f"), "a1:1*");
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
  s.acknowledge("f", "t1", 1);
  EXPECT_THAT(s.take<Acknowledge>("a1"), SizeIs(1));
  EXPECT_EQ(s.describe("f").used, Resources{});
}

TEST_F(Recovery, AnAdoptedTaskCanBeKilledByItsFramework) {
  s.restart();
  come_back("a1", {s.listed("a1", "t1")});
  subscribe();
  s.say("f", Kill{s.client("f").framework, {"t1"}, kSecond});
  EXPECT_EQ(s.take<Kill>("a1").at(0).task, TaskId{"t1"});
}

TEST_F(Recovery, ATaskOfAnUnknownFrameworkIsKilled) {
  const auto task = s.listed("a1", "t1");
  s.say("f", Teardown{});
  s.restart();
  come_back("a1", {task});
  EXPECT_THAT(s.take<Registered>("a1").at(0).kill, ElementsAre(task.launch));
  EXPECT_EQ(s.describe().agents[0].used, (Resources{{kMap, 1}})) << "until it has ended";
  s.status("a1", "t1", TaskState::killed);
  EXPECT_EQ(s.describe().agents[0].used, Resources{});
}

TEST_F(Recovery, AnEndWithoutAcknowledgementIsHeardOnce) {
  s.restart();
  ++s.client("a1").seqs["t1"];
  come_back("a1", {s.listed("a1", "t1", TaskState::finished)});
  EXPECT_EQ(s.describe("f").used, Resources{}) << "its slots are free";
  subscribe();
  --s.client("a1").seqs["t1"];
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
  s.acknowledge("f", "t1", 1);
  --s.client("a1").seqs["t1"];
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("f"), "") << "the ACKNOWLEDGE to the agent was lost, no more";
}

TEST_F(Recovery, AnEndThatItsAgentCouldNotListAnyMoreIsHeard) {
  s.restart();
  subscribe();
  come_back("a1");
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
}

TEST_F(Recovery, ATaskWhoseEndWasHeardInThisLifeIsNotTakenUpAgain) {
  const auto task = s.listed("a1", "t1");
  s.restart();
  subscribe();
  come_back("a1", {task});
  s.finish("a1", "t1");
  s.acknowledge("f", "t1", 1);
  come_back("a1", {task});
  EXPECT_THAT(s.take<Registered>("a1").back().kill, ElementsAre(task.launch));
  EXPECT_EQ(s.describe("f").used, Resources{});
}

TEST_F(Recovery, MoreThanFitsIsKeptAndNothingIsOfferedThereBeforeItFits) {
  s.revive("f");
  s.run("f", "a1", "t2");
  s.restart();
  subscribe(5);
  come_back("a1", {s.listed("a1", "t1"), s.listed("a1", "t2")}, 1);
  EXPECT_THAT(s.take<Registered>("a1").at(0).kill, IsEmpty());
  EXPECT_EQ(s.describe("f").used, (Resources{{kMap, 2}}));
  EXPECT_EQ(s.offers("f"), "");
  s.finish("a1", "t1");
  EXPECT_EQ(s.offers("f"), "");
  s.finish("a1", "t2");
  EXPECT_EQ(s.offers("f"), "a1:1");
}

TEST_F(Recovery, ATaskOfAKindThatItsAgentHasNoSlotsOfAnyMoreIsKept) {
  s.restart();
  subscribe();
  s.say_first("a1", s.registration("a1", {{kReduce, 1}}, {s.listed("a1", "t1")}));
  EXPECT_THAT(s.take<Registered>("a1").at(0).kill, IsEmpty());
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
}

TEST_F(Recovery, TheOutputsOfAnAdoptedTasksJobCanBeReleased) {
  s.restart();
  auto task = s.listed("a1", "t1");
  task.job = kJob;
  come_back("a1", {task});
  subscribe();
  s.say("f", Release{s.client("f").framework, kJob});
  EXPECT_THAT(s.take<Release>("a1"), SizeIs(1));
}

TEST_F(Recovery, TheReturnOfAnAgentAfterTheWindowIsTold) {
  s.restart();
  subscribe();
  s.pass(61 * kSecond);
  come_back("a1", {s.listed("a1", "t1")});
  EXPECT_EQ(s.updates("f"), "t1 RUNNING");
  EXPECT_FALSE(s.record<KeptAgent>(key_of(s.client("a1").agent))->unreachable);
}

TEST_F(Recovery, TasksAreTakenUpOfAllFormerLives) {
  s.restart();
  come_back("a1", {s.listed("a1", "t1")});
  subscribe();
  s.run("f", "a1", "t2");
  s.restart();
  come_back("a1", {s.listed("a1", "t1"), s.listed("a1", "t2")});
  EXPECT_EQ(s.describe("f").used, (Resources{{kMap, 2}}));
  EXPECT_THAT(s.take<Registered>("a1").at(0).kill, IsEmpty());
}

TEST_F(Recovery, AnAgentThatDoesNotListWhatItHadIsBelieved) {
  s.restart();
  subscribe();
  come_back("a1", {s.listed("a1", "t1")});
  s.say("a1", Heartbeat{});
  s.say_first("a1", s.registration("a1", {{kMap, 2}}, {}, 2));
  EXPECT_EQ(s.updates("f"), "t1 LOST(agent-lost)");
}

// ---- twins ----

TEST_F(Recovery, AMessageOfALaterEpochShowsThatThisOneIsAnOldTwin) {
  EXPECT_EQ(s.machine().superseded(), std::nullopt);
  s.step(MessageReceived{PeerId{5}, {kCluster, Epoch{9}, {}, 0, s.registration("a1", {{kMap, 2}})}});
  EXPECT_EQ(s.machine().superseded(), Epoch{9});
}

TEST_F(Recovery, AMessageOfAnotherClusterShowsNothing) {
  for (const auto cluster : {ClusterId{}, ClusterId{{8, 8}}}) {
    s.step(MessageReceived{PeerId{5}, {cluster, Epoch{9}, {}, 0, s.registration("a1", {{kMap, 2}})}});
  }
  EXPECT_EQ(s.machine().superseded(), std::nullopt);
}

TEST_F(Recovery, EachLifeHasAnIncarnationOfItsOwn) {
  const auto first = s.take<Registered>("a1").at(0).incarnation;
  EXPECT_EQ(s.take<Subscribed>("f").at(0).incarnation, first);
  s.restart();
  come_back("a1", {s.listed("a1", "t1")});
  EXPECT_NE(s.take<Registered>("a1").at(0).incarnation, first);
}

}  // namespace
}  // namespace proffer
