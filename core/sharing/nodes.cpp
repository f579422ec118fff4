#include "core/sharing/nodes.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::sharing {
namespace {

Result<std::vector<std::string_view>> components_of(std::string_view path) {
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

}  // namespace

Nodes::Nodes() {
  Node root;
  root.is_pool = true;
  nodes_.push_back(std::move(root));
  pools_.emplace("", kRoot);
}

Result<NodeIndex> Nodes::declare_pool(const PoolSpec& spec) {
  if (spec.weight_milli < 1 || spec.weight_milli > kMostWeight) {
    return Error{ErrorCode::invalid,
                 "the weight of pool '" + spec.name + "' is not above 0 (in thousandths)"};
  }
  auto node = kRoot;
  if (!spec.name.empty()) {
    const auto components = components_of(spec.name);
    if (!components) return components.error();
    for (const auto component : *components) node = child_pool(node, component);
  }
  auto& pool = nodes_[node];
  if (pool.declared) return Error{ErrorCode::exists, "pool '" + spec.name + "' is declared twice"};
  pool.declared = true;
  pool.weight = spec.weight_milli;
  pool.min_share = spec.min_share;
  return node;
}

std::optional<NodeIndex> Nodes::find_pool(std::string_view name) const {
  const auto found = pools_.find(name);
  if (found == pools_.end()) return {};
  return found->second;
}

NodeIndex Nodes::add_leaf(NodeIndex pool, std::string name, std::int64_t weight, std::uint64_t submitted) {
  PROFFER_CHECK(weight >= 1 && weight <= kMostWeight, "a weight is above 0");
  Node node;
  node.name = std::move(name);
  node.parent = pool;
  node.weight = weight;
  node.submitted = submitted;
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
  unlink(node);
  nodes_[node] = {};
  free_nodes_.push_back(node);
  leaves_[leaf.value] = kNoNode;
  free_leaves_.push_back(leaf);
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
