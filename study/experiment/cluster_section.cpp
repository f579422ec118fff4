#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "proffer/formats/nearest.hpp"
#include "study/experiment/scenario.hpp"
#include "study/experiment/values.hpp"

namespace proffer::study {
namespace {

using formats::AsCount;
using formats::AsDuration;
using formats::AsPositiveDuration;
using formats::AsSlots;
using formats::AsText;
using formats::error_at;
using formats::Setting;

constexpr std::array<std::string_view, 2> kTopologies{"section", "trace"};
enum class Topology : std::uint8_t { section, trace };

struct AsTopology {
  static Complaint read(const TomlNode& node, bool& of_trace) {
    auto topology = Topology::section;
    auto complaint = AsChoice<Topology, kTopologies>::read(node, topology);
    of_trace = topology == Topology::trace;
    return complaint;
  }
};

std::span<const Setting<ClusterSection>> cluster_keys() {
  using S = ClusterSection;
  static constexpr std::array kKeys{
      reading<S, AsCount<1>, [](auto& s) -> auto& { return s.racks; }>("racks"),
      reading<S, AsOptional<AsCount<1>>, [](auto& s) -> auto& { return s.nodes_per_rack; }>("nodes_per_rack"),
      reading<S, AsOptional<AsCount<1>>, [](auto& s) -> auto& { return s.nodes; }>("nodes"),
      reading<S, AsSlots, [](auto& s) -> auto& { return s.slots; }>("slots"),
      reading<S, AsCount<0>, [](auto& s) -> auto& { return s.max_computing; }>("max_computing"),
      reading<S, AsTopology, [](auto& s) -> auto& { return s.of_trace; }>("topology"),
      elsewhere<S>("node"),
      elsewhere<S>("faults"),
  };
  return kKeys;
}

/// A [[cluster.node]]: one node, or as many alike as its count says.
struct NodeKind {
  PlanNode each;
  std::optional<std::uint32_t> count;
};

std::span<const Setting<NodeKind>> node_keys() {
  using S = NodeKind;
  static constexpr std::array kKeys{
      reading<S, AsText<formats::Name>, [](auto& s) -> auto& { return s.each.name; }>("name"),
      reading<S, AsOptional<AsCount<1>>, [](auto& s) -> auto& { return s.count; }>("count"),
      reading<S, AsText<formats::Name>, [](auto& s) -> auto& { return s.each.rack; }>("rack"),
      reading<S, AsSlots, [](auto& s) -> auto& { return s.each.slots; }>("slots"),
      reading<S, AsCount<0>, [](auto& s) -> auto& { return s.each.max_computing; }>("max_computing"),
      reading<S, formats::AsWeight, [](auto& s) -> auto& { return s.each.speed_milli; }>("speed"),
      reading<S, AsOptional<AsLimit>, [](auto& s) -> auto& { return s.each.disk_rate; }>("disk_rate"),
      reading<S, AsOptional<AsLimit>, [](auto& s) -> auto& { return s.each.nic_rate; }>("nic_rate"),
  };
  return kKeys;
}

struct Fault {
  PlanFault plan;
  std::string kill;
  std::string slow;
  std::string cut;
  std::string stop;
};

std::span<const Setting<Fault>> fault_keys() {
  using S = Fault;
  static constexpr std::array kKeys{
      reading<S, AsDuration, [](auto& s) -> auto& { return s.plan.at; }>("at"),
      reading<S, AsText<formats::Name>, [](auto& s) -> auto& { return s.kill; }>("kill"),
      reading<S, AsText<formats::Name>, [](auto& s) -> auto& { return s.slow; }>("slow"),
      reading<S, AsText<formats::Name>, [](auto& s) -> auto& { return s.cut; }>("cut"),
      reading<S, AsText<formats::Name>, [](auto& s) -> auto& { return s.stop; }>("stop"),
      reading<S, AsPositiveDuration, [](auto& s) -> auto& { return s.plan.lasting; }>("for"),
      reading<S, AsFactor, [](auto& s) -> auto& { return s.plan.factor_milli; }>("factor"),
  };
  return kKeys;
}

/// 7 as "07" where there are up to 99.
std::string padded(std::uint32_t number, std::uint32_t most) {
  return fmt::format("{:0{}}", number, std::to_string(most).size());
}

std::string rack_name(std::uint32_t index, std::uint32_t racks) { return "r" + padded(index + 1, racks); }

/// Adds the nodes of a kind; those that name no rack are dealt out over all of them, so that each has its
/// part.
void add_nodes(const NodeKind& kind, ClusterSection& cluster) {
  std::uint32_t next = 0;
  for (auto& name : numbered(kind.each.name, kind.count)) {
    auto& node = cluster.listed.emplace_back(kind.each);
    node.name = std::move(name);
    if (node.rack.empty()) node.rack = rack_name(next++ % cluster.racks, cluster.racks);
  }
}

Result<> read_listed(const TomlNode* list, std::string_view file, ClusterSection& cluster) {
  const auto tables = tables_of(list, "[[cluster.node]]", file);
  if (!tables) return tables.error();
  for (const auto* table : *tables) {
    NodeKind kind{{"", "", cluster.slots, cluster.max_computing}, {}};
    auto read = formats::read_settings(*table, node_keys(), "[[cluster.node]]", file, kind);
    if (!read) return read;
    if (kind.each.name.empty()) return error_at(file, table->position, "a [[cluster.node]] needs a name");
    if (kind.each.slots.empty()) return error_at(file, table->position, "a [[cluster.node]] needs slots");
    if (cluster.listed.size() + kind.count.value_or(1) > limits::kAgents) {
      return error_at(file, table->position,
                      fmt::format("[cluster] may have up to {} nodes", limits::kAgents));
    }
    add_nodes(kind, cluster);
  }
  return {};
}

/// The nodes come from one place only.
Result<> check_sources(const TomlNode& section, std::string_view file, const ClusterSection& cluster) {
  const int sources = static_cast<int>(cluster.nodes_per_rack.has_value()) +
                      static_cast<int>(cluster.nodes.has_value()) +
                      static_cast<int>(!cluster.listed.empty()) + static_cast<int>(cluster.of_trace);
  if (sources != 1) {
    return error_at(file, section.position,
                    "[cluster] needs one of nodes, nodes_per_rack, [[cluster.node]] or topology = \"trace\"");
  }
  if (cluster.slots.empty() && cluster.listed.empty()) {
    return error_at(file, section.position, "[cluster] needs slots, such as { map = 4, reduce = 2 }");
  }
  if (cluster.nodes && *cluster.nodes < cluster.racks) {
    return error_at(
        file, section.position,
        fmt::format("[cluster] has more racks ({}) than nodes ({})", cluster.racks, *cluster.nodes));
  }
  const auto most = std::uint64_t{cluster.racks} * cluster.nodes_per_rack.value_or(1);
  if (std::max<std::uint64_t>(most, cluster.nodes.value_or(0)) > limits::kAgents) {
    return error_at(file, section.position,
                    fmt::format("[cluster] may have up to {} nodes", limits::kAgents));
  }
  return {};
}

Result<> check_names(const TomlNode& section, std::string_view file, const ClusterSection& cluster) {
  std::set<std::string> names;
  for (const auto& node : nodes_of(cluster)) {
    if (!names.insert(node.name).second) {
      return error_at(file, section.position, fmt::format("two nodes are named \"{}\"", node.name));
    }
  }
  return {};
}

bool is_rack(const ClusterSection& cluster, const std::string& name) {
  const auto nodes = nodes_of(cluster);
  return std::any_of(nodes.begin(), nodes.end(), [&](const PlanNode& node) { return node.rack == name; });
}

/// What a fault does, by the one key that names whom it befalls; none: it has not exactly one.
std::optional<PlanFault::What> what_of(const Fault& fault, const ClusterSection& cluster) {
  using What = PlanFault::What;
  std::vector<What> all;
  if (!fault.kill.empty()) all.push_back(What::kill_node);
  if (!fault.slow.empty()) all.push_back(What::slow_node);
  if (!fault.cut.empty()) all.push_back(is_rack(cluster, fault.cut) ? What::cut_rack : What::cut_node);
  if (!fault.stop.empty()) all.push_back(fault.stop == "catalog" ? What::stop_catalog : What::stop_allocator);
  return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

Result<PlanFault> read_fault(const TomlNode& table, std::string_view file, const ClusterSection& cluster) {
  Fault fault;
  if (auto read = formats::read_settings(table, fault_keys(), "faults", file, fault); !read)
    return read.error();
  const auto what = what_of(fault, cluster);
  if (!what) {
    return error_at(
        file, table.position,
        "a fault needs one of kill and slow, with the name of a node, cut, with that of a node or a "
        "rack, and stop, with \"allocator\" or \"catalog\"");
  }
  fault.plan.what = *what;
  fault.plan.target = fault.kill + fault.slow + fault.cut + fault.stop;
  if (fault.plan.lasting == Duration::zero()) {
    return error_at(file, table.position, "a fault needs for, the time it lasts");
  }
  if (!fault.stop.empty()) {
    if (fault.stop == "allocator" || fault.stop == "catalog") return fault.plan;
    return error_at(file, find_member(table, "stop")->position,
                    formats::unknown("server", fault.stop, {"allocator", "catalog"}));
  }
  if (*what == PlanFault::What::cut_rack) return fault.plan;
  if (auto known = check_node(cluster, fault.plan.target, file, table.position); !known) return known.error();
  return fault.plan;
}

}  // namespace

Result<> read_cluster(const TomlNode* section, std::string_view file, ClusterSection& cluster) {
  if (section == nullptr) return error_at(file, {1, 1}, "there is no [cluster]");
  if (auto read = formats::read_settings(*section, cluster_keys(), "[cluster]", file, cluster); !read)
    return read;
  if (auto read = read_listed(find_member(*section, "node"), file, cluster); !read) return read;
  if (auto checked = check_sources(*section, file, cluster); !checked) return checked;
  if (auto checked = check_names(*section, file, cluster); !checked) return checked;
  const auto faults = tables_of(find_member(*section, "faults"), "faults", file);
  if (!faults) return faults.error();
  for (const auto* table : *faults) {
    auto fault = read_fault(*table, file, cluster);
    if (!fault) return fault.error();
    cluster.faults.push_back(std::move(*fault));
  }
  return {};
}

Result<> check_node(const ClusterSection& cluster, const std::string& node, std::string_view file,
                    formats::Position at) {
  const auto nodes = nodes_of(cluster);
  const auto has_its_name = [&](const PlanNode& one) { return one.name == node; };
  if (cluster.of_trace || std::any_of(nodes.begin(), nodes.end(), has_its_name)) return {};
  return error_at(file, at,
                  fmt::format("there is no node \"{}\"; the first is \"{}\" and the last \"{}\"", node,
                              nodes.front().name, nodes.back().name));
}

std::vector<PlanNode> nodes_of(const ClusterSection& cluster) {
  if (!cluster.listed.empty()) return cluster.listed;
  const auto racks = cluster.racks;
  const auto all = cluster.nodes.value_or(racks * cluster.nodes_per_rack.value_or(0));
  std::vector<PlanNode> nodes;
  for (std::uint32_t rack = 0; rack < racks; ++rack) {
    const auto first = static_cast<std::uint32_t>(std::uint64_t{all} * rack / racks);
    const auto end = static_cast<std::uint32_t>(std::uint64_t{all} * (rack + 1) / racks);
    const auto name = rack_name(rack, racks);
    for (auto i = first; i < end; ++i) {
      const auto most = (all + racks - 1) / racks;
      nodes.push_back({fmt::format("{}n{}", name, padded(i - first + 1, most)), name, cluster.slots,
                       cluster.max_computing});
    }
  }
  return nodes;
}

}  // namespace proffer::study
