// One connection that brings more and more, and what has been away for long: neither fills a table.
#include "proffer/limits.hpp"
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

Subscribe numbered_framework(std::size_t n, Duration failover = 1h) {
  Subscribe hello;
  hello.name = "f" + std::to_string(n);
  hello.failover_timeout = failover;
  return hello;
}

/// So many, one after the other, through one connection; all but the last are disconnected.
void crowd_of_frameworks(Stage& s, const std::string& connection, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) s.say_first(connection, numbered_framework(n));
}

TEST(Crowds, AConnectionBringsSoManyFrameworksAtMostAndOthersAreTaken) {
  Stage s;
  crowd_of_frameworks(s, "crowd", limits::kFrameworksPerPeer);
  EXPECT_THAT(s.take<Subscribed>("crowd"), SizeIs(limits::kFrameworksPerPeer));
  s.say_first("crowd", numbered_framework(1000));
  EXPECT_THAT(s.error_text("crowd"), HasSubstr("as many frameworks as it may"));
  s.say_first("crowd", numbered_framework(1000));
  EXPECT_EQ(s.error("crowd"), ErrorCode::slow_down);
  s.framework("honest");
  EXPECT_THAT(s.take<Subscribed>("honest"), SizeIs(1));
}

TEST(Crowds, AConnectionMayBringAnotherFrameworkOnceItsFormerOnesAreForgotten) {
  Stage s;
  crowd_of_frameworks(s, "crowd", limits::kFrameworksPerPeer);
  s.pass(1h);
  s.take<Subscribed>("crowd");
  s.say_first("crowd", numbered_framework(1000));
  EXPECT_THAT(s.take<Subscribed>("crowd"), SizeIs(1));
}

TEST(Crowds, AFrameworkThatComesBackMayDoSoThroughAConnectionThatHasBroughtAll) {
  Stage s;
  crowd_of_frameworks(s, "crowd", limits::kFrameworksPerPeer);
  const auto first = s.take<Subscribed>("crowd").front();
  auto again = numbered_framework(0);
  again.framework = first.framework;
  again.secret = first.secret;
  s.say_first("crowd", again);
  EXPECT_THAT(s.take<Subscribed>("crowd"), SizeIs(1));
}

TEST(Crowds, AFailoverTimeoutOfAYearIsOneOfAWeek) {
  Stage s;
  s.framework("f", {.failover = 24h * 365});
  s.lose("f");
  s.pass(24h * 7 - 1s);
  EXPECT_THAT(s.describe().frameworks, SizeIs(1));
  s.pass(1s);
  EXPECT_THAT(s.describe().frameworks, IsEmpty());
}

TEST(Crowds, AFullTableHasRoomForANewFrameworkWhileOneIsAwayWithoutTasks) {
  Stage s;
  s.check_every(100'000);
  for (std::size_t n = 0; n < limits::kFrameworks; ++n) {
    if (n % limits::kFrameworksPerPeer == 0) s.reconnect("crowd");
    s.say_first("crowd", numbered_framework(n, 1h + Duration{static_cast<std::int64_t>(n)}));
  }
  EXPECT_THAT(s.traces<FrameworkAdded>(), SizeIs(limits::kFrameworks));
  s.framework("honest");
  EXPECT_THAT(s.take<Subscribed>("honest"), SizeIs(1));
  ASSERT_FALSE(s.traces<FrameworkLost>().empty());
  EXPECT_EQ(s.traces<FrameworkLost>().back().why, "its place is needed");
}

// ---- agents ----

Register numbered_agent(std::size_t n, Resources slots = {{kMap, 1}}) {
  const auto name = "a" + std::to_string(n);
  return {{}, 1, name, "r1", "tcp://" + name, std::move(slots), {}};
}

TEST(Crowds, AConnectionBringsSoManyAgentsAtMostAndOthersAreTaken) {
  Stage s;
  for (std::size_t n = 0; n < limits::kAgentsPerPeer; ++n) s.say_first("crowd", numbered_agent(n));
  EXPECT_THAT(s.take<Registered>("crowd"), SizeIs(limits::kAgentsPerPeer));
  s.say_first("crowd", numbered_agent(1000));
  EXPECT_THAT(s.error_text("crowd"), HasSubstr("as many agents as it may"));
  s.agent("honest", 1);
  EXPECT_THAT(s.take<Registered>("honest"), SizeIs(1));
}

Resources kinds(int from, int count) {
  Resources slots;
  for (int n = from; n < from + count; ++n) slots.set(Kind("k" + std::to_string(n)), 1);
  return slots;
}

TEST(Crowds, AConnectionBringsAsManyKindsOfSlotsAsAnAgentHasAndOthersMayBringMore) {
  Stage s;
  s.say_first("crowd", numbered_agent(1, kinds(0, 16)));
  EXPECT_THAT(s.take<Registered>("crowd"), SizeIs(1));
  s.say_first("crowd", numbered_agent(2, kinds(16, 1)));
  EXPECT_THAT(s.error_text("crowd"), HasSubstr("16 kinds of slots at most"));
  s.say_first("crowd", numbered_agent(2, kinds(0, 16)));
  EXPECT_THAT(s.take<Registered>("crowd"), SizeIs(1));
  s.agent("honest", kinds(16, 16));
  EXPECT_THAT(s.take<Registered>("honest"), SizeIs(1));
}

TEST(Crowds, AnAgentListsNoMoreTasksThanAnAgentCanHave) {
  Stage s;
  std::vector<AgentTask> tasks(2 * limits::kTasksPerAgent);
  for (std::size_t n = 0; n < tasks.size(); ++n) {
    tasks[n].task = {"t" + std::to_string(n)};
    tasks[n].launch = LaunchId{kEpoch.value, n + 1};
  }
  s.say_first("a1", s.registration("a1", {{kMap, 1}}, tasks));
  EXPECT_THAT(s.take<Registered>("a1"), SizeIs(1));
  tasks.push_back(tasks.back());
  s.say_first("a2", s.registration("a2", {{kMap, 1}}, tasks));
  EXPECT_THAT(s.error_text("a2"), HasSubstr("too many tasks"));
}

TEST(AgentsThatLeft, AreForgottenAfterADayWhenNothingOfThemIsLeft) {
  Stage s{AllocatorConfig()};
  s.agent("a1", 1);
  s.client("a1").mute = true;
  s.pass(24h);
  EXPECT_THAT(s.describe().agents, SizeIs(1));
  s.pass(1min);
  EXPECT_THAT(s.describe().agents, IsEmpty());
  EXPECT_EQ(s.traces<AgentLost>().back().why, "silent for long");
}

TEST(AgentsThatLeft, AreRememberedForTheirTasks) {
  Stage s{AllocatorConfig()};
  s.agent("a1", 1);
  s.framework("f", {.failover = 24h * 7});
  s.run("f", "a1", "t1");
  s.lose("f");
  s.client("a1").mute = true;
  s.pass(24h * 5);
  EXPECT_THAT(s.describe().agents, SizeIs(1));
  s.pass(24h * 4);
  EXPECT_THAT(s.describe().agents, IsEmpty()) << "the framework was given up, and its task with it";
}

}  // namespace
}  // namespace proffer
