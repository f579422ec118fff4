#include "core/sharing/admission.hpp"

#include <algorithm>
#include <tuple>

namespace proffer::sharing {
namespace {

std::vector<NodeIndex> leaves_in_order(const Nodes& nodes) {
  std::vector<NodeIndex> leaves;
  std::vector<NodeIndex> pools{kRoot};
  while (!pools.empty()) {
    const auto pool = pools.back();
    pools.pop_back();
    for (const auto child : nodes[pool].children) (nodes[child].is_pool ? pools : leaves).push_back(child);
  }
  const auto rank = [&](NodeIndex leaf) {
    return std::tie(nodes[leaf].priority, nodes[leaf].submitted, nodes[leaf].name, nodes[leaf].leaf);
  };
  std::sort(leaves.begin(), leaves.end(), [&](NodeIndex a, NodeIndex b) { return rank(a) < rank(b); });
  return leaves;
}

}  // namespace

/// The places taken so far.
class Admission::Places {
 public:
  Places(const Nodes& nodes, const Admission& limits) : nodes_(nodes), limits_(limits) {}

  /// Takes a place, unless there is none left.
  bool take(NodeIndex leaf) {
    for (auto pool = nodes_[leaf].parent; pool != kNoNode; pool = nodes_[pool].parent) {
      if (full(pool, nodes_[leaf].user)) return false;
    }
    for (auto pool = nodes_[leaf].parent; pool != kNoNode; pool = nodes_[pool].parent) {
      ++running_[pool];
      if (user_limit(pool, nodes_[leaf].user) > 0) ++of_user_[{pool, nodes_[leaf].user}];
    }
    return true;
  }

 private:
  std::uint32_t user_limit(NodeIndex pool, const std::string& user) const {
    const auto own = limits_.user_limits_.find(user);
    return pool == kRoot && own != limits_.user_limits_.end() ? own->second
                                                              : nodes_[pool].max_running_per_user;
  }
  bool full(NodeIndex pool, const std::string& user) {
    const auto most = nodes_[pool].max_running;
    const auto most_of_user = user_limit(pool, user);
    return (most > 0 && running_[pool] >= most) ||
           (most_of_user > 0 && of_user_[{pool, user}] >= most_of_user);
  }

  const Nodes& nodes_;
  const Admission& limits_;
  std::map<NodeIndex, std::uint32_t> running_;
  std::map<std::pair<NodeIndex, std::string>, std::uint32_t> of_user_;
};

void Admission::set_user_limit(const std::string& user, std::optional<std::uint32_t> most) {
  if (most) {
    user_limits_[user] = *most;
  } else {
    user_limits_.erase(user);
  }
}

std::vector<NodeIndex> Admission::misplaced(const Nodes& nodes) const {
  if (!nodes.any_limit() && !nodes.any_waits() && user_limits_.empty()) return {};
  std::vector<NodeIndex> found;
  Places places(nodes, *this);
  for (const auto leaf : leaves_in_order(nodes)) {
    if (places.take(leaf) == nodes[leaf].waits) found.push_back(leaf);
  }
  return found;
}

}  // namespace proffer::sharing
