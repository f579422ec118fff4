// CHANGE_AGENT: agents that operators drain, take back into service, or declare gone.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AgentWishes : public ::testing::Test {
 protected:
  explicit AgentWishes(AllocatorConfig config = without_heartbeats()) : s(std::move(config)) {
    s.agent("a1", 2);
    s.framework("f");
  }
  AdminDone change(const std::string& verb, const std::string& agent = "a1",
                   std::optional<Duration> kill_after = {}) {
    s.say_first("person", ChangeAgent{7, agent, verb, kill_after});
    const auto done = s.take<AdminDone>("person");
    EXPECT_THAT(done, SizeIs(1));
    return done.empty() ? AdminDone{} : done.front();
  }
  AgentState agent(std::size_t i = 0) { return s.describe().agents.at(i); }
  std::string hex(const std::string& name) { return to_hex(s.client(name).agent.value); }
  Stage s;
};

// ---- drain ----

TEST_F(AgentWishes, ADrainedAgentIsOfferedToNobody) {
  EXPECT_EQ(s.offers("f"), "a1:2*");
  EXPECT_EQ(change("drain").text, "agent a1 is drained");
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(1));
  EXPECT_THAT(s.held("f"), IsEmpty());
  s.framework("g");
  EXPECT_EQ(s.offers("g"), "");
}

TEST_F(AgentWishes, ItsTasksRunToTheirEnd) {
  s.run("f", "a1", "t1");
  EXPECT_EQ(change("drain").text, "agent a1 is draining: 1 task left");
  EXPECT_EQ(agent().wish, "draining");
  EXPECT_EQ(agent().tasks, 1u);
  s.pass(std::chrono::hours(1));
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
  s.finish("a1", "t1");
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
  EXPECT_EQ(agent().wish, "drained");
  EXPECT_EQ(agent().tasks, 0u);
}

TEST_F(AgentWishes, TheSlotsOfADrainedAgentCountForNobody) {
  s.run("f", "a1", "t1");
  change("drain");
  EXPECT_EQ(s.describe("f").fair, (Quantities{{kMap, 2}})) << "while something runs there";
  s.finish("a1", "t1");
  EXPECT_EQ(s.describe("f").fair, (Quantities{{kMap, 0}}));
  change("undrain");
  EXPECT_EQ(s.describe("f").fair, (Quantities{{kMap, 2}}));
}

TEST_F(AgentWishes, AnAcceptThatCrossesTheDrainLaunchesNothing) {
  const auto held = s.held("f", "a1");
  change("drain");
  Accept accept{1, held, {s.task("t1")}, DeclineReason::other, {}, {}};
  EXPECT_EQ(s.accept("f", accept), "t1=DROPPED(offer-gone)");
  EXPECT_THAT(s.take<Launch>("a1"), IsEmpty());
}

TEST_F(AgentWishes, UndrainedItIsOfferedAgain) {
  change("drain");
  s.offers("f");
  EXPECT_EQ(change("undrain").text, "agent a1 serves");
  EXPECT_EQ(s.offers("f"), "a1:2*");
  EXPECT_EQ(agent().wish, "");
}

TEST_F(AgentWishes, AfterTheTimeWhatStillRunsIsKilledAsDrained) {
  s.run("f", "a1", "t1");
  change("drain", "a1", 60 * kSecond);
  s.pass(59 * kSecond);
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
  s.pass(kSecond);
  EXPECT_THAT(s.take<Kill>("a1"), SizeIs(1));
  s.status("a1", "t1", TaskState::killed);
  EXPECT_EQ(s.updates("f"), "t1 KILLED(drained)");
}

TEST_F(AgentWishes, ATaskThatItsFrameworkHasKilledIsNotDrained) {
  s.run("f", "a1", "t1");
  s.say("f", Kill{s.client("f").framework, {"t1"}, kSecond});
  change("drain", "a1", Duration::zero());
  s.status("a1", "t1", TaskState::killed);
  EXPECT_EQ(s.updates("f"), "t1 KILLED") << "as its framework asked";
}

TEST_F(AgentWishes, ALaterDrainWithoutATimeLetsTasksRunOn) {
  s.run("f", "a1", "t1");
  change("drain", "a1", 60 * kSecond);
  change("drain");
  s.pass(120 * kSecond);
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
}

TEST_F(AgentWishes, UndrainEndsTheTimeAsWell) {
  s.run("f", "a1", "t1");
  change("drain", "a1", 60 * kSecond);
  change("undrain");
  s.pass(120 * kSecond);
  EXPECT_THAT(s.take<Kill>("a1"), IsEmpty());
}

TEST_F(AgentWishes, BothAreTracedOnce) {
  change("drain");
  change("drain");
  change("undrain");
  std::vector<std::string> whys;
  for (const auto& trace : s.traces<AgentTrouble>()) whys.push_back(trace.why);
  EXPECT_THAT(whys, ElementsAre("an operator drains it", ""));
}

