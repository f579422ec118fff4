// The one source that knows LEMON. Only the network simplex of its solvers, and only the smart ones of its
// graphs, compile as C++20; nothing of its library is linked.
#include "proffer/flow/min_cost_flow.hpp"

// LEMON's arcs begin without values, which a sanitized build of g++ 12 warns of.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#define LEMON_ONLY_TEMPLATES
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include <numeric>

namespace proffer {
namespace {

using Graph = lemon::SmartDigraph;
using Simplex = lemon::NetworkSimplex<Graph, std::int64_t, std::int64_t>;

/// The flow on each arc. Arcs of a SmartDigraph are numbered in the order in which they were added.
Flow flow_of(const Graph& graph, const Simplex& simplex, const FlowNetwork& network) {
  Flow flow;
  const auto& arcs = network.arcs();
  flow.on.reserve(arcs.size());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    flow.on.push_back(simplex.flow(graph.arcFromId(static_cast<int>(i))));
    flow.cost += flow.on.back() * arcs[i].cost;
  }
  return flow;
}

}  // namespace

std::optional<Flow> min_cost_flow(const FlowNetwork& network) {
  const auto& supplies = network.supplies();
  const auto& arcs = network.arcs();
  if (std::accumulate(supplies.begin(), supplies.end(), std::int64_t{0}) != 0) return {};
  if (arcs.empty()) {
    for (const auto supply : supplies) {
      if (supply != 0) return {};
    }
    return Flow{};
  }
  Graph graph;
  graph.reserveNode(static_cast<int>(supplies.size()));
  graph.reserveArc(static_cast<int>(arcs.size()));
  for (std::size_t i = 0; i < supplies.size(); ++i) graph.addNode();
  Graph::ArcMap<std::int64_t> least(graph), most(graph), cost(graph);
  Graph::NodeMap<std::int64_t> supply(graph);
  for (std::size_t i = 0; i < supplies.size(); ++i)
    supply[graph.nodeFromId(static_cast<int>(i))] = supplies[i];
  for (const auto& arc : arcs) {
    const auto added = graph.addArc(graph.nodeFromId(static_cast<int>(arc.from)),
                                    graph.nodeFromId(static_cast<int>(arc.to)));
    least[added] = arc.least;
    most[added] = arc.most;
    cost[added] = arc.cost;
  }
  Simplex simplex(graph);
  simplex.lowerMap(least).upperMap(most).costMap(cost).supplyMap(supply);
  if (simplex.run() != Simplex::OPTIMAL) return {};
  return flow_of(graph, simplex, network);
}

}  // namespace proffer
