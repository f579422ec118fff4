// Finding the obstacle: what keeps a framework from another slot.
#include <fmt/format.h>

#include <algorithm>

#include "study/why/explain.hpp"
#include "study/why/job_order.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {
namespace {

/// Offers that are older than this are told of: who answers does so at once.
constexpr Duration kUnanswered = std::chrono::seconds(1);

/// Somebody who wants a slot of a kind.
struct Wish {
  const Scene& scene;
  const FrameworkScene& framework;
  Kind kind;
  const std::string& who;  // sentences begin with it

  std::string slots(std::int64_t n) const { return count(n, fmt::format("{} slot", kind.name())); }
};

std::vector<PoolChanged> settings_of(const Scene& scene) {
  std::vector<PoolChanged> pools;
  for (const auto& [name, pool] : scene.pools) pools.push_back(pool);
  return pools;
}

/// Nothing to do with slots.
std::optional<Obstacle> absence(const Wish& of) {
  const auto& [scene, framework, kind, who] = of;
  if (framework.loss.for_good || !framework.leaf) {
    if (framework.loss.why == "teardown")
      return Obstacle{"away", fmt::format("{} has ended and left the cluster.", who)};
    const auto why = framework.loss.why.empty() ? "" : ": " + framework.loss.why;
    return Obstacle{"away", fmt::format("{} is not in the cluster{}.", who, why)};
  }
  if (framework.loss.at) {
    return Obstacle{"away", fmt::format("{} has had no session with the allocator for {}: {}.", who,
                                        span(scene.now - *framework.loss.at), framework.loss.why)};
  }
  if (scene.wants(framework, kind) == 0) {
    return Obstacle{"no-demand", fmt::format("{} wants no more {} slots than it has.", who, kind.name())};
  }
  if (scene.tree.waits(*framework.leaf)) {
    const auto limit =
        limit_of({settings_of(scene), scene.users}, framework.pool, framework.user, "frameworks");
    return Obstacle{"limit", fmt::format("{} waits for a place: {}.", who,
                                         limit.empty() ? "a limit of its pool holds it" : limit)};
  }
  if (scene.capacity(kind) == 0) {
    return Obstacle{"no-slots", fmt::format("No agent that is there has {} slots.", kind.name())};
  }
  return {};
}

Obstacle without_agents(const Wish& of) {
  const auto& [scene, framework, kind, who] = of;
  const auto pool = framework.pool.empty() ? std::string("root") : framework.pool;
  const auto* rule = scene.place_rule(framework.pool);
  if (rule == nullptr || rule->private_agents == 0) {
    return {"no-slots", fmt::format("No agent that pool {} may have has {} slots.", pool, kind.name())};
  }
  const auto unowned = std::count_if(scene.agents().begin(), scene.agents().end(), [&](const auto& entry) {
    const auto& agent = entry.second;
    return !agent.lost && !agent.leased_to && of.scene.admits_somewhen(of.framework.pool, agent);
  });
  return {
      "no-slots",
      fmt::format("{} waits for agents of its own: pool {} gets {} together, once so many are "
                  "nobody's and empty; {} nobody's.",
                  who, pool, rule->private_agents, unowned == 1 ? "1 is" : fmt::format("{} are", unowned))};
}

/// Nothing else is free, and some slots are offered to nobody because their agents cannot do their work.
std::optional<Obstacle> in_trouble(const Wish& of) {
  std::int64_t slots = 0;
  std::string first;
  for (const auto& [id, agent] : of.scene.agents()) {
    if (agent.trouble.empty() || !of.scene.admits(of.framework.pool, agent)) continue;
    const auto unused = agent.unused(of.kind);
    if (unused > 0 && first.empty()) first = fmt::format("{} says: {}", agent.name, agent.trouble);
    slots += unused;
  }
  if (slots == 0) return {};
  return Obstacle{"agent-trouble",
                  fmt::format("No {} slot is free but {} of agents in trouble, which are offered to "
                              "nobody until they are well: {}.",
                              of.kind.name(), slots, first)};
}

Obstacle silent(const Wish& of, const SilenceScene& silence) {
  const auto& [scene, framework, kind, who] = of;
  return {"silent",
          fmt::format("{} let an offer of {} slots expire {} ago and has answered none since, so it "
                      "is shown none for another {}.",
                      who, kind.name(), span(scene.now - silence.last_expired),
                      span(silence.silence.until - scene.now))};
}

Obstacle with_free_slots(const Wish& of, const Free& free) {
  const auto& [scene, framework, kind, who] = of;
  const auto slots = free.free == 1 ? fmt::format("{} slot is", kind.name())
                                    : fmt::format("{} {} slots are", free.free, kind.name());
  if (free.hidden_with_free == free.with_free) {
    const auto lately = late_offers(scene, framework, kind);
    const auto reasons = lately.reasons.empty() ? "" : fmt::format(" ({})", lately.reasons);
    return {"own-choice", fmt::format("{} waits by its own choice: {}{} free, but it declined {} of late{}.",
                                      who, free.free == 1 ? "a " : "", slots,
                                      free.with_free == 1 ? "that agent" : "those agents", reasons)};
  }
  const auto them = fmt::format("{}{} free that it does not refuse: ", free.free == 1 ? "One " : "", slots);
  if (scene.rules.report_period > Duration::zero()) {
    return {"on-offer", them + fmt::format("each agent's slots are offered with its reports only, every {}.",
                                           span(scene.rules.report_period))};
  }
  return {"on-offer", them + "they are about to be offered, or were shown to it in this round."};
}

/// Until the first of the offers expires that others have not answered for a while.
std::optional<Duration> first_expiry(const Wish& of) {
  std::optional<Duration> first;
  for (const auto& [id, offer] : of.scene.ledger.offers()) {
    const bool counts = offer.resources[of.kind] > 0 && offer.made + kUnanswered <= of.scene.now;
    const auto agent = of.scene.agents().find(offer.agent);
    if (!counts || agent == of.scene.agents().end()) continue;
    if (!of.scene.admits(of.framework.pool, agent->second)) continue;
    const auto left = std::max(Duration::zero(), offer.made + of.scene.rules.offer_timeout - of.scene.now);
    first = first ? std::min(*first, left) : left;
  }
  return first;
}

std::string taken(const Wish& of, const Free& free, const std::optional<Duration>& expiry) {
  const auto which = free.slots < of.scene.capacity(of.kind) ? " that it may have" : "";
  const auto all = fmt::format("All {} slots{} are ", of.kind.name(), which);
  if (!expiry) return all + "taken";
  return all +
         fmt::format("taken, {} of {} by offers that others have not answered", free.offered, free.slots);
}

std::string soon(const Wish& of, const Free& free, const std::optional<Duration>& expiry) {
  if (expiry && (!free.next || *expiry < *free.next)) {
    return fmt::format("the first of these offers expires in {}", span(*expiry));
  }
  if (free.next && *free.next < std::chrono::milliseconds(50)) return "one should come free any moment";
  if (free.next) return fmt::format("the next should come free in about {}", span(*free.next));
  const auto known = of.scene.run_times.find(of.kind);
  if (known == of.scene.run_times.end() || known->second.empty()) {
    return fmt::format("when one comes free is not known, since no {} task has finished yet", of.kind.name());
  }
  return "when one comes free is not known: those that run have run longer than any that finished";
}

Obstacle behind_others(const Wish& of, const std::string& all_taken, const std::string& next) {
  const auto line = line_of(of.scene, of.framework, of.kind);
  auto place = fmt::format("{} is {} of {} in line for the next", of.who, ordinal(line.place), line.length);
  if (line.idle > 0) {
    place += fmt::format(" ({} {} no agent or {} silent)",
                         line.idle == 1 ? "one more" : fmt::format("{} more", line.idle),
                         line.idle == 1 ? "takes" : "take", line.idle == 1 ? "is" : "are");
  }
  return {"behind-others", fmt::format("{}, and {}; {}.", all_taken, place, next)};
}

Obstacle without_free_slots(const Wish& of, const Free& free) {
  const auto& [scene, framework, kind, who] = of;
  const auto standing = standing_of(scene, framework, kind);
  if (standing.offered > 0) {
    return {"on-offer",
            fmt::format("{} holds {} on offer and has not answered yet.", who, of.slots(standing.offered))};
  }
  const auto expiry = first_expiry(of);
  const auto all_taken = taken(of, free, expiry);
  const auto next = soon(of, free, expiry);
  if (standing.running > 0 && standing.running >= standing.owed()) {
    const auto has = standing.running > standing.fair
                         ? fmt::format("{}, where it is entitled to {}", standing.running, standing.fair)
                         : fmt::format("the {} that it is entitled to", standing.running);
    return {"at-share", fmt::format("{}, and {} runs {}; {}.", all_taken, who, has, next)};
  }
  if (declines(scene, framework, kind)) {
    const auto lately = late_offers(scene, framework, kind);
    return {"own-choice",
            fmt::format("{} waits by its own choice: its last answer was to decline a {} slot; of late it "
                        "declined {} of {}{}.",
                        who, kind.name(), lately.declined, count(lately.ended, "offer"),
                        lately.reasons.empty() ? "" : fmt::format(" ({})", lately.reasons))};
  }
  return behind_others(of, all_taken, next);
}

}  // namespace

Obstacle obstacle_of(const Scene& scene, const FrameworkScene& framework, Kind kind, const std::string& who) {
  const Wish of{scene, framework, kind, who};
  if (auto found = absence(of)) return *found;
  const auto free = free_for(scene, framework, kind);
  if (free.agents == 0) return without_agents(of);
  if (const auto* silence = silence_of(scene, framework, kind)) return silent(of, *silence);
  if (free.free > 0) return with_free_slots(of, free);
  if (auto found = in_trouble(of)) return *found;
  return without_free_slots(of, free);
}

}  // namespace proffer::study::why
