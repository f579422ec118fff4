#include "study/readers/task_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "proffer/limits.hpp"

namespace proffer::study {
namespace {

/// Both formats write 2^63 - 1 for what happened after the end of the trace.
bool is_in_trace(std::uint64_t time) { return time <= static_cast<std::uint64_t>(limits::kDurationUs); }

}  // namespace

TaskRuns::Job& TaskRuns::job_at(TracePlace place, std::uint64_t job, std::uint64_t time,
                                std::string_view user) {
  const auto [at, is_new] = jobs_.try_emplace(job, Job{place, {}, {}, time, {}});
  auto& known = at->second;
  known.seen = std::min(known.seen, time);
  if (known.user.empty()) known.user = std::string(user);
  return known;
}

void TaskRuns::of_job(TracePlace place, std::uint64_t job, Event event, std::uint64_t time,
                      std::string_view user) {
  auto& known = job_at(place, job, time, user);
  if (event != Event::submitted) return;
  known.submitted = std::min(known.submitted.value_or(time), time);
}

void TaskRuns::of_task(TracePlace place, std::uint64_t job, std::uint64_t task, Event event,
                       std::uint64_t time, std::string_view user) {
  auto& run = job_at(place, job, time, user).tasks[task];
  if (event == Event::began) run.began = time;
  if (event != Event::ended) return;
  const auto began = std::exchange(run.began, std::nullopt);
  // A run that began before the trace lasted longer than anybody knows.
  if (!began || *began == 0 || time < *began || !is_in_trace(time)) return;
  run.ran = time - *began;
  ++run.runs;
}

Result<TraceRead> TaskRuns::finish(std::string_view file) && {
  Assembly assembly(file);
  std::uint64_t left_out = 0;
  std::uint64_t again = 0;
  for (auto& [id, known] : jobs_) {
    WorkloadJob job;
    job.name = std::to_string(id);
    job.user = std::move(known.user);
    job.submit = Duration(static_cast<std::int64_t>(known.submitted.value_or(known.seen)));
    for (const auto& [index, task] : known.tasks) {
      if (task.ran) job.maps.push_back({Duration(static_cast<std::int64_t>(*task.ran)), 0});
      left_out += !task.ran;
      again += task.runs > 1 ? task.runs - 1 : 0;
    }
    known.tasks.clear();
    if (job.maps.empty() || !is_in_trace(known.seen)) continue;
    if (const auto added = assembly.add_job(known.place, std::move(job)); !added) return added.error();
  }
  if (left_out > 0) {
    assembly.note(fmt::format(
        "{} tasks have no run that both begins and ends in the trace, and were left out", left_out));
  }
  if (again > 0)
    assembly.note(fmt::format("{} runs were followed by another of the same task: the last counts", again));
  assembly.note("the trace has no data: its tasks are maps that read nothing, of one slot each");
  return assembly.finish(true);
}

}  // namespace proffer::study
