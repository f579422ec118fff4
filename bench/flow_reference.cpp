#include "bench/flow_reference.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/successive_shortest_path_nonnegative_weights.hpp>
#include <boost/range/iterator_range.hpp>

namespace proffer::bench {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Capacity = boost::property<boost::edge_capacity_t, std::int64_t>;
using Residual = boost::property<boost::edge_residual_capacity_t, std::int64_t, Capacity>;
using Reverse = boost::property<boost::edge_reverse_t, Traits::edge_descriptor, Residual>;
using Edge = boost::property<boost::edge_weight_t, std::int64_t, Reverse>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Edge>;

void connect(Graph& graph, std::size_t from, std::size_t to, std::int64_t most, std::int64_t cost) {
  const auto there = boost::add_edge(from, to, graph).first;
  const auto back = boost::add_edge(to, from, graph).first;
  boost::put(boost::edge_capacity, graph, there, most);
  boost::put(boost::edge_capacity, graph, back, 0);
  boost::put(boost::edge_weight, graph, there, cost);
  boost::put(boost::edge_weight, graph, back, -cost);
  boost::put(boost::edge_reverse, graph, there, back);
  boost::put(boost::edge_reverse, graph, back, there);
}

}  // namespace

std::optional<std::int64_t> cheapest_by_shortest_paths(const FlowNetwork& network) {
  const auto& supplies = network.supplies();
  Graph graph(supplies.size() + 2);
  const auto source = supplies.size();
  const auto sink = source + 1;
  std::int64_t all = 0;
  std::int64_t wanted = 0;
  for (const auto& arc : network.arcs()) connect(graph, arc.from, arc.to, arc.most, arc.cost);
  for (std::size_t i = 0; i < supplies.size(); ++i) {
    if (supplies[i] > 0) connect(graph, source, i, supplies[i], 0);
    if (supplies[i] < 0) connect(graph, i, sink, -supplies[i], 0);
    (supplies[i] > 0 ? all : wanted) += supplies[i];
  }
  if (all + wanted != 0) return {};
  boost::successive_shortest_path_nonnegative_weights(graph, source, sink);
  std::int64_t brought = 0;
  for (const auto edge : boost::make_iterator_range(boost::out_edges(source, graph))) {
    brought += boost::get(boost::edge_capacity, graph, edge) -
               boost::get(boost::edge_residual_capacity, graph, edge);
  }
  if (brought != all) return {};
  std::int64_t cost = 0;
  for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
    const auto most = boost::get(boost::edge_capacity, graph, edge);
    if (most == 0) continue;  // the way back
    cost += (most - boost::get(boost::edge_residual_capacity, graph, edge)) *
            boost::get(boost::edge_weight, graph, edge);
  }
  return cost;
}

}  // namespace proffer::bench
