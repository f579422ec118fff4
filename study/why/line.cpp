// The line for the next slot: who comes before whom, of those that would take one.
#include <algorithm>

#include "study/why/explain.hpp"

namespace proffer::study::why {
namespace {

/// There is an agent with slots of the kind that it may have and does not refuse.
bool takes_some(const Scene& scene, const FrameworkScene& framework, Kind kind) {
  if (silence_of(scene, framework, kind) != nullptr) return false;
  return std::any_of(scene.agents().begin(), scene.agents().end(), [&](const auto& entry) {
    const auto& [id, agent] = entry;
    return !agent.lost && agent.slots[kind] > 0 && scene.admits(framework.pool, agent) &&
           !in_force(scene, framework, id, kind);
  });
}

}  // namespace

const SilenceScene* silence_of(const Scene& scene, const FrameworkScene& framework, Kind kind) {
  const auto at = framework.answers.silences.find(kind);
  return at == framework.answers.silences.end() || !at->second.silence.holds(scene.now) ? nullptr
                                                                                        : &at->second;
}

Line line_of(const Scene& scene, const FrameworkScene& framework, Kind kind) {
  Line line;
  for (const auto number : scene.order(kind)) {
    const bool is_it = number == framework.number;
    if (!is_it && !takes_some(scene, scene.frameworks.at(number), kind)) {
      ++line.idle;
      continue;
    }
    ++line.length;
    if (is_it) line.place = line.length;
  }
  return line;
}

}  // namespace proffer::study::why