TEST_F(AgentWishes, AnAgentThatIsWellAgainStaysDrained) {
  change("drain");
  s.say("a1", AgentHealth{"no disk"});
  s.say("a1", AgentHealth{""});
  s.offers("f");
  s.framework("g");
  EXPECT_EQ(s.offers("g"), "");
  EXPECT_EQ(s.traces<AgentTrouble>().back().why, "an operator drains it");
}

TEST_F(AgentWishes, ADrainedAgentThatRegistersAgainStaysDrained) {
  s.run("f", "a1", "t1");
  change("drain");
  s.lose("a1");
  s.reconnect("a1");
  s.say_first("a1", s.registration("a1", {{kMap, 2}}, {s.listed("a1", "t1")}));
  s.framework("g");
  EXPECT_EQ(s.offers("g"), "");
  EXPECT_EQ(agent().wish, "draining");
  s.finish("a1", "t1");
  EXPECT_EQ(agent().wish, "drained");
}

// ---- restarts ----

TEST_F(AgentWishes, ADrainOutlivesTheAllocator) {
  change("drain");
  Stage next(without_heartbeats(), s.records());
  next.client("a1").agent = s.client("a1").agent;
  next.client("a1").secret = s.client("a1").secret;
  next.agent("a1", 2);
  next.framework("f");
  next.pass(60 * kSecond);
  EXPECT_EQ(next.offers("f"), "");
  EXPECT_EQ(next.describe().agents.at(0).wish, "drained");
  next.say_first("person", ChangeAgent{8, "a1", "undrain", {}});
  EXPECT_EQ(next.offers("f"), "a1:2*");
}

TEST_F(AgentWishes, AnUndrainOutlivesTheAllocator) {
  change("drain");
  change("undrain");
  Stage next(without_heartbeats(), s.records());
  next.client("a1").agent = s.client("a1").agent;
  next.client("a1").secret = s.client("a1").secret;
  next.agent("a1", 2);
  next.framework("f");
  next.pass(10 * kSecond);
  EXPECT_EQ(next.offers("f"), "a1:2*");
}

TEST_F(AgentWishes, TheTimeOfADrainIsKept) {
  change("drain", "a1", 60 * kSecond);
  const auto kept = std::get<KeptAgent>(s.records().at(key_of(s.client("a1").agent)));
  EXPECT_EQ(kept.wish, AgentWish::drain);
  EXPECT_EQ(kept.kill_after, 60 * kSecond);
  EXPECT_EQ(kept.info.name, "a1");
  EXPECT_EQ(kept.secret, s.client("a1").secret);
}

TEST_F(AgentWishes, ACrashBringsNoGoneAgentBack) {
  change("drain");
  change("gone");
  Stage next(without_heartbeats(), s.records());
  next.client("a1").agent = s.client("a1").agent;
  next.client("a1").secret = s.client("a1").secret;
  next.agent("a1", 2);
  EXPECT_EQ(next.error("a1"), ErrorCode::agent_gone);
  EXPECT_THAT(next.describe().agents, IsEmpty());
}

// ---- gone ----

class GoneAgents : public AgentWishes {
 protected:
  GoneAgents() : AgentWishes(with_long_offers()) {
    s.agent("a2", 1);
    s.run("f", "a1", "t1");
    s.offers("f");
  }
  void fall_silent() {
    s.client("a1").mute = true;
    s.pass(30 * kSecond + kSecond / 2);
  }
};

TEST_F(GoneAgents, AnAgentThatIsUpIsNotGone) {
  const auto refused = change("gone");
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->code, ErrorCode::invalid);
  EXPECT_EQ(refused.error->message,
            "agent a1 is up and runs 1 task: only one that is drained or out of reach can be declared gone; "
            "see proffer agent drain a1 --wait");
  change("drain");
  EXPECT_TRUE(change("gone").error) << "it is draining";
  EXPECT_EQ(s.updates("f"), "");
}

TEST_F(GoneAgents, TheTasksOfOneOutOfReachAreGoneOnce) {
  fall_silent();
  EXPECT_EQ(s.updates("f"), "t1 UNREACHABLE(agent-lost)");
  EXPECT_EQ(change("gone").text, "agent a1 is gone, and so is 1 task");
  EXPECT_EQ(s.updates("f"), "t1 GONE(agent-gone)");
  EXPECT_EQ(s.describe().agents.size(), 1u);
  const auto seq = s.client("f").seqs["t1"];
  EXPECT_EQ(seq, 0u);
  EXPECT_EQ(change("gone").text, "agent a1 is gone") << "as somebody hears who asks again";
  EXPECT_EQ(change("undrain").error->code, ErrorCode::agent_gone);
  EXPECT_EQ(s.updates("f"), "");
}

TEST_F(GoneAgents, TheEndIsToldUntilItIsAcknowledged) {
  fall_silent();
  change("gone");
  const auto updates = s.take<Update>("f");
  ASSERT_FALSE(updates.empty());
  const auto seq = updates.back().status.seq & 0xffffffff;  // within this life of the allocator
  s.pass(3 * kSecond);
  EXPECT_EQ(s.updates("f"), "t1 GONE(agent-gone), t1 GONE(agent-gone)") << "after 1 s and 2 s";
  s.acknowledge("f", "t1", seq);
  s.pass(60 * kSecond);
  EXPECT_EQ(s.updates("f"), "");
}

