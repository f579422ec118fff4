// The nodes and runs of the simulated executor.
#include "sim/nodes.hpp"

#include <gmock/gmock.h>

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
  EXPECT_EQ(nodes.source_of(0, kBlock, {replica(1), replica(0)}), 1u);
  nodes.lose(1);
  EXPECT_EQ(nodes.source_of(0, kBlock, {replica(1), replica(0)}), 0u);
  nodes.come_back(1);
  EXPECT_EQ(nodes.source_of(0, kBlock, {replica(1), replica(0)}), 1u);
}

TEST(Nodes, ACutRackReachesItselfAndACutNodeNobody) {
  Nodes nodes({{"a", "r1", {}}, {"b", "r1", {}}, {"c", "r2", {}}});
  EXPECT_THAT(nodes.cut_rack("r1", 1), testing::ElementsAre(0u, 1u));
  EXPECT_TRUE(nodes.reaches(0, 1));
  EXPECT_FALSE(nodes.reaches(0, 2));
  EXPECT_TRUE(nodes.is_cut_off(1));
  EXPECT_FALSE(nodes.is_cut_off(2));
  nodes.cut_node(0, 1);
  EXPECT_FALSE(nodes.reaches(0, 1));
  EXPECT_TRUE(nodes.reaches(0, 0)) << "it has its own disk";
  nodes.cut_rack("r1", -1);
  EXPECT_TRUE(nodes.reaches(1, 2));
  EXPECT_TRUE(nodes.is_cut_off(0));
  nodes.cut_node(0, -1);
  EXPECT_TRUE(nodes.reaches(2, 0));
}

TEST(Nodes, AReplicaThatWasDroppedIsNotReadUntilItIsStoredAgain) {
  auto nodes = two_nodes();
  nodes.drop({1, kBlock});
  EXPECT_EQ(nodes.source_of(0, kBlock, {replica(1)}), std::nullopt);
  nodes.store({1, kBlock});
  EXPECT_EQ(nodes.source_of(0, kBlock, {replica(1)}), 1u);
}

TEST(Nodes, AnAgentWithoutAnIdHoldsNothing) {
  EXPECT_EQ(Nodes(std::vector<study::PlanNode>(1)).source_of(0, kBlock, {replica(0)}), std::nullopt);
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
