// Release times: when slots may come free. A task that runs is taken to last as long as those did on the
// average that lasted at least as long as it has run so far, of its job, else of its framework, else of all.
#pragma once

#include <optional>
#include <vector>

#include "study/why/scene.hpp"

namespace proffer::study::why {

/// Returns how long it takes until a slot of the kind comes free on an agent. None: nothing runs there, or
/// all that runs there has run longer than any task of the kind that finished.
std::optional<Duration> next_release(const Scene& scene, const AgentAccount& agent, Kind kind);

/// An agent as it stands for a framework that wants a slot of a kind there.
struct AgentPlace {
  AgentId id;
  std::int64_t free = 0;
  std::int64_t offered = 0;
  std::int64_t running = 0;
  std::optional<Duration> next;
  bool refused = false;  // by the framework, in force
  bool admitted = true;  // the framework's pool may have it
};
AgentPlace place_of(const Scene& scene, const FrameworkScene& framework, AgentId id, Kind kind);
/// Agents that waiting tasks of a job prefer: free ones first, then by when a slot may come free.
std::vector<AgentPlace> preferred_places(const Scene& scene, const FrameworkScene& framework,
                                         const JobScene& job, Kind kind);
/// Returns whether what a framework declined of that agent is still hidden from it.
bool in_force(const Scene& scene, const FrameworkScene& framework, AgentId agent, Kind kind);

}  // namespace proffer::study::why
