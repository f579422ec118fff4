// Lines go to their handlers from here; questions about the scene are answered.
#include "study/why/scene.hpp"

#include <algorithm>

#include "study/why/scene_lines.hpp"
#include "study/why/scene_sources.hpp"

namespace proffer::study::why {
namespace {

constexpr std::string_view kFramework = "framework ";

}  // namespace

void Scene::line(const TraceLine& line) {
  now = std::max(now, line.time);
  const bool restarted = holes.note(line);
  if (line.source == "allocator") {
    // What a former allocator knew goes before the first line of the new one, which tells of it anew.
    if (restarted) restart();
    allocator_line(*this, line.trace);
  } else if (line.source.starts_with(kFramework)) {
    auto& source = source_of(*this, line, line.source.substr(kFramework.size()), restarted);
    if (const auto* session = std::get_if<SessionBegan>(&line.trace)) {
      return began(*this, source, session->framework);
    }
    framework_line(*this, frameworks.at(source), line.trace);
  }
}

/// Tasks that run go on running, and count again once the new one says so; all else is learned again.
void Scene::restart() {
  ledger.restart();
  tree = ShareTree();
  pools.clear();
  users.clear();
  starved.clear();
  added.clear();
  for (auto& [number, framework] : frameworks) {
    framework.leaf.reset();
    framework.answers.refusals.clear();
    framework.answers.silences.clear();
    framework.answers.declines.clear();
  }
}

SlotCount Scene::has(const FrameworkScene& framework, Kind kind) const {
  return ledger.framework(framework.account).has(kind);
}

std::int64_t Scene::wants(const FrameworkScene& framework, Kind kind) const {
  return ledger.framework(framework.account).wants(kind);
}

const HeldTask* Scene::held(const FrameworkScene& framework, const TaskId& task) const {
  return ledger.task({framework.account, task});
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
  const auto* agent = ledger.agent(id);
  return agent == nullptr ? to_hex(id.value) : agent->name;
}

}  // namespace proffer::study::why
