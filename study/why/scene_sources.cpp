// Whose lines are whose. A program's own lines name no framework but in session_began, and two may be called
// alike: lines that tell their program's life are kept apart by it, older ones by the name alone.
#include <algorithm>
#include <utility>

#include "study/why/scene.hpp"

namespace proffer::study::why {
namespace {

constexpr std::uint32_t kUntold = 0;

/// Its jobs and tasks are learned again; what runs goes on running.
void forget_own(FrameworkScene& framework) {
  framework.jobs.clear();
  framework.job_pools.pools.clear();
  framework.job_pools.users.clear();
  std::erase_if(framework.tasks, [](const auto& task) { return task.second.units == 0; });
}

void hand_over(FrameworkScene& from, FrameworkScene& to) {
  forget_own(to);
  to.rules = std::exchange(from.rules, {});
  to.job_pools.pools = std::exchange(from.job_pools.pools, {});
  to.jobs = std::exchange(from.jobs, {});
  for (const auto& [id, task] : from.tasks) {
    if (task.units == 0) to.tasks.try_emplace(id, task);
  }
  std::erase_if(from.tasks, [](const auto& task) { return task.second.units == 0; });
}

}  // namespace

FrameworkScene& Scene::add_framework(const std::string& name) {
  const FrameworkNo number{++came_};
  auto& framework = frameworks[number];
  framework.number = number;
  framework.name = name;
  return framework;
}

const FrameworkScene* Scene::present(const std::string& name) const {
  const FrameworkScene* newest = nullptr;
  for (const auto& [number, framework] : frameworks) {
    if (framework.name == name && framework.present()) newest = &framework;
  }
  return newest;
}

std::int64_t Scene::present_named(const std::string& name) const {
  return std::count_if(frameworks.begin(), frameworks.end(), [&](const auto& framework) {
    return framework.second.name == name && framework.second.present();
  });
}

bool Scene::shares_lines(const FrameworkScene& framework) const {
  return sources_.contains({framework.name, kUntold}) && present_named(framework.name) > 1;
}

/// An id that is new may be that of a program whose own lines came before.
FrameworkScene& Scene::subscribed(FrameworkId id, const std::string& name) {
  const auto known = numbers_.find(id);
  if (known != numbers_.end()) return frameworks.at(known->second);
  const auto source = sources_.find({name, kUntold});
  const bool is_its = source != sources_.end() && !frameworks.at(source->second).present();
  auto& framework = is_its ? frameworks.at(source->second) : add_framework(name);
  numbers_[id] = framework.number;
  return framework;
}

FrameworkNo& Scene::source_of(const TraceLine& line, const std::string& name, bool restarted) {
  const auto [at, is_new] = sources_.try_emplace({name, line.life});
  auto& number = at->second;
  if (is_new) {
    const auto* known = line.life == kUntold ? present(name) : nullptr;
    number = known != nullptr ? known->number : add_framework(name).number;
  } else if (restarted && line.life == kUntold && present_named(name) < 2) {
    auto& framework = frameworks.at(number);
    framework.loss.for_good ? void(number = add_framework(name).number) : forget_own(framework);
  }
  return number;
}

/// From now on the lines of that program are those of the framework with that id.
void Scene::began(FrameworkNo& source, FrameworkId id) {
  auto& until_now = frameworks.at(source);
  const auto known = numbers_.find(id);
  if (known != numbers_.end() && known->second == source) return;
  if (known == numbers_.end() && until_now.id.value.is_nil()) {
    until_now.id = id;
    numbers_[id] = source;
    return;
  }
  auto& framework = known == numbers_.end() ? subscribed(id, until_now.name) : frameworks.at(known->second);
  hand_over(until_now, framework);
  if (until_now.id.value.is_nil()) frameworks.erase(source);
  source = framework.number;
}

}  // namespace proffer::study::why
