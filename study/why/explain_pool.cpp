// The explanation of why a pool has no more than it has.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "study/why/explain.hpp"
#include "study/why/job_order.hpp"
#include "study/why/words.hpp"

namespace proffer::study::why {
namespace {

constexpr std::size_t kFrameworksNamed = 12;

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
  if (at->second.private_agents > 0) {
    const auto& agents = account.scene().agents();
    const auto its = std::count_if(agents.begin(), agents.end(),
                                   [&](const auto& agent) { return agent.second.leased_to == pool; });
    text += fmt::format(", {} of its own while it wants slots ({} now)",
                        count(at->second.private_agents, "agent"), its);
  }
  if (at->second.user_limit != kNoUserLimit) text += fmt::format(", user_limit {}%", at->second.user_limit);
  account.part("settings", std::move(text));
}

std::vector<const FrameworkScene*> members(const Scene& scene, const std::string& pool) {
  std::vector<const FrameworkScene*> found;
  for (const auto& [number, framework] : scene.frameworks) {
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

/// The kind of which it misses most, or else wants any.
Kind pressing_kind_of(const Scene& scene, const std::string& pool) {
  return kind_of_most(scene, [&](Kind kind) {
    const auto standing = standing_of_pool(scene, pool, kind);
    return std::pair(standing.lacks.all, standing.demand > 0);
  });
}

void answer_short(Account& account, const Standing& standing, Kind kind,
                  const std::vector<const FrameworkScene*>& members) {
  const auto& scene = account.scene();
  const auto lacks = [&](const FrameworkScene* framework) {
    return standing_of(scene, *framework, kind).lacks.all;
  };
  const auto* most = *std::max_element(members.begin(), members.end(),
                                       [&](const auto* a, const auto* b) { return lacks(a) < lacks(b); });
  const auto missing = static_cast<std::int64_t>(standing.lacks.all);
  const auto declined = static_cast<std::int64_t>(standing.lacks.declined);
  const auto it_is_short =
      fmt::format("It is short of {}", count(missing, fmt::format("{} slot", kind.name())));
  if (standing.offered >= missing) {
    return account.answer(
        "on-offer",
        fmt::format("{}; {} on offer to its frameworks, which have not answered yet.", it_is_short,
                    standing.offered == 1 ? "1 is" : fmt::format("{} are", standing.offered)));
  }
  const auto obstacle = obstacle_of(scene, *most, kind, called(scene, *most));
  if (2 * declined >= missing) {
    return account.answer(
        "own-choice",
        fmt::format("{}, {} by its own choice: frameworks of it declined what they were offered. {}",
                    it_is_short, declined == missing ? "all" : fmt::format("{} of them", declined),
                    obstacle.sentence));
  }
  account.answer(obstacle.cause, fmt::format("{}. {}", it_is_short, obstacle.sentence));
}

/// States the frameworks of a pool; those that lack most come first.
void state_frameworks(Account& account, Kind kind, const std::vector<const FrameworkScene*>& members) {
  const auto& scene = account.scene();
  std::vector<std::pair<double, const FrameworkScene*>> ranked;
  for (const auto* framework : members) {
    ranked.emplace_back(-standing_of(scene, *framework, kind).lacks.all, framework);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < std::min(ranked.size(), kFrameworksNamed); ++i) {
    const auto& framework = *ranked[i].second;
    const auto its = standing_of(scene, framework, kind);
    account.part("framework",
                 fmt::format("{}: runs {} of {} that it is entitled to, demand {}{}",
                             called(scene, framework), its.running, its.fair, demand_text(its.demand),
                             declines(scene, framework, kind) ? ", declines slots" : ""));
  }
  if (ranked.size() > kFrameworksNamed) {
    account.part("framework", fmt::format("and {} more", ranked.size() - kFrameworksNamed));
  }
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
  } else if (standing.lacks.all <= 0) {
    account.answer("at-share", fmt::format("It has what it is entitled to: it runs {}, of {}.",
                                           count(standing.running, fmt::format("{} slot", kind.name())),
                                           standing.owed()));
  } else {
    answer_short(account, standing, kind, frameworks);
  }
  state_settings(account, pool);
  for (const auto each : scene.kinds) state_kind(account, pool, each);
  state_frameworks(account, kind, frameworks);
  state_starvation(account, pool, kind);
  account.state_deficit(account.shortage().of_pool(kind), kind);
  return account.take();
}

}  // namespace proffer::study::why
