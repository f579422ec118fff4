#include "allocator/peers/agent_named.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "proffer/nearest.hpp"

namespace proffer::allocator {
namespace {

std::vector<AgentRecord*> all_named(ClusterTable& cluster, const std::string& name) {
  std::vector<AgentRecord*> found;
  for (const auto& [id, index] : cluster.in_order()) {
    if (cluster[index].info.name == name) found.push_back(&cluster[index]);
  }
  return found;
}

Error ambiguous(const std::vector<AgentRecord*>& agents) {
  std::string ids;
  for (const auto* agent : agents) {
    const auto* how = agent->reach <= Reach::suspect ? " (up)" : " (silent)";
    ids += (ids.empty() ? "" : ", ") + to_hex(agent->info.id.value) + how;
  }
  return {ErrorCode::invalid, "several agents are named '" + agents.front()->info.name +
                                  "': name the one that is meant by its id: " + ids};
}

/// Returns whether an agent of that name or id was declared gone.
bool is_retired(const ClusterTable& cluster, const std::string& text) {
  for (const auto& [id, name] : cluster.retired()) {
    if (name == text || to_hex(id.value) == text) return true;
  }
  return false;
}

Error unknown(const ClusterTable& cluster, const std::string& text) {
  std::vector<std::string_view> names;
  for (const auto& [id, index] : cluster.in_order()) names.push_back(cluster[index].info.name);
  std::sort(names.begin(), names.end());  // of equally near ones the first is meant
  const auto nearest = nearest_word(text, names);
  return {ErrorCode::not_found,
          "there is no agent '" + text + "'" +
              (nearest ? "; did you mean " + std::string(*nearest) + "?" : "; see proffer agent list")};
}

}  // namespace

Result<AgentRecord*> agent_named(ClusterTable& cluster, const std::string& text) {
  if (const auto bits = bits_from_hex(text)) {
    if (auto* agent = cluster.find(AgentId{*bits})) return agent;
  }
  const auto named = all_named(cluster, text);
  if (named.size() == 1) return named.front();
  if (!named.empty()) return ambiguous(named);
  if (is_retired(cluster, text)) {
    return Error{ErrorCode::agent_gone, "agent '" + text + "' was declared gone, and never comes back"};
  }
  return unknown(cluster, text);
}

}  // namespace proffer::allocator
