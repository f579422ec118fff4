// What frameworks' lines say.
#include "study/why/scene.hpp"

namespace proffer::study::why {

void Scene::apply(FrameworkScene& framework, const FrameworkRules& trace) { framework.rules = trace; }

void Scene::apply(FrameworkScene& framework, const PoolChanged& trace) {
  framework.job_pools.pools.push_back(trace);
}

void Scene::apply(FrameworkScene& framework, const UserLimited& trace) {
  framework.job_pools.users[trace.user] = trace.max_running;
}

void Scene::apply(FrameworkScene& framework, const JobQueued& trace) {
  JobScene job;
  job.name = trace.name;
  job.pool = trace.pool;
  job.user = trace.user;
  job.priority = trace.priority;
  job.queued = now;
  framework.jobs[trace.job] = std::move(job);
}

void Scene::apply(FrameworkScene& framework, const JobMoved& trace) {
  framework.jobs[trace.job].pool = trace.pool;
}

void Scene::apply(FrameworkScene& framework, const JobSubmitted& trace) {
  auto& job = framework.jobs[trace.job];
  job.name = trace.name;
  job.begun = now;
  job.maps = trace.maps;
  job.reduces = trace.reduces;
  if (!job.queued) job.queued = now;
}

void Scene::apply(FrameworkScene& framework, const TaskQueued& trace) {
  TaskScene task;
  const auto known = framework.tasks.find(trace.task);
  const bool waited =
      known != framework.tasks.end() && known->second.job == trace.job && known->second.waits();
  const auto since = waited ? known->second.queued : now;  // it may only have learned what it prefers
  task.job = trace.job;
  task.kind = trace.kind;
  task.prefers = trace.prefers;
  task.queued = since;
  framework.tasks[trace.task] = std::move(task);
  framework.jobs[trace.job].waiting.insert(trace.task);
}

void Scene::apply(FrameworkScene& framework, const TaskPlaced& trace) {
  auto& task = framework.tasks[trace.task];
  task.job = trace.job;
  task.kind = trace.kind;
  task.placed = now;
  task.agent = trace.agent;
  task.locality = trace.locality;
  task.waited = trace.waited;
  auto& job = framework.jobs[trace.job];
  job.waiting.erase(trace.task);
  job.running.insert(trace.task);
  job.last_placed = now;
  job.last_waited = trace.waited;
  if (trace.preferred) ++job.placed.at(static_cast<std::size_t>(trace.locality));
}

void Scene::apply(FrameworkScene& framework, const TaskPreempted& trace) {
  const auto job = framework.jobs.find(trace.job);
  if (job != framework.jobs.end() && trace.enforced) ++job->second.preempted[trace.pool];
}

void Scene::apply(FrameworkScene& framework, const JobFinished& trace) {
  auto& job = framework.jobs[trace.job];
  job.finished = now;
  job.ok = trace.ok;
  job.why = trace.why;
  job.waiting.clear();
}

}  // namespace proffer::study::why
