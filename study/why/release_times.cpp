#include "study/why/release_times.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "study/why/scene_sources.hpp"

namespace proffer::study::why {
namespace {

/// Returns how much longer a task runs. Run times of its own job tell most, then those of its framework, then
/// all.
std::optional<Duration> left_of(const Scene& scene, const FrameworkScene& framework, const TaskScene& task) {
  const auto elapsed = scene.now - *task.launched;
  const auto job = framework.jobs.find(task.job);
  std::vector<const std::map<Kind, RunTimes>*> known{&framework.run_times, &scene.run_times};
  if (job != framework.jobs.end()) known.insert(known.begin(), &job->second.run_times);
  for (const auto* times : known) {
    const auto at = times->find(task.kind);
    if (at == times->end()) continue;
    if (const auto left = at->second.left(elapsed)) return left;
  }
  return {};
}

}  // namespace

std::optional<Duration> next_release(const Scene& scene, const AgentAccount& agent, Kind kind) {
  std::optional<Duration> next;
  for (const auto& key : agent.tasks) {
    const auto* framework = framework_of(scene, key.framework);
    if (framework == nullptr) continue;
    const auto at = framework->tasks.find(key.task);
    if (at == framework->tasks.end() || at->second.kind != kind || !at->second.launched) continue;
    const auto left = left_of(scene, *framework, at->second);
    if (left) next = next ? std::min(*next, *left) : left;
  }
  return next;
}

bool in_force(const Scene& scene, const FrameworkScene& framework, AgentId agent, Kind kind) {
  const auto at = framework.answers.refusals.find({agent, kind});
  if (at == framework.answers.refusals.end()) return false;
  const auto& refusal = at->second;
  const auto there = scene.agents().find(agent);
  if (refusal.until_change) return there == scene.agents().end() || there->second.changed <= refusal.at;
  return !refusal.until || *refusal.until > scene.now;
}

AgentPlace place_of(const Scene& scene, const FrameworkScene& framework, AgentId id, Kind kind) {
  AgentPlace place;
  place.id = id;
  place.refused = in_force(scene, framework, id, kind);
  const auto at = scene.agents().find(id);
  if (at == scene.agents().end()) return place;
  const auto& agent = at->second;
  place.free = agent.free(kind);
  if (const auto taken = agent.taken.find(kind); taken != agent.taken.end()) {
    place.offered = taken->second.offered;
    place.running = taken->second.running;
  }
  place.next = next_release(scene, agent, kind);
  place.admitted = scene.admits(framework.pool, agent);
  return place;
}

std::vector<AgentPlace> preferred_places(const Scene& scene, const FrameworkScene& framework,
                                         const JobScene& job, Kind kind) {
  std::set<AgentId> wanted;
  for (const auto& id : job.waiting) {
    const auto& task = framework.tasks.at(id);
    if (task.kind != kind) continue;
    wanted.insert(task.prefers.begin(), task.prefers.end());
  }
  std::vector<AgentPlace> places;
  for (const auto agent : wanted) places.push_back(place_of(scene, framework, agent, kind));
  const auto rank = [](const AgentPlace& place) {
    const auto next = place.next.value_or(Duration::max());
    return std::tuple(place.free == 0, place.offered == 0, next, place.id);
  };
  std::sort(places.begin(), places.end(),
            [&](const AgentPlace& a, const AgentPlace& b) { return rank(a) < rank(b); });
  return places;
}

}  // namespace proffer::study::why
