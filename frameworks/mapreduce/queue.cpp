#include "frameworks/mapreduce/queue.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "frameworks/mapreduce/formers.hpp"
#include "frameworks/mapreduce/hot_blocks.hpp"
#include "frameworks/mapreduce/notes.hpp"
#include "frameworks/mapreduce/offers.hpp"
#include "frameworks/mapreduce/phases.hpp"
#include "frameworks/mapreduce/resuming.hpp"
#include "frameworks/mapreduce/speculating.hpp"
#include "proffer/names.hpp"
#include "proffer/pool_list.hpp"

namespace proffer::mapreduce {
namespace {

/// A question's effect has to be known before it can be cleaned up, so a job that has asked one is failed
/// after the answer.
void end_unwanted(const Turn& turn) {
  auto& state = turn.state;
  const auto unwanted = state.line.unwanted();
  if (unwanted.empty()) return;
  const auto asking = state.talk.asking();
  for (const auto id : unwanted) {
    auto& job = state.jobs.at(id);
    if (job.phase == JobPhase::committing || asking.contains(id)) continue;
    fail(turn, job, state.line.take_reason(id));
  }
}

void note_new(const Turn& turn) {
  for (const auto id : turn.state.line.take_new()) {
    auto& job = turn.state.jobs.at(id);
    job.times.submitted = turn.now;
    if (!job.former) note_spec(turn, job);
    const auto priority = enum_name(kPriorities, job.spec.priority);
    turn.driver.trace(JobQueued{id, job.spec.name, job.spec.pool, job.spec.user, std::string(priority),
                                job.formers, job.spec.deadline});
  }
}

/// A job ends without having begun when one that it comes after has failed.
void fail_followers(const Turn& turn) {
  auto& state = turn.state;
  std::vector<std::pair<JobId, std::string>> doomed;
  for (const auto id : state.line.active()) {
    const auto& job = state.jobs.at(id);
    if (job.phase != JobPhase::queued) continue;
    if (auto why = cannot_follow(state.jobs, job)) doomed.emplace_back(id, std::move(*why));
  }
  for (auto& [id, why] : doomed) fail(turn, state.jobs.at(id), std::move(why));
}

/// Queued jobs begin by priority, and in the order in which they came; first those that a former process had
/// begun. Those that others are to end before do not stand in the way.
void begin_queued(const Turn& turn) {
  auto& state = turn.state;
  if (!state.line.take_chance()) return;
  note_new(turn);
  if (!state.connection.framework) return;
  fail_followers(turn);
  std::vector<std::tuple<bool, Priority, JobId>> queued;
  auto running = state.line.active().size();
  for (const auto id : state.line.active()) {
    const auto& job = state.jobs.at(id);
    if (job.phase != JobPhase::queued) continue;
    --running;
    if (may_follow(state.jobs, job)) queued.emplace_back(!job.former, job.spec.priority, id);
  }
  std::sort(queued.begin(), queued.end());
  const auto most = state.config.max_running_jobs;
  for (const auto& [is_new, priority, id] : queued) {
    if (most > 0 && running >= most) return;
    ++running;
    begin(turn, state.jobs.at(id));  // the job may end at once, and then another has a chance
  }
}

/// The pool keeps a job until its last task has ended, which may be after its own end.
void forget_ended(const Turn& turn) {
  auto& state = turn.state;
  const auto leaving = state.line.leaving();
  if (leaving.empty()) return;
  for (const auto id : leaving) {
    if (!state.jobs.at(id).tasks.none_runs()) continue;
    state.pool.remove_job(id);
    state.replies.policy().job_ended(id);
    state.launches.forget(id);
    state.replies.forget(id);
    state.line.leave_pool(id);
    state.measure_tasks();
  }
  state.replies.requests().job_left(turn.driver);
}

void stop_when_done(const Turn& turn) {
  auto& state = turn.state;
  if (!state.config.stop_when_done || state.jobs.empty() || !state.line.active().empty()) return;
  state.connection.stopped = true;
  turn.driver.stop();
}

}  // namespace

void tell_rules(const Turn& turn) {
  const auto& config = turn.state.config;
  turn.driver.trace(FrameworkRules{to_string(config.policy), config.max_running_jobs});
  for (const auto& spec : config.sharing.pools) turn.driver.trace(pool_note(spec));
  for (const auto& user : config.sharing.users) turn.driver.trace(user_note(user));
  const auto is_root = [](const PoolSpec& spec) { return spec.name.empty(); };
  if (std::any_of(config.sharing.pools.begin(), config.sharing.pools.end(), is_root)) return;
  PoolSpec root;
  root.order = config.sharing.mode;
  root.user_limit = config.sharing.user_limit;
  turn.driver.trace(pool_note(root));
}

void settle(const Turn& turn) {
  auto& state = turn.state;
  if (state.connection.stopped) return;
  catch_up(turn);
  // Ends before beginnings: a job that ends makes room for one that waits, in the same callback.
  end_unwanted(turn);
  begin_queued(turn);
  forget_ended(turn);
  back_up_stragglers(turn);
  if (state.launches.take_relief()) {
    state.replies.requests().revive(turn.driver, {state.config.map_kind, state.config.reduce_kind});
  }
  if (state.reporter.is_heard()) {
    for (const auto id : state.line.active()) state.reporter.progressed(state.jobs.at(id));
  }
  stop_when_done(turn);
}

std::optional<Time> next_deadline(const State& state) {
  const auto& connection = state.connection;
  if (connection.stopped) return {};
  if (state.line.has_chance() && (connection.framework || state.line.is_cancelled())) return Time{};
  auto next = earlier(earlier(state.replies.next_deadline(), state.uses.next()), state.backups.next());
  for (const auto id : state.line.timed()) {
    const auto& job = state.jobs.at(id);
    next = earlier(next, job.retries.next());
    if (job.phase == JobPhase::failing) next = earlier(next, job.ending.give_up_at);
  }
  return next;
}

void deadline(const Turn& turn) {
  auto& state = turn.state;
  for (const auto kind : state.replies.end_waits(turn.now)) {
    state.replies.requests().tasks_added(turn.driver, kind);
  }
  if (const auto at = state.uses.next(); at && *at <= turn.now) report_use(turn);
  state.replies.requests().deadline(turn.driver);
  while (const auto due = state.replies.take_due(turn.now)) take_offers(turn, *due);
  let_go(turn);
  const auto may_be_due = state.line.timed();  // a copy: a job that ends is in the line no more
  for (const auto id : may_be_due) {
    auto& job = state.jobs.at(id);
    if (job.ended()) continue;
    ask_again(turn, job);
    if (job.phase == JobPhase::failing) advance(turn, job);
  }
}

}  // namespace proffer::mapreduce
