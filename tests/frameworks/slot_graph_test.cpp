// The graph of tasks and slots, with optima worked out by hand.
#include "proffer/frameworks/slot_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace proffer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr std::nullopt_t waits = std::nullopt;

/// Agents 0 and 1 in rack 0, agent 2 in rack 1, a slot each; one job without bounds.
SlotGraph three_agents() {
  SlotGraph graph;
  graph.agents = {{0, 1}, {0, 1}, {1, 1}};
  graph.racks = 2;
  graph.jobs = {{0, 100}};
  return graph;
}
SlotGraph::Task task(std::int64_t waiting, std::vector<SlotGraph::Arc> agents, std::int64_t anywhere) {
  return {0, waiting, std::move(agents), {}, anywhere};
}

TEST(SlotGraph, ATaskWaitsWhenThatIsCheaperThanToMoveItsInput) {
  auto graph = three_agents();
  graph.tasks = {task(4, {}, 5), task(6, {}, 5)};
  EXPECT_EQ(cheapest(graph).at(0), waits);
  EXPECT_NE(cheapest(graph).at(1), waits);
}

TEST(SlotGraph, TheTaskThatHasNoOtherPlaceGetsTheSlotThatBothPrefer) {
  auto graph = three_agents();
  graph.tasks = {task(10, {{0, 0}, {1, 0}}, 9), task(10, {{0, 0}}, 9)};
  EXPECT_THAT(cheapest(graph), ElementsAre(1, 0));
}

TEST(SlotGraph, ARackIsCheaperThanAnywhereAsFarAsItsSlotsReach) {
  auto graph = three_agents();
  for (int i = 0; i < 3; ++i) graph.tasks.push_back({0, 100, {}, {{0, 1}}, 2});
  EXPECT_THAT(cheapest(graph), UnorderedElementsAre(0, 1, 2));
  graph.tasks.resize(2);
  EXPECT_THAT(cheapest(graph), UnorderedElementsAre(0, 1));
}

TEST(SlotGraph, AJobGetsNoMoreThanItsMost) {
  auto graph = three_agents();
  graph.jobs = {{0, 1}, {0, 2}};
  for (const std::size_t job : {0u, 0u, 1u, 1u}) graph.tasks.push_back({job, job == 0 ? 50 : 10, {}, {}, 0});
  const auto where = cheapest(graph);
  EXPECT_EQ(std::count(where.begin(), where.begin() + 2, waits), 1);
  EXPECT_EQ(std::count(where.begin() + 2, where.end(), waits), 0);
}

TEST(SlotGraph, AJobGetsItsLeastHoweverDearThatIs) {
  auto graph = three_agents();
  graph.jobs = {{2, 2}};
  graph.tasks = {task(1, {}, 50), task(1, {}, 60), task(1, {}, 70)};
  const auto where = cheapest(graph);
  EXPECT_NE(where[0], waits);
  EXPECT_NE(where[1], waits);
  EXPECT_EQ(where[2], waits);
}

TEST(SlotGraph, LeastsThatTheSlotsCannotMeetAreMetAsFarAsTheyCan) {
  auto graph = three_agents();
  graph.jobs = {{5, 5}};
  for (int i = 0; i < 5; ++i) graph.tasks.push_back(task(1, {}, 7));
  const auto where = cheapest(graph);
  EXPECT_EQ(std::count(where.begin(), where.end(), waits), 2);
}

TEST(SlotGraph, WithoutSlotsAllWaitAndWithoutTasksThereIsNothing) {
  SlotGraph graph;
  graph.jobs = {{1, 1}};
  EXPECT_TRUE(cheapest(graph).empty());
  graph.tasks = {task(5, {}, 0)};
  EXPECT_THAT(cheapest(graph), ElementsAre(waits));
}

}  // namespace
}  // namespace proffer::testing
