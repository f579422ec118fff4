// Which line goes where, and what the tables are asked.
#include "study/why/scene.hpp"

#include <algorithm>
#include <utility>

namespace proffer::study::why {
namespace {

constexpr std::string_view kFramework = "framework ";

}  // namespace

std::int64_t AgentScene::free(Kind kind) const { return trouble.empty() ? unused(kind) : 0; }

std::int64_t AgentScene::unused(Kind kind) const {
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
  const bool restarted = holes.note(line);
  if (line.source == "allocator") {
    if (restarted) restart();
    allocator_line(line.trace);
  } else if (line.source.starts_with(kFramework)) {
    framework_line(line, restarted);
  }
}

void Scene::allocator_line(const Trace& trace) {
  std::visit([&](const auto& event) { apply(event); }, trace);
}

void Scene::framework_line(const TraceLine& line, bool restarted) {
  auto& source = source_of(line, line.source.substr(kFramework.size()), restarted);
  if (const auto* session = std::get_if<SessionBegan>(&line.trace)) return began(source, session->framework);
  auto& framework = frameworks.at(source);
  std::visit([&](const auto& event) { apply(framework, event); }, line.trace);
}

/// What runs goes on running, and is counted again once its agent is back; all else is learned again.
void Scene::restart() {
  tree = ShareTree();
  pools.clear();
  users.clear();
  agents.clear();
  offers.clear();
  starved.clear();
  added_.clear();
  for (auto& [number, framework] : frameworks) {
    framework.leaf.reset();
    framework.demand.clear();
    framework.taken.clear();
    framework.refusals.clear();
    framework.silences.clear();
    framework.declines.clear();
  }
}

std::vector<FrameworkNo> Scene::order(Kind kind) const {
  std::map<LeafId, FrameworkNo> by_leaf;
  for (const auto& [number, framework] : frameworks) {
    if (framework.leaf) by_leaf[*framework.leaf] = number;
  }
  std::vector<FrameworkNo> order;
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
