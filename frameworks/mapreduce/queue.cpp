// Jobs coming and going.
#include <algorithm>
#include <utility>

#include "frameworks/mapreduce/impl.hpp"
#include "proffer/check.hpp"

namespace proffer {

using mapreduce::TaskTable;

void MapReduce::Impl::use(std::unique_ptr<Policy> chosen) {
  answer.reset();
  policy = std::move(chosen);
  answer.emplace(pool, *policy, std::vector{config.map_kind, config.reduce_kind});
}

void MapReduce::Impl::settle(Driver& driver) {
  if (stopped) return;
  begin_queued(driver);
  forget_ended();
  for (const auto& [id, job] : jobs) {
    if (!job.ended()) tell(job);
  }
  if (config.stop_when_done && !jobs.empty() && all_ended()) {
    stopped = true;
    driver.stop();
  }
}

void MapReduce::Impl::begin_queued(Driver& driver) {
  news = false;
  std::uint32_t active = 0;
  for (auto& [id, job] : jobs) {
    if (!std::exchange(job.known, true)) job.submitted = driver.now();
    if (job.ended()) continue;
    if (job.phase != JobPhase::queued) {
      ++active;
      continue;
    }
    const bool may_run = config.max_running_jobs == 0 || active < config.max_running_jobs;
    if (!may_run || !framework) continue;
    ++active;
    job.phase = JobPhase::planning;
    if (catalog_endpoint.empty()) {
      fail(driver, job, "the cluster has no catalog, so there is nothing to read from");
    } else {
      ask(driver, job, Step::check_output);
    }
  }
}

void MapReduce::Impl::end(Driver& driver, Job& job, JobPhase phase) {
  PROFFER_CHECK(!job.ended(), "a job ends once");
  PROFFER_CHECK(phase != JobPhase::succeeded || job.published, "a job succeeds once its output is published");
  job.phase = phase;
  job.finished = driver.now();
  job.inputs.clear();
  driver.release(job.id);
  driver.trace(JobFinished{job.id, phase == JobPhase::succeeded, job.why});
  told.erase(job.id);
  if (observer) observer->job_ended(job.report());
  news = true;  // another may begin
}

void MapReduce::Impl::fail(Driver& driver, Job& job, std::string why) {
  if (job.ended() || job.phase == JobPhase::failing) return;
  job.phase = JobPhase::failing;
  job.why = std::move(why);
  job.ask_again_at.reset();
  close_all(job, true);
  close_all(job, false);
  answer->declare(driver);
  for (const bool map : {true, false}) {
    for (const auto& [id, attempt] : job.table(map).attempts()) driver.kill(id, config.kill_grace);
  }
  // A task on an agent that is silent may never be heard of again.
  job.give_up_waiting = driver.now() + config.kill_grace + std::chrono::seconds(5);
  advance(driver, job);
}

/// The pool keeps a job until its last task has ended, which may be after its own end.
void MapReduce::Impl::forget_ended() {
  for (auto at = in_pool.begin(); at != in_pool.end();) {
    const auto& job = jobs.at(*at);
    const bool over = job.ended() && job.maps.attempts().empty() && job.reduces.attempts().empty();
    if (over) {
      pool.remove_job(job.id);
      policy->job_ended(job.id);
    }
    at = over ? in_pool.erase(at) : std::next(at);
  }
}

void MapReduce::Impl::tell(const Job& job) {
  if (!observer) return;
  auto progress = job.progress();
  auto& last = told[job.id];
  if (last == progress) return;
  last = std::move(progress);
  observer->job_progressed(last);
}

bool MapReduce::Impl::all_ended() const {
  return std::all_of(jobs.begin(), jobs.end(), [](const auto& entry) { return entry.second.ended(); });
}

std::optional<Time> MapReduce::Impl::next_deadline() const {
  if (stopped) return {};
  if (news && framework) return Time{};
  auto next = earlier(answer->next_deadline(), avoided.next());
  for (const auto& [id, job] : jobs) {
    if (job.ended()) continue;
    next = earlier(next, job.ask_again_at);
    if (job.phase == JobPhase::failing) next = earlier(next, job.give_up_waiting);
  }
  return next;
}

void MapReduce::Impl::deadline(Driver& driver) {
  for (const auto& over : avoided.take_over(driver.now())) answer->tasks_added(driver, kind(over.map));
  answer->deadline(driver);
  for (auto& [id, job] : jobs) {
    if (job.ended()) continue;
    if (job.ask_again_at && *job.ask_again_at <= driver.now()) {
      job.ask_again_at.reset();
      ask(driver, job, job.ask_again);
    }
    if (job.phase == JobPhase::failing) advance(driver, job);
  }
}

}  // namespace proffer
