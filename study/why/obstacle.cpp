// What keeps a framework from another slot.
#include <fmt/format.h>

#include <algorithm>

#include "study/why/explain.hpp"
#include "study/why/job_order.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {
namespace {

std::vector<PoolChanged> settings_of(const Scene& scene) {
  std::vector<PoolChanged> pools;
  for (const auto& [name, pool] : scene.pools) pools.push_back(pool);
  return pools;
}

std::string soon(const Free& free) {
  if (!free.next) return "when one comes free is not known, since no task has finished yet";
  if (*free.next == Duration::zero()) return "one should come free any moment";
  return fmt::format("the next should come free in about {}", span(*free.next));
}

/// Nothing to do with slots.
std::optional<Obstacle> absence(const Scene& scene, const FrameworkScene& framework, Kind kind,
                                const std::string& who) {
  if (framework.gone || !framework.leaf) {
    const auto why = framework.why_lost.empty() ? "" : ": " + framework.why_lost;
    return Obstacle{"away", fmt::format("{} is not in the cluster{}.", who, why)};
  }
  if (framework.lost_at) {
    return Obstacle{"away", fmt::format("{} has had no session with the allocator for {}: {}.", who,
                                        span(scene.now - *framework.lost_at), framework.why_lost)};
  }
  if (framework.wants(kind) == 0) {
    return Obstacle{"no-demand", fmt::format("{} wants no more {} slots than it has.", who, kind.name())};
  }
  if (scene.tree.waits(*framework.leaf)) {
    const auto limit = limit_of(settings_of(scene), framework.pool, "frameworks");
    return Obstacle{"limit", fmt::format("{} waits for a place: {}.", who,
                                         limit.empty() ? "a limit of its pool holds it" : limit)};
  }
  if (scene.capacity(kind) == 0) {
    return Obstacle{"no-slots", fmt::format("No agent that is there has {} slots.", kind.name())};
  }
  return {};
}

Obstacle with_free_slots(const Scene& scene, const FrameworkScene& framework, Kind kind,
                         const std::string& who, const Free& free) {
  if (framework.last_expiry) {
    return {"silent", fmt::format("{} let an offer expire {} ago and has answered none since, so it is "
                                  "shown nothing for a while.",
                                  who, span(scene.now - *framework.last_expiry))};
  }
  if (free.hidden_with_free == free.with_free) {
    const auto lately = late_offers(scene, framework);
    const auto reasons = lately.reasons.empty() ? "" : fmt::format(" ({})", lately.reasons);
    return {"own-choice",
            fmt::format("{} waits by its own choice: {} free, but it declined {} of late{}.", who,
                        free.free == 1 ? fmt::format("a {} slot is", kind.name())
                                       : fmt::format("{} {} slots are", free.free, kind.name()),
                        free.with_free == 1 ? "that agent" : "those agents", reasons)};
  }
  return {"on-offer", fmt::format("{} free that it does not refuse: they are about to be offered, or "
                                  "were shown to it in this round.",
                                  free.free == 1 ? fmt::format("One {} slot is", kind.name())
                                                 : fmt::format("{} {} slots are", free.free, kind.name()))};
}

}  // namespace

Obstacle obstacle_of(const Scene& scene, const FrameworkScene& framework, Kind kind, const std::string& who) {
  if (auto found = absence(scene, framework, kind, who)) return *found;
  const auto free = free_for(scene, framework, kind);
  if (free.agents == 0) {
    return {"no-slots", fmt::format("No agent that pool {} may have has {} slots.",
                                    framework.pool.empty() ? "root" : framework.pool, kind.name())};
  }
  if (free.free > 0) return with_free_slots(scene, framework, kind, who, free);
  const auto standing = standing_of(scene, framework, kind);
  if (standing.offered > 0) {
    return {"on-offer", fmt::format("{} holds {} on offer and has not answered yet.", who,
                                    count(standing.offered, fmt::format("{} slot", kind.name())))};
  }
  const auto lately = late_offers(scene, framework);
  if (lately.for_locality > 0) {
    return {"own-choice", fmt::format("{} waits for slots near its data: of late it declined {} of {} "
                                      "({}).",
                                      who, lately.declined, count(lately.ended, "offer"), lately.reasons)};
  }
  if (standing.running >= standing.owed()) {
    const auto has = standing.running > standing.fair
                         ? fmt::format("{}, where it is entitled to {}", standing.running, standing.fair)
                         : fmt::format("the {} that it is entitled to", standing.running);
    return {"at-share",
            fmt::format("All {} slots are taken, and {} runs {}; {}.", kind.name(), who, has, soon(free))};
  }
  const auto order = scene.order(kind);
  const auto place = std::find(order.begin(), order.end(), framework.name) - order.begin();
  return {"behind-others",
          fmt::format("All {} slots are taken, and {} is {} of {} in line for the next; {}.", kind.name(),
                      who, ordinal(static_cast<std::size_t>(place) + 1), order.size(), soon(free))};
}

}  // namespace proffer::study::why
