#include "sim/links.hpp"

#include <map>
#include <string>

namespace proffer::sim {
namespace {

void add(Path& path, const std::optional<LinkNo>& link) {
  if (link) path.push_back(*link);
}

}  // namespace

Links::Links(const study::Plan& plan, Flows& flows) {
  const auto& cost = plan.cost;
  const auto link = [&flows](std::uint64_t rate) {
    return rate == 0 ? std::nullopt : std::optional(flows.add_link(rate));
  };
  std::map<std::string, std::uint32_t> racks;
  for (const auto& node : plan.nodes) {
    const auto [rack, fresh] = racks.try_emplace(node.rack, static_cast<std::uint32_t>(racks_.size()));
    if (fresh) racks_.push_back({link(cost.rack_uplink_rate), link(cost.rack_uplink_rate)});
    const auto nic = node.nic_rate.value_or(cost.nic_rate);
    nodes_.push_back({link(node.disk_rate.value_or(cost.disk_rate)), link(nic), link(nic),
                      link(cost.remote_rate), rack->second});
  }
}

Path Links::local(AgentNo reader) const {
  Path path;
  add(path, nodes_[reader].disk);
  return path;
}

void Links::add_way(Path& path, const NodeLinks& from, const NodeLinks& to) const {
  add(path, from.disk);
  add(path, from.nic_out);
  if (from.rack != to.rack) {
    add(path, racks_[from.rack].out);
    add(path, racks_[to.rack].in);
  }
  add(path, to.nic_in);
}

Path Links::remote(AgentNo source, AgentNo reader) const {
  const auto& to = nodes_[reader];
  Path path;
  add_way(path, nodes_[source], to);
  add(path, to.remote);
  return path;
}

Path Links::shuffle(AgentNo reader) const {
  const auto& to = nodes_[reader];
  Path path;
  if (racks_.size() > 1) add(path, racks_[to.rack].in);
  add(path, to.nic_in);
  add(path, to.remote);
  return path;
}

Path Links::copy(AgentNo source, AgentNo target) const {
  Path path;
  if (source == target) return path;
  add_way(path, nodes_[source], nodes_[target]);
  add(path, nodes_[target].disk);
  return path;
}

}  // namespace proffer::sim
