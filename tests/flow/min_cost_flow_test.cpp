// The solver: by hand, and beside another one on random networks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/flow_reference.hpp"
#include "proffer/random.hpp"

namespace proffer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(MinCostFlow, TakesTheCheaperWayAsFarAsItReaches) {
  FlowNetwork net;
  const auto from = net.add_node(3);
  const auto to = net.add_node(-3);
  net.add_arc({from, to, 0, 2, 1});
  net.add_arc({from, to, 0, 5, 10});
  const auto flow = min_cost_flow(net);
  ASSERT_TRUE(flow);
  EXPECT_EQ(flow->cost, 12);
  EXPECT_THAT(flow->on, ElementsAre(2, 1));
}

TEST(MinCostFlow, ALeastBoundIsKeptHoweverDearItIs) {
  FlowNetwork net;
  const auto from = net.add_node(3);
  const auto to = net.add_node(-3);
  net.add_arc({from, to, 0, 3, 1});
  net.add_arc({from, to, 2, 3, 10});
  EXPECT_EQ(min_cost_flow(net)->cost, 21);
}

TEST(MinCostFlow, CostsMayBeBelowZero) {
  FlowNetwork net;
  const auto from = net.add_node(1);
  const auto middle = net.add_node();
  const auto to = net.add_node(-1);
  net.add_arc({from, to, 0, 1, 0});
  net.add_arc({from, middle, 0, 1, -5});
  net.add_arc({middle, to, 0, 1, 3});
  EXPECT_EQ(min_cost_flow(net)->cost, -2);
}

TEST(MinCostFlow, WhatCannotGetThereHasNoFlow) {
  FlowNetwork narrow;
  const auto from = narrow.add_node(2);
  const auto to = narrow.add_node(-2);
  narrow.add_arc({from, to, 0, 1, 1});
  EXPECT_FALSE(min_cost_flow(narrow));

  FlowNetwork apart;
  apart.add_node(1);
  apart.add_node(-1);
  EXPECT_FALSE(min_cost_flow(apart));
}

TEST(MinCostFlow, SuppliesThatDoNotSumToZeroHaveNoFlow) {
  FlowNetwork net;
  const auto from = net.add_node(2);
  const auto to = net.add_node(-1);
  net.add_arc({from, to, 0, 5, 1});
  EXPECT_FALSE(min_cost_flow(net));
}

TEST(MinCostFlow, NothingCostsNothing) {
  EXPECT_EQ(min_cost_flow(FlowNetwork())->cost, 0);
  EXPECT_THAT(min_cost_flow(FlowNetwork())->on, IsEmpty());
}

TEST(MinCostFlowDeathTest, AnArcNeedsItsNodesAndBoundsThatAgree) {
  FlowNetwork net;
  const auto node = net.add_node();
  EXPECT_DEATH(net.add_arc({node, node + 1, 0, 1, 0}), "nodes that are not");
  EXPECT_DEATH(net.add_arc({node, node, 2, 1, 0}), "contradict");
}

/// Layers of sources, places between, and sinks: some of them have no flow.
FlowNetwork random_network(Random& random) {
  FlowNetwork net;
  const auto nodes = 4 + random.below(10);
  std::vector<std::int64_t> supplies(nodes);
  for (auto units = random.below(8); units > 0; --units) {
    ++supplies[random.below(nodes / 2)];
    --supplies[nodes / 2 + random.below(nodes - nodes / 2)];
  }
  for (const auto supply : supplies) net.add_node(supply);
  for (auto arcs = 2 * nodes + random.below(20); arcs > 0; --arcs) {
    const auto from = random.below(nodes - 1);
    const auto to = from + 1 + random.below(nodes - from - 1);
    net.add_arc({from, to, 0, static_cast<std::int64_t>(random.below(4)),
                 static_cast<std::int64_t>(random.below(20))});
  }
  return net;
}

void expect_flow_keeps_its_bounds(const FlowNetwork& net, const Flow& flow) {
  auto left = net.supplies();
  for (std::size_t i = 0; i < flow.on.size(); ++i) {
    const auto& arc = net.arcs()[i];
    EXPECT_GE(flow.on[i], arc.least);
    EXPECT_LE(flow.on[i], arc.most);
    left[arc.from] -= flow.on[i];
    left[arc.to] += flow.on[i];
  }
  EXPECT_THAT(left, ::testing::Each(0));
}

TEST(MinCostFlow, CostsWhatAnotherSolverFindsOnRandomNetworks) {
  Random random(4);
  int solved = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto net = random_network(random);
    const auto flow = min_cost_flow(net);
    const auto reference = bench::cheapest_by_shortest_paths(net);
    ASSERT_EQ(flow.has_value(), reference.has_value()) << "network " << i;
    if (!flow) continue;
    ++solved;
    ASSERT_EQ(flow->cost, *reference) << "network " << i;
    expect_flow_keeps_its_bounds(net, *flow);
  }
  EXPECT_GT(solved, 500);
  EXPECT_LT(solved, 2000);
}

}  // namespace
}  // namespace proffer::testing
