#include "proffer/check.hpp"
#include "proffer/flow/min_cost_flow.hpp"

namespace proffer {

std::size_t FlowNetwork::add_node(std::int64_t supply) {
  supplies_.push_back(supply);
  return supplies_.size() - 1;
}

std::size_t FlowNetwork::add_arc(const FlowArc& arc) {
  PROFFER_CHECK(arc.from < supplies_.size() && arc.to < supplies_.size(),
                "an arc between nodes that are not");
  PROFFER_CHECK(0 <= arc.least && arc.least <= arc.most, "an arc whose bounds contradict each other");
  arcs_.push_back(arc);
  return arcs_.size() - 1;
}

}  // namespace proffer
