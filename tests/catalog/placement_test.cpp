// The places of replicas of new blocks.
#include "catalog/tables/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace proffer::catalog {
namespace {

AgentId agent(std::uint64_t n) { return {Bits128{n, n}}; }

/// Agents 1, 2, ... in racks of `per_rack`.
std::vector<PlacementNode> grid(std::uint64_t racks, std::uint64_t per_rack) {
  std::vector<PlacementNode> nodes;
  for (std::uint64_t n = 0; n < racks * per_rack; ++n) {
    nodes.push_back({agent(n + 1), "r" + std::to_string(n / per_rack), 0});
  }
  return nodes;
}

std::string rack_of(const std::vector<PlacementNode>& nodes, AgentId id) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node.agent == id; });
  return found->rack;
}

std::map<std::string, int> per_rack(const std::vector<PlacementNode>& nodes,
                                    const std::vector<AgentId>& chosen) {
  std::map<std::string, int> counts;
  for (const auto id : chosen) ++counts[rack_of(nodes, id)];
  return counts;
}

TEST(Placement, WriterComesFirstThenAnotherRackThenASecondNodeOfThatRack) {
  const auto nodes = grid(4, 4);
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const auto chosen = choose_targets(nodes, agent(6), 3, random);
    ASSERT_EQ(chosen.size(), 3u);
    EXPECT_EQ(chosen[0], agent(6));
    EXPECT_NE(rack_of(nodes, chosen[1]), rack_of(nodes, chosen[0]));
    EXPECT_EQ(rack_of(nodes, chosen[2]), rack_of(nodes, chosen[1]));
    EXPECT_NE(chosen[2], chosen[1]);
  }
}

TEST(Placement, AnUnknownWriterGetsNoReplicaAndAllNodesServeAsFirst) {
  const auto nodes = grid(2, 2);
  Random random(2);
  std::set<AgentId> firsts;
  for (int i = 0; i < 200; ++i) firsts.insert(choose_targets(nodes, agent(99), 2, random).at(0));
  EXPECT_EQ(firsts.size(), 4u);
}

TEST(Placement, NoRackGetsMoreThanItsShareAndTwo) {
  const auto nodes = grid(4, 8);
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const auto chosen = choose_targets(nodes, {}, 10, random);
    EXPECT_EQ(std::set<AgentId>(chosen.begin(), chosen.end()).size(), 10u);
    for (const auto& [rack, count] : per_rack(nodes, chosen)) EXPECT_LE(count, (10 - 1) / 4 + 2) << rack;
  }
}

TEST(Placement, FewerAgentsThanReplicasMeansAllOfThem) {
  Random random(4);
  EXPECT_EQ(choose_targets(grid(1, 2), {}, 3, random).size(), 2u);
  EXPECT_EQ(choose_targets(grid(3, 1), {}, 5, random).size(), 3u);
  EXPECT_TRUE(choose_targets({}, agent(1), 3, random).empty());
}

TEST(Placement, OneRackOrLonelySecondRackStillGivesDifferentNodes) {
  Random random(5);
  auto nodes = grid(1, 3);
  nodes.push_back({agent(4), "far", 0});
  for (int i = 0; i < 100; ++i) {
    const auto chosen = choose_targets(nodes, agent(1), 3, random);
    EXPECT_EQ(chosen.at(1), agent(4));
    EXPECT_EQ(std::set<AgentId>(chosen.begin(), chosen.end()).size(), 3u);
  }
}

TEST(Placement, LoadsOfASmallClusterStayClose) {
  auto nodes = grid(4, 4);
  Random random(6);
  for (int block = 0; block < 160; ++block) {
    for (const auto id : choose_targets(nodes, {}, 3, random)) {
      std::find_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.agent == id; })->load += 1;
    }
  }
  const auto [low, high] = std::minmax_element(nodes.begin(), nodes.end(),
                                               [](const auto& a, const auto& b) { return a.load < b.load; });
  // 30 a node on average; single draws spread these over about 20 to 41.
  EXPECT_GE(low->load, 25u);
  EXPECT_LE(high->load, 35u);
}

TEST(Placement, EqualSeedsGiveEqualTargets) {
  const auto nodes = grid(3, 3);
  Random one(7);
  Random other(7);
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(choose_targets(nodes, {}, 3, one), choose_targets(nodes, {}, 3, other));
}

}  // namespace
}  // namespace proffer::catalog
