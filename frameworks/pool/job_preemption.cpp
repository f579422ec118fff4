#include "frameworks/pool/job_preemption.hpp"

#include <algorithm>

namespace proffer::frameworks {

JobPreemption::JobPreemption(const PreemptionConfig& config, const std::vector<PoolSpec>& pools,
                             ShareTree& tree)
    : config_(config), tree_(tree) {
  for (const auto& pool : pools) {
    if (pool.name.empty() || (!config.fair_share_timeout && !pool.min_share_timeout)) continue;
    watched_.push_back({pool.name, *tree.find_pool(pool.name), pool.min_share_timeout});
  }
}

std::int64_t JobPreemption::target_of(const StarvationClocks::Key& key) const {
  return shortage_target(tree_.numbers(key.pool, key.kind), key.shortage, config_.fair_share_threshold_milli);
}

void JobPreemption::watch(Kind kind, std::int64_t slots, Time now) {
  if (tree_.capacity(kind) != slots) tree_.set_capacity(kind, slots);
  for (const auto& pool : watched_) {
    std::optional<StarvationClocks::End> refused;  // a look at all refusals, for pools that are short only
    const auto watch_one = [&](Shortage shortage, std::optional<Duration> patience) {
      const StarvationClocks::Key key{pool.node, kind, shortage};
      if (!patience || target_of(key) == 0) return clocks_.stop(key);
      if (!refused) {
        refused = clocks_.refused_until(kind, [&](LeafId job) {
          return tree_.is_within(tree_.node_of(job), pool.node) && tree_.wants(job, kind);
        });
      }
      clocks_.run(key, *patience, *refused, now);
    };
    watch_one(Shortage::of_min_share, pool.min_share_timeout);
    watch_one(Shortage::of_fair_share, config_.fair_share_timeout);
  }
  clocks_.drop_past(now);
}

void JobPreemption::refused(LeafId job, Kind kind, StarvationClocks::End until) {
  clocks_.refused(job, kind, until);
  for (const auto node : tree_.path_of(job)) clocks_.set_back(node, kind, until);
}

bool JobPreemption::starved(LeafId job, Kind kind) const {
  if (clocks_.empty()) return false;
  const auto path = tree_.path_of(job);
  return std::any_of(path.begin(), path.end(), [&](ShareNode node) { return clocks_.starved(node, kind); });
}

/// A pool may have been helped since the clocks were looked at, and then it is passed over.
std::optional<JobPreemption::Due> JobPreemption::take_due(Time now) {
  while (const auto key = clocks_.pop_due(now)) {
    const auto target = target_of(*key);
    if (target == 0) {
      clocks_.stop(*key);
      continue;
    }
    const auto used = tree_.numbers(key->pool, key->kind).used;
    Due due{{name_of(key->pool), key->kind, used, target}, key->pool};
    due.starved.enforced = config_.mode == PreemptionMode::on;
    due.missing = target - used - expected(key->pool, key->kind);
    return due;
  }
  return {};
}

std::vector<JobPreemption::Task> JobPreemption::choose(const Due& due,
                                                       const std::vector<Task>& newest_first) {
  if (config_.mode == PreemptionMode::off) return {};
  const auto kind = due.starved.kind;
  auto victims = spare_for(due.node, kind, due.missing, newest_first, {});
  if (due.starved.enforced) {
    for (const auto& task : victims) dying_.emplace(task.id, Dying{task.job, due.node, kind});
  }
  return victims;
}

std::vector<JobPreemption::Task> JobPreemption::spare(Kind kind, std::int64_t most,
                                                      const std::vector<Task>& newest_first,
                                                      const std::vector<Task>& leaving) const {
  if (config_.mode == PreemptionMode::off) return {};
  return spare_for({}, kind, most, newest_first, leaving);
}

/// Tasks that are dying already count as gone.
std::vector<JobPreemption::Task> JobPreemption::spare_for(std::optional<ShareNode> starved, Kind kind,
                                                          std::int64_t most,
                                                          const std::vector<Task>& newest_first,
                                                          const std::vector<Task>& leaving) const {
  std::map<ShareNode, std::int64_t> gone;
  for (const auto& task : leaving) {
    if (dying_.contains(task.id)) continue;
    for (const auto node : givers(task.job, starved)) ++gone[node];
  }
  for (const auto& [task, dying] : dying_) {
    if (dying.kind != kind) continue;
    for (const auto node : givers(dying.job, starved)) ++gone[node];
  }
  std::vector<Task> victims;
  for (const auto& task : newest_first) {
    if (static_cast<std::int64_t>(victims.size()) >= most) break;
    if (dying_.contains(task.id)) continue;
    const auto nodes = givers(task.job, starved);
    const bool can_spare = !nodes.empty() && std::all_of(nodes.begin(), nodes.end(), [&](ShareNode node) {
      const auto numbers = tree_.numbers(node, kind);
      return numbers.used - numbers.most_fair - gone[node] > 0;
    });
    if (!can_spare) continue;
    for (const auto node : nodes) ++gone[node];
    victims.push_back(task);
  }
  return victims;
}

const std::string& JobPreemption::name_of(ShareNode pool) const {
  return std::find_if(watched_.begin(), watched_.end(), [&](const Watched& one) { return one.node == pool; })
      ->name;
}

std::int64_t JobPreemption::expected(ShareNode pool, Kind kind) const {
  return std::count_if(dying_.begin(), dying_.end(), [&](const auto& entry) {
    const auto& dying = entry.second;
    return dying.kind == kind && (tree_.is_within(dying.pool, pool) || tree_.is_within(pool, dying.pool));
  });
}

/// Empty where the job is in the starved pool itself.
std::vector<ShareNode> JobPreemption::givers(LeafId job, std::optional<ShareNode> starved) const {
  if (starved && tree_.is_within(tree_.node_of(job), *starved)) return {};
  std::vector<ShareNode> nodes;
  for (const auto node : tree_.path_of(job)) {
    if (starved && tree_.is_within(*starved, node)) break;
    nodes.push_back(node);
  }
  return nodes;
}

}  // namespace proffer::frameworks
