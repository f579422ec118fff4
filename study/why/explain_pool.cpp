// Why a pool has no more than it has.
#include <fmt/format.h>

#include <algorithm>

#include "study/why/explain.hpp"
#include "study/why/job_order.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {
namespace {

std::string shown(const std::string& pool) { return pool.empty() ? "root" : pool; }

void state_settings(Account& account, const std::string& pool) {
  const auto& pools = account.scene().pools;
  const auto at = pools.find(pool);
  if (at == pools.end()) {
    account.part("settings", pools.empty() ? "no pool is set in this log: each has weight 1, and no limit"
                                           : "as usual: weight 1, no min share, no limit");
    return;
  }
  auto text = fmt::format("weight {:g}, order {}", static_cast<double>(at->second.weight_milli) / 1000,
                          at->second.order);
  for (const auto& [kind, units] : at->second.min_share) {
    text += fmt::format(", min share {} {}", units, kind.name());
  }
  if (at->second.max_running > 0) text += fmt::format(", max_running {}", at->second.max_running);
  if (at->second.max_running_per_user > 0) {
    text += fmt::format(", max_running_per_user {}", at->second.max_running_per_user);
  }
  account.part("settings", std::move(text));
}

std::vector<const FrameworkScene*> members(const Scene& scene, const std::string& pool) {
  std::vector<const FrameworkScene*> found;
  for (const auto& [name, framework] : scene.frameworks) {
    if (framework.leaf && is_in(framework, pool)) found.push_back(&framework);
  }
  return found;
}

void state_kind(Account& account, const std::string& pool, Kind kind) {
  const auto standing = standing_of_pool(account.scene(), pool, kind);
  auto text = fmt::format("{}: runs {}, {} on offer, of {} that it is entitled to; demand {}", kind.name(),
                          standing.running, standing.offered, standing.fair, demand_text(standing.demand));
  if (standing.guaranteed > 0) text += fmt::format("; guaranteed {}", standing.guaranteed);
  account.part("share", std::move(text));
  const auto prefix = std::string(kind.name());
  account.fact(prefix + ".running", standing.running);
  account.fact(prefix + ".offered", standing.offered);
  account.fact(prefix + ".fair", standing.fair);
  account.fact(prefix + ".guaranteed", standing.guaranteed);
  account.fact(prefix + ".demand", standing.demand >= kUnbounded ? std::int64_t{-1} : standing.demand);
}

void state_starvation(Account& account, const std::string& pool, Kind kind) {
  const auto at = account.scene().starved.find({pool, kind});
  if (at == account.scene().starved.end()) return;
  account.part("starved", fmt::format("{} ago the allocator found that it starved: it used {} of {} {} slots",
                                      span(account.scene().now - at->second.at), at->second.used,
                                      at->second.target, kind.name()));
}

/// The kind of which it misses most.
Kind pressing_kind_of(const Scene& scene, const std::string& pool) {
  Kind pressing = scene.kinds.empty() ? Kind("map") : scene.kinds.front();
  std::int64_t most = 0;
  for (const auto kind : scene.kinds) {
    const auto standing = standing_of_pool(scene, pool, kind);
    const auto missing = std::max(standing.owed() - standing.running, standing.demand > 0 ? 1L : 0L);
    if (missing > most) pressing = kind;
    most = std::max(most, missing);
  }
  return pressing;
}

void answer_short(Account& account, const Standing& standing, Kind kind,
                  const std::vector<const FrameworkScene*>& frameworks) {
  const auto& scene = account.scene();
  const auto neediest =
      *std::max_element(frameworks.begin(), frameworks.end(),
                        [&](const auto* a, const auto* b) { return a->wants(kind) < b->wants(kind); });
  const auto obstacle = obstacle_of(scene, *neediest, kind, neediest->name);
  const auto missing = count(standing.owed() - standing.running, fmt::format("{} slot", kind.name()));
  const bool own = standing.refuses || obstacle.cause == "own-choice";
  account.answer(
      own ? "own-choice" : obstacle.cause,
      fmt::format("It is short of {}{}. {}", missing,
                  own ? ", by its own choice: a framework of it refuses slots" : "", obstacle.sentence));
}

}  // namespace

Explanation explain_pool(Account account, const std::string& pool) {
  const auto& scene = account.scene();
  const auto kind = pressing_kind_of(scene, pool);
  const auto standing = standing_of_pool(scene, pool, kind);
  const auto frameworks = members(scene, pool);
  account.about(fmt::format("pool {}", shown(pool)));
  account.fact("frameworks", frameworks.size());
  if (frameworks.empty()) {
    account.answer("no-demand", "No framework is in it.");
  } else if (standing.demand == 0) {
    const bool held = std::any_of(frameworks.begin(), frameworks.end(),
                                  [&](const auto* f) { return scene.tree.waits(*f->leaf); });
    account.answer(held ? "limit" : "no-demand",
                   held ? "Its frameworks wait for a place under a limit." : "Its frameworks want nothing.");
  } else if (standing.running >= standing.owed()) {
    account.answer("at-share", fmt::format("It has what it is entitled to: it runs {}, of {}.",
                                           count(standing.running, fmt::format("{} slot", kind.name())),
                                           standing.owed()));
  } else {
    answer_short(account, standing, kind, frameworks);
  }
  state_settings(account, pool);
  for (const auto each : scene.kinds) state_kind(account, pool, each);
  for (const auto* framework : frameworks) {
    const auto mine = standing_of(scene, *framework, kind);
    account.part("framework", fmt::format("{}: runs {}, demand {}{}", framework->name, mine.running,
                                          demand_text(mine.demand), mine.refuses ? ", refuses slots" : ""));
  }
  state_starvation(account, pool, kind);
  account.state_deficit(kind);
  return account.take();
}

}  // namespace proffer::study::why
