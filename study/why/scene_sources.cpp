#include "study/why/scene_sources.hpp"

#include <algorithm>
#include <utility>

namespace proffer::study::why {
namespace {

constexpr std::uint32_t kUntold = 0;

void forget_tasks_that_run_nowhere(const Scene& scene, FrameworkScene& framework) {
  std::erase_if(framework.tasks,
                [&](const auto& task) { return scene.held(framework, task.first) == nullptr; });
}

/// Jobs and tasks are learned again; what runs goes on running.
void forget_own(const Scene& scene, FrameworkScene& framework) {
  framework.jobs.clear();
  framework.job_pools.pools.clear();
  framework.job_pools.users.clear();
  forget_tasks_that_run_nowhere(scene, framework);
}

void hand_over(const Scene& scene, FrameworkScene& from, FrameworkScene& to) {
  forget_own(scene, to);
  to.rules = std::exchange(from.rules, {});
  to.job_pools.pools = std::exchange(from.job_pools.pools, {});
  to.jobs = std::exchange(from.jobs, {});
  for (const auto& [id, task] : from.tasks) {
    if (scene.held(from, id) == nullptr) to.tasks.try_emplace(id, task);
  }
  forget_tasks_that_run_nowhere(scene, from);
}

FrameworkScene& add_framework(Scene& scene, const std::string& name) {
  const FrameworkNo number{++scene.sources.came};
  auto& framework = scene.frameworks[number];
  framework.number = number;
  framework.name = name;
  return framework;
}

/// A framework may come back under another id. Its slots stay in the account of the first one.
void name_by(Scene& scene, FrameworkScene& framework, FrameworkId id) {
  scene.sources.by_id[id] = framework.number;
  if (framework.account.value.is_nil()) {
    framework.account = id;
  } else {
    scene.ledger.join(id, framework.account);
  }
}

const FrameworkScene* present_framework(const Scene& scene, const std::string& name) {
  const FrameworkScene* newest = nullptr;
  for (const auto& [number, framework] : scene.frameworks) {
    if (framework.name == name && framework.present()) newest = &framework;
  }
  return newest;
}

std::int64_t present_named(const Scene& scene, const std::string& name) {
  return std::count_if(scene.frameworks.begin(), scene.frameworks.end(), [&](const auto& framework) {
    return framework.second.name == name && framework.second.present();
  });
}

}  // namespace

bool Scene::shares_lines(const FrameworkScene& framework) const {
  return sources.by_program.contains({framework.name, kUntold}) && present_named(*this, framework.name) > 1;
}

const FrameworkScene* framework_of(const Scene& scene, FrameworkId id) {
  const auto number = scene.sources.by_id.find(id);
  return number == scene.sources.by_id.end() ? nullptr : &scene.frameworks.at(number->second);
}

FrameworkScene* framework_of(Scene& scene, FrameworkId id) {
  const auto number = scene.sources.by_id.find(id);
  return number == scene.sources.by_id.end() ? nullptr : &scene.frameworks.at(number->second);
}

FrameworkScene& subscribed(Scene& scene, FrameworkId id, const std::string& name) {
  if (auto* known = framework_of(scene, id)) return *known;
  const auto& programs = scene.sources.by_program;
  const auto source = programs.find({name, kUntold});
  const bool is_its = source != programs.end() && !scene.frameworks.at(source->second).present();
  auto& framework = is_its ? scene.frameworks.at(source->second) : add_framework(scene, name);
  name_by(scene, framework, id);
  return framework;
}

FrameworkNo& source_of(Scene& scene, const TraceLine& line, const std::string& name, bool restarted) {
  const auto [at, is_new] = scene.sources.by_program.try_emplace({name, line.life});
  auto& number = at->second;
  if (is_new) {
    const auto* known = line.life == kUntold ? present_framework(scene, name) : nullptr;
    number = known != nullptr ? known->number : add_framework(scene, name).number;
  } else if (restarted && line.life == kUntold && present_named(scene, name) < 2) {
    auto& framework = scene.frameworks.at(number);
    if (framework.loss.for_good) {
      number = add_framework(scene, name).number;
    } else {
      forget_own(scene, framework);
    }
  }
  return number;
}

void began(Scene& scene, FrameworkNo& source, FrameworkId id) {
  auto& until_now = scene.frameworks.at(source);
  auto* known = framework_of(scene, id);
  if (known != nullptr && known->number == source) return;
  if (known == nullptr && until_now.id.value.is_nil()) {
    until_now.id = id;
    return name_by(scene, until_now, id);
  }
  auto& framework = known == nullptr ? subscribed(scene, id, until_now.name) : *known;
  hand_over(scene, until_now, framework);
  if (until_now.id.value.is_nil()) scene.frameworks.erase(source);
  source = framework.number;
}

}  // namespace proffer::study::why
