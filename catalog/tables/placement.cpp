#include "catalog/tables/placement.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace proffer::catalog {
namespace {

class Placement {
 public:
  Placement(const std::vector<PlacementNode>& nodes, std::uint32_t replication, Random& random)
      : nodes_(nodes), random_(random), left_(nodes.size()) {
    std::set<std::string> racks;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      left_[i] = i;
      racks.insert(nodes[i].rack);
    }
    // HDFS's bound (BlockPlacementPolicyDefault): the share of a rack, rounded down, and two.
    if (!racks.empty()) rack_limit_ = (replication - 1) / racks.size() + 2;
  }

  bool full(std::uint32_t replication) const { return chosen_.size() >= replication || left_.empty(); }

  bool take_agent(AgentId agent) {
    return take_if([agent](const PlacementNode& node) { return node.agent == agent; });
  }
  bool take_other_rack() {
    return take_if([this](const PlacementNode& node) { return node.rack != chosen_.front()->rack; });
  }
  bool take_rack_of_last() {
    return take_if([this](const PlacementNode& node) { return node.rack == chosen_.back()->rack; });
  }
  bool take_within_limit() {
    return take_if([this](const PlacementNode& node) { return in_rack_[node.rack] < rack_limit_; });
  }
  bool take_any() {
    return take_if([](const PlacementNode&) { return true; });
  }

  std::vector<AgentId> agents() const {
    std::vector<AgentId> agents;
    for (const auto* node : chosen_) agents.push_back(node->agent);
    return agents;
  }

 private:
  /// Takes the less loaded of two drawn from the nodes that fit; of equal ones the first drawn, since a tie
  /// by id would fill low ids first. False: none fits.
  bool take_if(const std::function<bool(const PlacementNode&)>& fits) {
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (fits(nodes_[left_[i]])) fitting.push_back(i);
    }
    if (fitting.empty()) return false;
    const auto one = fitting[random_.below(fitting.size())];
    const auto other = fitting[random_.below(fitting.size())];
    take(nodes_[left_[other]].load < nodes_[left_[one]].load ? other : one);
    return true;
  }

  void take(std::size_t place) {
    const auto& node = nodes_[left_[place]];
    chosen_.push_back(&node);
    ++in_rack_[node.rack];
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  const std::vector<PlacementNode>& nodes_;
  Random& random_;
  std::vector<std::size_t> left_;
  std::vector<const PlacementNode*> chosen_;
  std::map<std::string, std::size_t> in_rack_;
  std::size_t rack_limit_ = 0;
};

}  // namespace

std::vector<AgentId> choose_targets(const std::vector<PlacementNode>& nodes, AgentId writer,
                                    std::uint32_t replication, Random& random) {
  Placement placement(nodes, replication, random);
  if (placement.full(replication)) return {};
  if (writer.value.is_nil() || !placement.take_agent(writer)) placement.take_any();
  if (!placement.full(replication) && !placement.take_other_rack()) placement.take_any();
  if (!placement.full(replication) && !placement.take_rack_of_last() && !placement.take_within_limit()) {
    placement.take_any();
  }
  while (!placement.full(replication)) {
    if (!placement.take_within_limit()) placement.take_any();
  }
  return placement.agents();
}

}  // namespace proffer::catalog