TEST_F(GoneAgents, AnAgentThatWasSilentForSecondsOnlyCanBeGone) {
  s.client("a1").mute = true;
  s.pass(6 * kSecond);
  EXPECT_FALSE(change("gone").error);
  EXPECT_EQ(s.updates("f"), "t1 UNREACHABLE(agent-lost), t1 GONE(agent-gone)");
}

TEST_F(GoneAgents, AReturningOneIsRefused) {
  fall_silent();
  change("gone");
  s.reconnect("a1");
  s.say_first("a1", s.registration("a1", {{kMap, 2}}, {s.listed("a1", "t1")}));
  const auto text = s.error_text("a1");
  EXPECT_THAT(text, HasSubstr("declared gone by an operator"));
  EXPECT_THAT(text, HasSubstr("as a new agent"));
  EXPECT_EQ(s.describe().agents.size(), 1u);
}

TEST_F(GoneAgents, ANewAgentMayHaveItsName) {
  fall_silent();
  change("gone");
  s.client("a1") = {};
  s.reconnect("a1");
  s.agent("a1", 2);
  EXPECT_EQ(s.error("a1"), std::nullopt);
  EXPECT_EQ(s.describe().agents.size(), 2u);
}

TEST_F(GoneAgents, ANewAgentThatDoesNotKnowItsIdYetIsKnownByItsSecret) {
  fall_silent();
  change("gone");
  const auto secret = s.client("a1").secret;
  const auto register_without_id = [&](std::uint64_t run) {
    s.client("a1") = {};
    s.client("a1").secret = secret;
    s.reconnect("a1");
    s.say_first("a1", s.registration("a1", {{kMap, 2}}, {}, run));
    return s.client("a1").agent;
  };
  const auto id = register_without_id(2);
  ASSERT_FALSE(id.value.is_nil());
  s.lose("a1");
  EXPECT_EQ(register_without_id(3), id) << "the answer may not have arrived";
  s.restart();
  EXPECT_EQ(register_without_id(4), id);
  EXPECT_EQ(register_without_id(3), AgentId{}) << "a hello of a former process";
}

TEST_F(GoneAgents, ADrainedOneIsToldThatItIsVoid) {
  change("drain");
  s.finish("a1", "t1");
  EXPECT_FALSE(change("gone").error);
  EXPECT_EQ(s.error("a1"), ErrorCode::agent_gone);
  EXPECT_EQ(s.updates("f"), "t1 FINISHED") << "an end that was there stays";
}

TEST_F(GoneAgents, TheRecordOfTheAgentMakesPlaceForThatOfItsEnd) {
  fall_silent();
  change("drain");
  const auto id = s.client("a1").agent;
  change("gone");
  EXPECT_FALSE(s.records().contains(key_of(id)));
  EXPECT_TRUE(s.records().contains(key_of(Kept(RetiredAgent{id, "a1"}))));
}

TEST_F(GoneAgents, ADrainedAgentIsNotForgottenByTime) {
  change("drain");
  s.finish("a1", "t1");
  s.client("a1").mute = true;
  s.client("f").mute = true;  // a day of its heartbeats takes half a minute
  s.pass(std::chrono::hours(25));
  EXPECT_EQ(agent().wish, "drained");
  EXPECT_EQ(agent().reach, "unreachable");
}

// ---- names ----

TEST_F(AgentWishes, AnAgentIsNamedByItsIdAsWell) {
  EXPECT_FALSE(change("drain", hex("a1")).error);
  EXPECT_EQ(agent().wish, "drained");
}

TEST_F(AgentWishes, AnUnknownNameGetsTheNearest) {
  s.agent("rack-7-node-3", 1);
  const auto refused = change("drain", "rack-7-nod-3");
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->code, ErrorCode::not_found);
  EXPECT_EQ(refused.error->message, "there is no agent 'rack-7-nod-3'; did you mean rack-7-node-3?");
  EXPECT_EQ(change("drain", "quite-another").error->message,
            "there is no agent 'quite-another'; see proffer agent list");
}

TEST_F(AgentWishes, AnUnknownVerbChangesNothing) {
  const auto before = s.records();
  const auto refused = change("stop");
  ASSERT_TRUE(refused.error);
  EXPECT_THAT(refused.error->message, HasSubstr("'stop'"));
  EXPECT_EQ(s.records(), before);
}

TEST_F(AgentWishes, ATimeBelongsToADrain) {
  EXPECT_TRUE(change("undrain", "a1", kSecond).error);
  EXPECT_TRUE(change("drain", "a1", -kSecond).error);
}

TEST_F(AgentWishes, AFullDiskKeepsThemAsTheyAre) {
  s.step(StoreRoom{Room::none, "its file: No space left on device"});
  const auto refused = change("drain");
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(refused.error->code, ErrorCode::no_space);
  EXPECT_EQ(agent().wish, "");
  s.step(StoreRoom{});
  EXPECT_FALSE(change("drain").error);
}

}  // namespace
}  // namespace proffer
