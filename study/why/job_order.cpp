#include "study/why/job_order.hpp"

#include "proffer/pool_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "proffer/pool_path.hpp"

namespace proffer::study::why {
namespace {

std::int64_t of_kind(const FrameworkScene& framework, const std::set<TaskId>& tasks, Kind kind) {
  return std::count_if(tasks.begin(), tasks.end(), [&](const TaskId& id) {
    const auto at = framework.tasks.find(id);
    return at != framework.tasks.end() && at->second.kind == kind;
  });
}

}  // namespace

Priority priority_of(const JobScene& job) {
  return priority_named(job.priority).value_or(Priority::normal);  // a later one, of another version
}

std::int64_t waiting_of(const FrameworkScene& framework, const JobScene& job, Kind kind) {
  return of_kind(framework, job.waiting, kind);
}

std::int64_t running_of(const FrameworkScene& framework, const JobScene& job, Kind kind) {
  return of_kind(framework, job.running, kind);
}

std::int64_t done_of(const JobScene& job, Kind kind) {
  const auto at = job.done.find(kind);
  return at == job.done.end() ? 0 : at->second;
}

JobPlaces job_places(const FrameworkScene& framework, Kind kind, std::int64_t entitled) {
  ShareTree tree;
  tree.set_capacity(kind, entitled);
  for (const auto& pool : framework.job_pools.pools) {
    const auto spec = spec_of(pool);
    static_cast<void>(tree.has_pool(spec.name) ? tree.set_pool(spec) : tree.declare_pool(spec));
  }
  for (const auto& [user, most] : framework.job_pools.users) tree.set_user_limit(user, most);
  std::map<LeafId, JobId> by_leaf;
  for (const auto& [id, job] : framework.jobs) {
    if (!job.begun || job.finished) continue;
    LeafSpec spec{.name = job.name, .submitted = id.value, .priority = priority_of(job)};
    spec.user = job.user;
    const auto due = framework.due.find(id);
    if (due != framework.due.end()) spec.due = due->second;
    const auto leaf = tree.add_leaf(tree.has_pool(job.pool) ? job.pool : "", std::move(spec)).value();
    by_leaf[leaf] = id;
    const auto running = running_of(framework, job, kind);
    tree.set_used(leaf, kind, running);
    tree.set_demand(leaf, kind, running + waiting_of(framework, job, kind));
  }
  JobPlaces places;
  static_cast<void>(tree.neediest(kind, [&](LeafId leaf) {
    places.order.push_back(by_leaf[leaf]);
    return false;
  }));
  for (const auto& [leaf, id] : by_leaf) {
    if (tree.waits(leaf)) places.held.push_back(id);
  }
  return places;
}

std::string limit_of(const Limits& limits, const std::string& pool, const std::string& user,
                     const char* whose) {
  std::vector<std::string> words;
  const auto own = limits.users.find(user);
  if (own != limits.users.end() && own->second > 0) {
    words.push_back(fmt::format("user {} may have {} running {} (max_running)", user, own->second, whose));
  }
  for (const auto& limited : limits.pools) {
    if (!lies_in(pool, limited.pool)) continue;
    const auto name = limited.pool.empty() ? "the root pool" : fmt::format("pool {}", limited.pool);
    if (limited.max_running > 0) {
      words.push_back(
          fmt::format("{} may have {} running {} (max_running)", name, limited.max_running, whose));
    }
    const bool own_counts = limited.pool.empty() && own != limits.users.end();
    if (limited.max_running_per_user > 0 && !own_counts) {
      words.push_back(fmt::format("{} may have {} running {} of one user (max_running_per_user)", name,
                                  limited.max_running_per_user, whose));
    }
  }
  return fmt::format("{}", fmt::join(words, ", and "));
}

}  // namespace proffer::study::why
