// The words of `proffer status` and `proffer agent list` for how agents, frameworks and the cluster stand.
#include "cli/agent_text.hpp"

#include <gtest/gtest.h>

namespace proffer::cli {
namespace {

using namespace std::chrono_literals;

AgentState agent(const std::string& reach, const std::string& wish = "", std::uint64_t tasks = 0) {
  AgentState state;
  state.reach = reach;
  state.wish = wish;
  state.tasks = tasks;
  return state;
}

FrameworkState away(Duration left) {
  FrameworkState state;
  state.connected = false;
  state.given_up_in = left;
  return state;
}

TEST(StateOfAnAgent, SaysWhatAnOperatorWants) {
  EXPECT_EQ(state_of(agent("up")), "up");
  EXPECT_EQ(state_of(agent("up", "draining", 3)), "draining 3 tasks");
  EXPECT_EQ(state_of(agent("up", "draining", 1)), "draining 1 task");
  EXPECT_EQ(state_of(agent("up", "drained")), "drained");
}

TEST(StateOfAnAgent, SaysHowFarAwayItIs) {
  EXPECT_EQ(state_of(agent("awaited")), "awaited");
  EXPECT_EQ(state_of(agent("unreachable")), "unreachable");
  EXPECT_EQ(state_of(agent("silent", "draining", 2)), "draining 2 tasks, silent");
  EXPECT_EQ(state_of(agent("unreachable", "drained")), "drained, unreachable");
}

TEST(StateOfAnAgent, TroubleIsTheLeast) {
  auto sick = agent("up");
  sick.trouble = "no disk";
  EXPECT_EQ(state_of(sick), "trouble");
  sick.reach = "silent";
  EXPECT_EQ(state_of(sick), "silent");
}

TEST(StateOfAFramework, SaysHowLongItMayStayAway) {
  EXPECT_EQ(state_of(FrameworkState{}), "up");
  EXPECT_EQ(state_of(away(552s)), "away, 9m 12s left");
  EXPECT_EQ(state_of(away(1500ms)), "away, 2s left");
  EXPECT_EQ(state_of(away(26h + 5min)), "away, 26h 5m left");
  auto given_up = away(0s);
  given_up.given_up_in.reset();
  EXPECT_EQ(state_of(given_up), "ending");
}

TEST(Warnings, TellOfARecovery) {
  ClusterState state;
  EXPECT_EQ(warnings_of(state), "");
  state.agents_known = 10;
  state.agents_back = 7;
  state.recovers_for = 5500ms;
  EXPECT_EQ(warnings_of(state), "recovering: 7 of 10 agents, 6 s\n");
  state.recovers_for.reset();
  EXPECT_EQ(warnings_of(state), "recovering: 7 of 10 agents\n");
  state.agents_back = 10;
  EXPECT_EQ(warnings_of(state), "");
}

TEST(Warnings, TellWhyNobodyIsGivenUp) {
  ClusterState state;
  state.degraded = "6 of 10 agents are silent";
  EXPECT_EQ(warnings_of(state), "degraded: 6 of 10 agents are silent\n");
}

}  // namespace
}  // namespace proffer::cli
