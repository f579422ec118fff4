// Which line goes where, and what the tables are asked.
#include "study/why/scene.hpp"

#include <algorithm>
#include <utility>

namespace proffer::study::why {
namespace {

constexpr std::string_view kFramework = "framework ";

}  // namespace

std::int64_t AgentScene::free(Kind kind) const {
  if (lost) return 0;
  const auto at = taken.find(kind);
  const auto used = at == taken.end() ? 0 : at->second.running + at->second.offered;
  return std::max<std::int64_t>(0, slots[kind] - used);
}

SlotCount FrameworkScene::has(Kind kind) const {
  const auto at = taken.find(kind);
  return at == taken.end() ? SlotCount{} : at->second;
}

std::int64_t FrameworkScene::wants(Kind kind) const {
  const auto at = demand.find(kind);
  const auto all = at == demand.end() ? 0 : at->second;
  return std::max<std::int64_t>(0, all - has(kind).running - has(kind).offered);
}

void Scene::line(const TraceLine& line) {
  now = std::max(now, line.time);
  auto& last = last_seq_[line.source];
  const bool restarted = line.seq < last;  // each life of a program numbers its lines anew
  last = line.seq;
  if (line.source == "allocator") {
    if (restarted) restart();
    allocator_line(line.trace);
  } else if (line.source.starts_with(kFramework)) {
    const auto name = line.source.substr(kFramework.size());
    if (restarted) {
      auto& framework = frameworks[name];
      framework.jobs.clear();
      std::erase_if(framework.tasks, [](const auto& task) { return task.second.units == 0; });
      framework.pools.clear();
    }
    framework_line(name, line.trace);
  }
}

void Scene::allocator_line(const Trace& trace) {
  std::visit([&](const auto& event) { apply(event); }, trace);
}

void Scene::framework_line(const std::string& name, const Trace& trace) {
  auto& framework = frameworks[name];
  framework.name = name;
  std::visit([&](const auto& event) { apply(framework, event); }, trace);
}

/// What runs goes on running, and is counted again once its agent is back; all else is learned again.
void Scene::restart() {
  tree = ShareTree();
  pools.clear();
  agents.clear();
  offers.clear();
  starved.clear();
  names_.clear();
  for (auto& [name, framework] : frameworks) {
    framework.leaf.reset();
    framework.demand.clear();
    framework.taken.clear();
    framework.refusals.clear();
    framework.refuses_until.clear();
  }
}

bool Scene::admits(const std::string& pool, const AgentScene& agent) const {
  for (std::string_view name = pool;;) {
    const auto at = pools.find(std::string(name));
    if (at != pools.end() && !(at->second.racks.empty() && at->second.agents.empty())) {
      const auto has = [](const std::vector<std::string>& names, const std::string& wanted) {
        return std::find(names.begin(), names.end(), wanted) != names.end();
      };
      if (!has(at->second.racks, agent.rack) && !has(at->second.agents, agent.name)) return false;
    }
    if (name.empty()) return true;
    const auto dot = name.rfind('.');
    name = dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
  }
}

std::vector<std::string> Scene::order(Kind kind) const {
  std::map<LeafId, std::string> by_leaf;
  for (const auto& [name, framework] : frameworks) {
    if (framework.leaf) by_leaf[*framework.leaf] = name;
  }
  std::vector<std::string> order;
  static_cast<void>(tree.neediest(kind, [&](LeafId leaf) {
    order.push_back(by_leaf[leaf]);
    return false;
  }));
  return order;
}

std::string Scene::agent_name(AgentId id) const {
  const auto at = agents.find(id);
  return at == agents.end() ? to_hex(id.value) : at->second.name;
}

}  // namespace proffer::study::why
