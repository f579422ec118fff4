// The shape of a share tree: pools within pools, leaves in pools. Its invariant: names of pools are unique
// among siblings, and children stand in the order of ties (submit time, then name). What is used and wanted
// is kind_shares.hpp's.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sharing/order_key.hpp"
#include "proffer/resources.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::sharing {

inline constexpr NodeIndex kRoot = 0;
inline constexpr NodeIndex kNoNode = ~NodeIndex{0};
/// So that products of weights and quantities stay within 128 bits.
inline constexpr std::int64_t kMostWeight = std::int64_t{1} << 40;

struct Node {
  std::string name;  // of a pool: its last component
  NodeIndex parent = kNoNode;
  std::int64_t weight = 1000;
  std::uint64_t submitted = 0;  // pools: 0, they are there before anybody
  bool is_pool = false;
  bool declared = false;  // of pools: not only made as somebody's parent
  Resources min_share;    // of pools
  LeafId leaf;            // of leaves
  std::vector<NodeIndex> children;
};

class Nodes {
 public:
  Nodes();

  Result<NodeIndex> declare_pool(const PoolSpec& spec);
  std::optional<NodeIndex> find_pool(std::string_view name) const;
  NodeIndex add_leaf(NodeIndex pool, std::string name, std::int64_t weight, std::uint64_t submitted);
  void remove_leaf(LeafId leaf);

  /// Aborts for a leaf that is not there.
  NodeIndex node_of(LeafId leaf) const;
  const Node& operator[](NodeIndex node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }
  /// Dotted, from the root's children down; "" for the root.
  std::string path_of(NodeIndex pool) const;

  void check_invariants() const;

 private:
  NodeIndex new_node(Node node);
  NodeIndex child_pool(NodeIndex parent, std::string_view name);
  bool before(NodeIndex a, NodeIndex b) const;
  void link(NodeIndex node);
  void unlink(NodeIndex node);

  std::deque<Node> nodes_;  // keys point at names, so nodes do not move
  std::vector<NodeIndex> free_nodes_;
  std::vector<NodeIndex> leaves_;  // by LeafId
  std::vector<LeafId> free_leaves_;
  std::map<std::string, NodeIndex, std::less<>> pools_;  // by path
};

}  // namespace proffer::sharing
