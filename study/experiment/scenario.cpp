#include "study/experiment/scenario.hpp"

#include <fmt/format.h>

#include "proffer/formats/settings.hpp"

namespace proffer::study {
namespace {

using formats::error_at;

template <class As>
Result<> read_time(const TomlNode& tree, std::string_view key, std::string_view file, Duration& value) {
  const auto* node = find_member(tree, key);
  if (node == nullptr) return {};
  const auto complaint = As::read(*node, value);
  return complaint.empty() ? Result<>()
                           : error_at(file, node->position, fmt::format("{} {}", key, complaint));
}

Result<> read_times(const TomlNode& tree, std::string_view file, Scenario& scenario) {
  using formats::AsDuration;
  if (auto read = read_time<formats::AsPositiveDuration>(tree, "horizon", file, scenario.horizon); !read)
    return read;
  if (auto read = read_time<AsDuration>(tree, "warm_up", file, scenario.warm_up); !read) return read;
  if (auto read = read_time<AsDuration>(tree, "drain", file, scenario.drain); !read) return read;
  if (scenario.warm_up < scenario.horizon) return {};
  return error_at(file, find_member(tree, "warm_up")->position, "warm_up must be shorter than the horizon");
}

/// A topology that comes from a trace needs one that has nodes.
Result<> check_topology(const TomlNode& tree, std::string_view file, const Scenario& scenario) {
  if (!scenario.cluster.of_trace) return {};
  for (const auto& workload : scenario.workloads) {
    if (workload.trace) return {};
  }
  return error_at(file, find_member(tree, "cluster")->position,
                  "topology = \"trace\" needs a [[workload]] that is a trace");
}

/// Checks that there are as many nodes as frameworks: else some would have none. The nodes of a trace are not
/// known yet.
Result<> check_partition(const TomlNode& tree, std::string_view file, const Scenario& scenario) {
  if (scenario.allocator.partition != Partition::fixed || scenario.cluster.of_trace) return {};
  std::size_t frameworks = 0;
  for (const auto& framework : scenario.frameworks) frameworks += framework.names().size();
  const auto nodes = nodes_of(scenario.cluster).size();
  if (nodes >= frameworks) return {};
  return error_at(
      file, find_member(*find_member(tree, "allocator"), "partition")->position,
      fmt::format("partition = \"static\" needs a node for each framework: there are {} of them on {} nodes",
                  frameworks, nodes));
}

}  // namespace

Result<Scenario> read_scenario(const TomlNode& tree, std::string_view file) {
  Scenario scenario;
  const auto section = [&](std::string_view name) { return find_member(tree, name); };
  if (auto read = read_times(tree, file, scenario); !read) return read.error();
  if (auto read = read_cluster(section("cluster"), file, scenario.cluster); !read) return read.error();
  if (auto read = read_faults(section("faults"), file, scenario.faults); !read) return read.error();
  if (auto read = read_cost(section("cost"), file, scenario.cost); !read) return read.error();
  if (auto read = read_store(section("store"), file, scenario.store); !read) return read.error();
  if (auto read = read_replication(section("replication"), file, scenario.replication); !read)
    return read.error();
  if (auto read = read_allocator(section("allocator"), file, scenario.allocator); !read) return read.error();
  if (auto read = read_pools(section("pool"), file, scenario.pools); !read) return read.error();
  if (auto read = read_users(section("user"), "[[user]]", file, scenario.users); !read) return read.error();
  if (auto read = read_frameworks(section("framework"), file, scenario); !read) return read.error();
  if (auto read = read_workloads(section("workload"), file, scenario); !read) return read.error();
  if (auto checked = check_topology(tree, file, scenario); !checked) return checked.error();
  if (auto checked = check_partition(tree, file, scenario); !checked) return checked.error();
  return scenario;
}

}  // namespace proffer::study
