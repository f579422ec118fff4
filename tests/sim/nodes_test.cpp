// The nodes and runs of the simulated executor.
#include "sim/nodes.hpp"

#include <gtest/gtest.h>

#include "sim/run_table.hpp"

namespace proffer::sim {
namespace {

constexpr BlockId kBlock{7};

AgentId id(AgentNo number) { return {{0, number + 1u}}; }
Replica replica(AgentNo number) { return {id(number), "", ""}; }

/// Two nodes whose agents have their ids.
Nodes two_nodes() {
  Nodes nodes(std::vector<study::PlanNode>(2));
  nodes.name(0, id(0));
  nodes.name(1, id(1));
  return nodes;
}

TEST(Nodes, ABlockIsReadFromItsFirstReplicaOnANodeThatIsUp) {
  auto nodes = two_nodes();
  EXPECT_EQ(nodes.source_of(kBlock, {replica(1), replica(0)}), 1u);
  nodes.lose(1);
  EXPECT_EQ(nodes.source_of(kBlock, {replica(1), replica(0)}), 0u);
  nodes.come_back(1);
  EXPECT_EQ(nodes.source_of(kBlock, {replica(1), replica(0)}), 1u);
}

TEST(Nodes, AReplicaThatWasDroppedIsNotReadUntilItIsStoredAgain) {
  auto nodes = two_nodes();
  nodes.drop({1, kBlock});
  EXPECT_EQ(nodes.source_of(kBlock, {replica(1)}), std::nullopt);
  nodes.store({1, kBlock});
  EXPECT_EQ(nodes.source_of(kBlock, {replica(1)}), 1u);
}

TEST(Nodes, AnAgentWithoutAnIdHoldsNothing) {
  EXPECT_EQ(Nodes(std::vector<study::PlanNode>(1)).source_of(kBlock, {replica(0)}), std::nullopt);
}

StartRun synthetic(std::uint64_t launch) {
  return {LaunchId{launch}, {}, "", {{"t"}, {}, {}, std::make_shared<const Work>(SyntheticWork{})}};
}

TEST(RunTable, ANumberIsUsedAgainWithAnotherVersion) {
  RunTable runs;
  const auto first = runs.open(0, synthetic(1));
  const auto version = runs[first].version;
  runs.close(first);
  EXPECT_EQ(runs.open(0, synthetic(2)), first);
  EXPECT_FALSE(runs.is_still(first, version));
}

TEST(RunTable, ARunIsFoundByItsLaunchUntilItIsClosed) {
  RunTable runs;
  const auto number = runs.open(3, synthetic(1));
  EXPECT_EQ(runs.find(3, LaunchId{1}), number);
  EXPECT_EQ(runs.find(2, LaunchId{1}), std::nullopt);
  runs.close(number);
  EXPECT_EQ(runs.find(3, LaunchId{1}), std::nullopt);
}

}  // namespace
}  // namespace proffer::sim
