// Jobs coming and going.
#include <algorithm>
#include <utility>

#include "frameworks/mapreduce/impl.hpp"
#include "proffer/check.hpp"
#include "proffer/pool_list.hpp"

namespace proffer {

using mapreduce::TaskTable;

void MapReduce::Impl::use(std::unique_ptr<Policy> chosen) {
  answer.reset();
  policy = std::move(chosen);
  pool.bar([this](JobId job, Kind kind, AgentId agent, std::size_t placed) {
    return copies_enough(job, kind, agent, placed) || too_many_long(job, agent, placed);
  });
  answer.emplace(pool, *policy, std::vector{config.map_kind, config.reduce_kind});
}

void MapReduce::Impl::settle(Driver& driver) {
  if (stopped) return;
  if (cancelled || !killed.empty()) end_unwanted(driver);
  begin_queued(driver);
  if (!leaving.empty()) {
    forget_ended();
    if (answer) answer->job_left(driver);
  }
  if (std::exchange(balanced, false) && std::exchange(crowded, false)) {
    answer->revive(driver, {config.map_kind, config.reduce_kind});
  }
  if (observer) {
    for (const auto id : active) tell(jobs.at(id));
  }
  if (config.stop_when_done && !jobs.empty() && all_ended()) {
    stopped = true;
    driver.stop();
  }
}

void MapReduce::Impl::tell_rules(Driver& driver) const {
  driver.trace(FrameworkRules{to_string(config.policy), config.max_running_jobs});
  for (const auto& spec : config.pools) driver.trace(pool_note(spec));
  for (const auto& user : config.users) driver.trace(user_note(user));
  const auto is_root = [](const PoolSpec& spec) { return spec.name.empty(); };
  if (std::any_of(config.pools.begin(), config.pools.end(), is_root)) return;
  PoolSpec root;
  root.order = config.mode;
  root.user_limit = config.user_limit;
  driver.trace(pool_note(root));
}

void MapReduce::Impl::come(Driver& driver, Job& job) {
  job.submitted = driver.now();
  const auto priority = kPriorities.at(static_cast<std::size_t>(job.spec.priority));
  driver.trace(JobQueued{job.id, job.spec.name, job.spec.pool, job.spec.user, std::string(priority)});
}

/// Those that wait begin by priority, and in the order in which they came.
void MapReduce::Impl::begin_queued(Driver& driver) {
  if (!std::exchange(news, false)) return;
  std::uint32_t running = 0;
  std::vector<std::pair<Priority, JobId>> queued;
  for (const auto id : active) {
    auto& job = jobs.at(id);
    if (!std::exchange(job.known, true)) come(driver, job);
    if (job.phase == JobPhase::queued) {
      queued.emplace_back(job.spec.priority, id);
    } else {
      ++running;
    }
  }
  if (!framework) return;
  std::sort(queued.begin(), queued.end());
  for (const auto& [priority, id] : queued) {
    if (config.max_running_jobs > 0 && running >= config.max_running_jobs) return;
    ++running;
    begin(driver, jobs.at(id));  // it may end at once, and then another may begin: news
  }
}

/// What a question brings about has to be known before it can be cleaned up, so a job that has asked one is
/// failed after the answer.
void MapReduce::Impl::end_unwanted(Driver& driver) {
  std::set<JobId> asking;
  for (const auto& [number, question] : questions) asking.insert(question.job);
  const std::vector<JobId> now_active(active.begin(), active.end());
  for (const auto id : now_active) {
    if (!killed.contains(id) && !cancelled) continue;
    auto& job = jobs.at(id);
    if (job.phase == JobPhase::committing || asking.contains(id)) continue;
    const auto why = killed.extract(id);
    fail(driver, job, why.empty() ? "it was cancelled" : why.mapped());
  }
}

void MapReduce::Impl::end(Driver& driver, Job& job, JobPhase phase) {
  PROFFER_CHECK(!job.ended(), "a job ends once");
  PROFFER_CHECK(phase != JobPhase::succeeded || job.published, "a job succeeds once its output is published");
  job.phase = phase;
  job.finished = driver.now();
  job.inputs.clear();
  job.readers = {};
  job.cached.clear();
  driver.release(job.id);
  driver.trace(JobFinished{job.id, phase == JobPhase::succeeded, job.why});
  told.erase(job.id);
  active.erase(job.id);
  timed.erase(job.id);
  killed.erase(job.id);
  if (in_pool.contains(job.id)) {
    leaving.insert(job.id);
    pool.retire_job(job.id);
  }
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
  timed.insert(job.id);
  advance(driver, job);
}

/// The pool keeps a job until its last task has ended, which may be after its own end.
void MapReduce::Impl::forget_ended() {
  for (auto at = leaving.begin(); at != leaving.end();) {
    const auto& job = jobs.at(*at);
    if (!job.maps.attempts().empty() || !job.reduces.attempts().empty()) {
      ++at;
      continue;
    }
    pool.remove_job(job.id);
    policy->job_ended(job.id);
    long_tasks.forget(job.id);
    in_pool.erase(job.id);
    at = leaving.erase(at);
    measure_tasks();
  }
}

void MapReduce::Impl::measure_tasks() {
  largest_map_bytes = largest_reduce_bytes = 1;
  for (const auto id : in_pool) {
    const auto& job = jobs.at(id);
    largest_map_bytes = std::max(largest_map_bytes, job.largest_map_bytes);
    largest_reduce_bytes = std::max(largest_reduce_bytes, job.reduce_bytes);
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

bool MapReduce::Impl::all_ended() const { return active.empty(); }

std::optional<Time> MapReduce::Impl::next_deadline() const {
  if (stopped) return {};
  if (news && (framework || cancelled)) return Time{};
  auto next = earlier(earlier(answer->next_deadline(), avoided.next()), earlier(held.next(), uses.next()));
  for (const auto id : timed) {
    const auto& job = jobs.at(id);
    next = earlier(next, job.ask_again_at);
    if (job.phase == JobPhase::failing) next = earlier(next, job.give_up_waiting);
  }
  return next;
}

void MapReduce::Impl::deadline(Driver& driver) {
  for (const auto& over : avoided.take_over(driver.now())) answer->tasks_added(driver, kind(over.map));
  if (uses.next() && *uses.next() <= driver.now()) report_use(driver);
  answer->deadline(driver);
  while (const auto due = held.take_due(driver.now())) take_offers(driver, *due);
  const std::vector<JobId> may_be_due(timed.begin(), timed.end());
  for (const auto id : may_be_due) {
    auto& job = jobs.at(id);
    if (job.ended()) continue;
    if (job.ask_again_at && *job.ask_again_at <= driver.now()) {
      job.ask_again_at.reset();
      ask(driver, job, job.ask_again);
    }
    if (job.phase == JobPhase::failing) advance(driver, job);
  }
}

}  // namespace proffer
