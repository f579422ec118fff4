#include "frameworks/mapreduce/stragglers.hpp"

#include <algorithm>

#include "proffer/check.hpp"

namespace proffer::mapreduce {
namespace {

constexpr std::int64_t kMilli = 1000;

Duration time_left(const RunningMap& map, Duration expected, Time now) {
  const auto age = now - map.since;
  return expected > age ? expected - age : age;
}

/// The time at which the map becomes a straggler, now or later.
Time straggles_at(const RunningMap& map, Duration expected, Duration usual, const Speculation& rules,
                  Time now) {
  const auto slow = usual * rules.slowness_milli / kMilli;
  const auto may = map.since + rules.after;
  // On a slow agent there is no need to wait until it has outrun the others, if a backup can still be first.
  if (expected >= slow && std::max(now, may) + usual < map.since + expected) return may;
  return map.since + std::max({rules.after, slow, expected});
}

}  // namespace

Straggling find_stragglers(std::span<const RunningMap> running, Duration usual, const AgentPace& pace,
                           const Speculation& rules, Time now) {
  PROFFER_CHECK(usual > Duration::zero(), "stragglers are told by what is usual");
  Straggling found;
  Duration longest{};
  for (const auto& map : running) {
    const auto expected = usual * pace.milli(map.agent) / kMilli;
    const auto at = straggles_at(map, expected, usual, rules, now);
    if (at > now) {
      found.next = earlier(found.next, at);
    } else if (const auto left = time_left(map, expected, now); !found.worst || left > longest) {
      found.worst = map.index;
      longest = left;
    }
  }
  return found;
}

}  // namespace proffer::mapreduce
