// The shape of a share tree: pools within pools, leaves in pools. The invariant: names of pools are unique
// among siblings, and children stand in the order of ties (submit time, then name). Use and demand are kept
// in kind_shares.hpp; limits in admission.hpp.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sharing/order_key.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::sharing {

inline constexpr NodeIndex kRoot = 0;
inline constexpr NodeIndex kNoNode = ~NodeIndex{0};
/// The largest weight: products of weights and quantities stay within 128 bits.
inline constexpr std::int64_t kMostWeight = std::int64_t{1} << 40;
inline bool valid_weight(std::int64_t milli) { return milli >= 1 && milli <= kMostWeight; }

struct Node {
  std::string name;  // name; of a pool: its last component
  NodeIndex parent = kNoNode;
  std::int64_t weight = 1000;
  std::uint64_t submitted = 0;  // pools: 0, they are there before anybody
  bool is_pool = false;
  // fields of pools
  bool declared = false;  // false: only made as somebody's parent
  PoolOrder order = PoolOrder::fair;
  Resources min_share;
  std::uint32_t max_running = 0;
  std::uint32_t max_running_per_user = 0;
  std::uint32_t user_limit = kNoUserLimit;
  std::vector<NodeIndex> children;
  // fields of leaves
  LeafId leaf;
  Priority priority = Priority::normal;
  std::string user;
  Time due = Time::max();
  bool waits = false;

  bool limits_users() const { return order != PoolOrder::fair && user_limit < kNoUserLimit; }
};

class Nodes {
 public:
  Nodes();

  Result<NodeIndex> declare_pool(const PoolSpec& spec);
  Result<NodeIndex> set_pool(const PoolSpec& spec);
  /// Returns the pool that would be removed; an error for one that must stay.
  Result<NodeIndex> removable(std::string_view name) const;
  void remove_pool(NodeIndex pool);
  std::optional<NodeIndex> find_pool(std::string_view name) const;
  NodeIndex add_leaf(NodeIndex pool, LeafSpec spec);
  void remove_leaf(LeafId leaf);
  void move_leaf(NodeIndex leaf, NodeIndex pool);
  void set_waits(NodeIndex leaf, bool waits);
  /// Returns whether some pool limits how many may run in it (any_waits(): whether some leaf waits).
  bool any_limit() const { return limited_ > 0; }
  bool any_waits() const { return waiting_ > 0; }
  bool any_user_limit() const { return user_limited_ > 0; }

  /// Returns the node of a leaf; aborts for a leaf that does not exist.
  NodeIndex node_of(LeafId leaf) const;
  const Node& operator[](NodeIndex node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }
  /// The dotted path, from the root's children down; "" for the root.
  std::string path_of(NodeIndex pool) const;

  void check_invariants() const;

 private:
  NodeIndex new_node(Node node);
  NodeIndex child_pool(NodeIndex parent, std::string_view name);
  void configure(NodeIndex pool, const PoolSpec& spec);
  void count_limits(NodeIndex pool, int sign);
  bool before(NodeIndex a, NodeIndex b) const;
  void link(NodeIndex node);
  void unlink(NodeIndex node);

  std::deque<Node> nodes_;        // keys point at names, so nodes do not move
  std::size_t limited_ = 0;       // pools
  std::size_t user_limited_ = 0;  // pools
  std::size_t waiting_ = 0;       // leaves
  std::vector<NodeIndex> free_nodes_;
  std::vector<NodeIndex> leaves_;  // indexed by LeafId
  std::vector<LeafId> free_leaves_;
  std::map<std::string, NodeIndex, std::less<>> pools_;  // indexed by path
};

}  // namespace proffer::sharing
