#include "core/sharing/nodes.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "proffer/check.hpp"
#include "proffer/limits.hpp"
#include "proffer/pool_path.hpp"

namespace proffer::sharing {
namespace {

Result<std::vector<std::string_view>> components_of(std::string_view path) {
  if (is_named_root(path)) {
    return Error{ErrorCode::invalid,
                 "the name of pool '" + std::string(path) + "' " + std::string(kNotNamedRoot)};
  }
  std::vector<std::string_view> components;
  while (true) {
    const auto dot = path.find('.');
    const auto component = path.substr(0, dot);
    if (!valid_name(component)) {
      return Error{ErrorCode::invalid,
                   "a pool's name is parts of 1-128 bytes of [A-Za-z0-9_-] with single dots between them"};
    }
    components.push_back(component);
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  if (components.size() > limits::kPoolDepth) {
    return Error{ErrorCode::invalid,
                 "pools lie at most " + std::to_string(limits::kPoolDepth) + " deep in each other"};
  }
  return components;
}

Result<> check_numbers(const PoolSpec& spec) {
  if (!valid_weight(spec.weight_milli)) {
    return Error{ErrorCode::invalid,
                 "the weight of pool '" + spec.name + "' is not above 0 (in thousandths)"};
  }
  if (spec.user_limit >= 1 && spec.user_limit <= kNoUserLimit) return {};
  return Error{ErrorCode::invalid,
               "the user limit of pool '" + spec.name + "' is not from 1 to 100 (percent)"};
}

Error no_pool(std::string_view name) {
  return {ErrorCode::unknown_pool, "there is no pool '" + std::string(name) + "'"};
}

}  // namespace

Nodes::Nodes() {
  Node root;
  root.is_pool = true;
  nodes_.push_back(std::move(root));
  pools_.emplace("", kRoot);
}

Result<NodeIndex> Nodes::declare_pool(const PoolSpec& spec) {
  if (auto checked = check_numbers(spec); !checked) return checked.error();
  auto node = kRoot;
  if (!spec.name.empty()) {
    const auto components = components_of(spec.name);
    if (!components) return components.error();
    for (const auto component : *components) node = child_pool(node, component);
  }
  if (nodes_[node].declared) return Error{ErrorCode::exists, "pool '" + spec.name + "' is declared twice"};
  configure(node, spec);
  return node;
}

Result<NodeIndex> Nodes::set_pool(const PoolSpec& spec) {
  const auto node = find_pool(spec.name);
  if (!node) return no_pool(spec.name);
  if (auto checked = check_numbers(spec); !checked) return checked.error();
  configure(*node, spec);
  return *node;
}

void Nodes::count_limits(NodeIndex pool, int sign) {
  const auto& node = nodes_[pool];
  if (node.max_running > 0 || node.max_running_per_user > 0) limited_ += static_cast<std::size_t>(sign);
  if (node.limits_users()) user_limited_ += static_cast<std::size_t>(sign);
}

void Nodes::configure(NodeIndex node, const PoolSpec& spec) {
  auto& pool = nodes_[node];
  count_limits(node, -1);
  pool.declared = true;
  pool.weight = spec.weight_milli;
  pool.min_share = spec.min_share;
  pool.order = spec.order;
  pool.max_running = spec.max_running;
  pool.max_running_per_user = spec.max_running_per_user;
  pool.user_limit = spec.user_limit;
  count_limits(node, +1);
}

Result<NodeIndex> Nodes::removable(std::string_view name) const {
  const auto node = find_pool(name);
  if (!node) return no_pool(name);
  if (*node == kRoot) return Error{ErrorCode::invalid, "the root stays"};
  if (nodes_[*node].children.empty()) return *node;
  return Error{ErrorCode::invalid, "pool '" + std::string(name) + "' is not empty: move what is in it first"};
}

void Nodes::remove_pool(NodeIndex pool) {
  PROFFER_CHECK(nodes_[pool].is_pool && nodes_[pool].children.empty(), "only an empty pool is removed");
  pools_.erase(path_of(pool));
  count_limits(pool, -1);
  unlink(pool);
  nodes_[pool] = {};
  free_nodes_.push_back(pool);
}

std::optional<NodeIndex> Nodes::find_pool(std::string_view name) const {
  const auto found = pools_.find(name);
  if (found == pools_.end()) return {};
  return found->second;
}

NodeIndex Nodes::add_leaf(NodeIndex pool, LeafSpec spec) {
  PROFFER_CHECK(valid_weight(spec.weight_milli), "a weight is above 0");
  Node node;
  node.name = std::move(spec.name);
  node.parent = pool;
  node.weight = spec.weight_milli;
  node.submitted = spec.submitted;
  node.priority = spec.priority;
  node.user = std::move(spec.user);
  node.due = spec.due;
  if (free_leaves_.empty()) {
    node.leaf = LeafId{static_cast<std::uint32_t>(leaves_.size())};
    leaves_.push_back(kNoNode);
  } else {
    node.leaf = free_leaves_.back();
    free_leaves_.pop_back();
  }
  const auto leaf = node.leaf;
  return leaves_[leaf.value] = new_node(std::move(node));
}

void Nodes::remove_leaf(LeafId leaf) {
  const auto node = node_of(leaf);
  set_waits(node, false);
  unlink(node);
  nodes_[node] = {};
  free_nodes_.push_back(node);
  leaves_[leaf.value] = kNoNode;
  free_leaves_.push_back(leaf);
}

void Nodes::set_waits(NodeIndex leaf, bool waits) {
  if (nodes_[leaf].waits != waits) waiting_ += waits ? std::size_t{1} : ~std::size_t{0};  // + 1 or - 1
  nodes_[leaf].waits = waits;
}

void Nodes::move_leaf(NodeIndex leaf, NodeIndex pool) {
  unlink(leaf);
  nodes_[leaf].parent = pool;
  link(leaf);
}

NodeIndex Nodes::node_of(LeafId leaf) const {
  PROFFER_CHECK(leaf.value < leaves_.size() && leaves_[leaf.value] != kNoNode, "no such leaf");
  return leaves_[leaf.value];
}

std::string Nodes::path_of(NodeIndex pool) const {
  if (pool == kRoot) return {};
  const auto& node = nodes_[pool];
  const auto above = path_of(node.parent);
  return above.empty() ? node.name : above + "." + node.name;
}

NodeIndex Nodes::new_node(Node node) {
  NodeIndex index;
  if (free_nodes_.empty()) {
    index = static_cast<NodeIndex>(nodes_.size());
    nodes_.push_back(std::move(node));
  } else {
    index = free_nodes_.back();
    free_nodes_.pop_back();
    nodes_[index] = std::move(node);
  }
  link(index);
  return index;
}

NodeIndex Nodes::child_pool(NodeIndex parent, std::string_view name) {
  auto path = path_of(parent);
  if (!path.empty()) path += '.';
  path += name;
  if (const auto known = find_pool(path)) return *known;
  Node node;
  node.name = name;
  node.parent = parent;
  node.is_pool = true;
  return pools_[path] = new_node(std::move(node));
}

bool Nodes::before(NodeIndex a, NodeIndex b) const {
  return std::tie(nodes_[a].submitted, nodes_[a].name, a) < std::tie(nodes_[b].submitted, nodes_[b].name, b);
}

void Nodes::link(NodeIndex node) {
  auto& siblings = nodes_[nodes_[node].parent].children;
  const auto at = std::lower_bound(siblings.begin(), siblings.end(), node,
                                   [this](NodeIndex a, NodeIndex b) { return before(a, b); });
  siblings.insert(at, node);
}

void Nodes::unlink(NodeIndex node) {
  auto& siblings = nodes_[nodes_[node].parent].children;
  const auto at = std::lower_bound(siblings.begin(), siblings.end(), node,
                                   [this](NodeIndex a, NodeIndex b) { return before(a, b); });
  PROFFER_CHECK(at != siblings.end() && *at == node, "a node among its siblings");
  siblings.erase(at);
}

void Nodes::check_invariants() const {
  for (const auto& [path, node] : pools_) {
    PROFFER_CHECK(nodes_[node].is_pool && path_of(node) == path, "a pool under another name");
    const auto& children = nodes_[node].children;
    PROFFER_CHECK(std::is_sorted(children.begin(), children.end(),
                                 [this](NodeIndex a, NodeIndex b) { return before(a, b); }),
                  "children out of order");
    for (const auto child : children) PROFFER_CHECK(nodes_[child].parent == node, "a child of two pools");
  }
}

}  // namespace proffer::sharing
