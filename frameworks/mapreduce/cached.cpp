// Files of the store that agents keep for a job's tasks: tasks without places of their own prefer to be where
// all files of their job are.
#include <utility>

#include "frameworks/mapreduce/impl.hpp"

namespace proffer {

void MapReduce::Impl::cached_listed(Driver& driver, Job& job, const Message& reply) {
  const auto& [path, name] = job.spec.cached.at(job.cached.size());
  const auto refuse = [&](const std::string& why) {
    fail(driver, job, "the cached file " + path + " cannot be read: " + why);
  };
  if (const auto* error = mapreduce::error_of(reply)) return refuse(error->message);
  const auto* listed = std::get_if<FilesListed>(&reply);
  if (!listed) return refuse("the catalog's answer makes no sense");
  if (auto planned = mapreduce::plan_cached(*listed, path, name, job.cached); !planned) {
    if (planned.error().code != ErrorCode::unreachable) return refuse(planned.error().message);
    return wait_for_holders(driver, job, Step::list_cached,
                            "the cached file " + path + " cannot be read: " + planned.error().message);
  }
  job.answered();
  all_listed(driver, job);
}

void MapReduce::Impl::join_holders(const Job& job) {
  if (job.cached.empty()) return;
  for (const bool map : {true, false}) pool.prefer_all(job.id, kind(map), holders.of_all(job.cached));
  if (!config.balance_long_tasks) return;
  for (const auto& file : job.cached) {
    if (!file.blocks.empty()) long_tasks.uses(job.id, file.blocks.front().block);
  }
}

/// It fetches the files before its command runs, and later tasks there wait for that. What failed may have
/// failed for want of a file.
void MapReduce::Impl::note_holder(Driver& driver, const Job& job, AgentId agent, TaskState state) {
  if (state == TaskState::unreachable || state == TaskState::lost) {
    for (const auto file : holders.forget(agent)) prefer_holders(driver, file);
    return;
  }
  const bool holds = state == TaskState::running || state == TaskState::finished;
  if (!holds && state != TaskState::failed) return;
  for (const auto& file : job.cached) {
    if (file.blocks.empty()) continue;
    const auto id = file.blocks.front().block;
    if (holds ? holders.add(id, agent) : holders.remove(id, agent)) prefer_holders(driver, id);
  }
}

void MapReduce::Impl::prefer_holders(Driver& driver, BlockId file) {
  for (const bool map : {true, false}) {
    bool nearer = false;
    for (const auto id : in_pool) {
      const auto& job = jobs.at(id);
      if (job.uses(file)) nearer |= pool.prefer_all(id, kind(map), holders.of_all(job.cached));
    }
    if (nearer) answer->tasks_added(driver, kind(map));
  }
}

}  // namespace proffer
