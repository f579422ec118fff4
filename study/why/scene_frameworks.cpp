// Handlers of frameworks' own lines.
#include "study/why/scene_lines.hpp"

namespace proffer::study::why {
namespace {

void apply(Scene&, FrameworkScene& framework, const FrameworkRules& trace) { framework.rules = trace; }

void apply(Scene&, FrameworkScene& framework, const PoolChanged& trace) {
  framework.job_pools.pools.push_back(trace);
}

void apply(Scene&, FrameworkScene& framework, const UserLimited& trace) {
  framework.job_pools.users[trace.user] = trace.max_running;
}

void apply(Scene& scene, FrameworkScene& framework, const JobQueued& trace) {
  JobScene job;
  job.name = trace.name;
  job.pool = trace.pool;
  job.user = trace.user;
  job.priority = trace.priority;
  job.queued = scene.now;
  if (trace.deadline > Duration::zero()) framework.due[trace.job] = scene.now + trace.deadline;
  framework.jobs[trace.job] = std::move(job);
  if (!trace.after.empty()) framework.formers[trace.job] = trace.after;
}

void apply(Scene&, FrameworkScene& framework, const JobMoved& trace) {
  framework.jobs[trace.job].pool = trace.pool;
}

void apply(Scene& scene, FrameworkScene& framework, const JobSubmitted& trace) {
  auto& job = framework.jobs[trace.job];
  job.name = trace.name;
  job.begun = scene.now;
  job.maps = trace.maps;
  job.reduces = trace.reduces;
  if (!job.queued) job.queued = scene.now;
}

void apply(Scene& scene, FrameworkScene& framework, const TaskQueued& trace) {
  TaskScene task;
  const auto known = framework.tasks.find(trace.task);
  const bool waited =
      known != framework.tasks.end() && known->second.job == trace.job && known->second.waits();
  const auto since =
      waited ? known->second.queued : scene.now;  // the task may only have learned what it prefers
  task.job = trace.job;
  task.kind = trace.kind;
  task.prefers = trace.prefers;
  task.queued = since;
  task.backs_up = trace.backs_up;
  framework.tasks[trace.task] = std::move(task);
  auto& job = framework.jobs[trace.job];
  job.waiting.insert(trace.task);
  if (!trace.backs_up.value.empty()) job.backups[trace.backs_up] = trace.task;
}

void apply(Scene& scene, FrameworkScene& framework, const TaskPlaced& trace) {
  auto& task = framework.tasks[trace.task];
  task.job = trace.job;
  task.kind = trace.kind;
  task.placed = scene.now;
  task.agent = trace.agent;
  task.locality = trace.locality;
  task.waited = trace.waited;
  auto& job = framework.jobs[trace.job];
  job.waiting.erase(trace.task);
  job.running.insert(trace.task);
  job.gathered.reset();
  job.last_launch.at = scene.now;
  job.last_launch.waited = trace.waited;
  if (trace.preferred) ++job.placed.at(static_cast<std::size_t>(trace.locality));
}

void apply(Scene& scene, FrameworkScene& framework, const GatheredTooFew& trace) {
  framework.jobs[trace.job].gathered = VainGathering{scene.now, trace};
}

void apply(Scene&, FrameworkScene& framework, const TaskPreempted& trace) {
  const auto job = framework.jobs.find(trace.job);
  if (job != framework.jobs.end() && trace.enforced) ++job->second.preempted[trace.pool];
}

void apply(Scene& scene, FrameworkScene& framework, const JobFinished& trace) {
  auto& job = framework.jobs[trace.job];
  job.finished = scene.now;
  job.ok = trace.ok;
  job.why = trace.why;
  job.waiting.clear();
}

template <class Other>
void apply(Scene&, FrameworkScene&, const Other&) {}

}  // namespace

void framework_line(Scene& scene, FrameworkScene& framework, const Trace& trace) {
  std::visit([&](const auto& event) { apply(scene, framework, event); }, trace);
}

}  // namespace proffer::study::why
