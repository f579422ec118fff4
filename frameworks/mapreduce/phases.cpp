#include "frameworks/mapreduce/phases.hpp"

#include <utility>

#include "frameworks/mapreduce/adopting.hpp"
#include "frameworks/mapreduce/cached.hpp"
#include "frameworks/mapreduce/hot_blocks.hpp"
#include "frameworks/mapreduce/next_step.hpp"
#include "frameworks/mapreduce/notes.hpp"
#include "frameworks/mapreduce/pending.hpp"
#include "frameworks/mapreduce/work_maker.hpp"
#include "proffer/check.hpp"

namespace proffer::mapreduce {
namespace {

/// The time, besides kill_grace, for which the killed tasks of a failing job are waited for.
constexpr Duration kLastPatience = std::chrono::seconds(5);

void ask(const Turn& turn, const Job& job, Step step) {
  turn.state.talk.ask(turn.driver, {job.id, step}, request_of(job, step));
}

/// The reason for which a job's tasks cannot be made of its input, in one sentence; none when they can. Then
/// its input has one entry a map.
std::optional<std::string> refuse_input(Job& job) {
  if (job.spec.synthetic) {
    const auto described = job.spec.synthetic->maps.size();
    if (job.spec.inputs.empty()) job.input.maps.resize(described);
    if (!choose_blocks(job.spec.synthetic->reads, job.input.maps)) {
      return "a map is described that reads a block which the input does not have";
    }
    if (job.input.maps.size() != described) {
      return "the input has " + std::to_string(job.input.maps.size()) + " blocks, but " +
             std::to_string(described) + " maps are described";
    }
  }
  return {};
}

/// The same, where each map is described in so many bytes at most.
std::optional<std::string> refuse_sizes(const Job& job, std::size_t map_bytes) {
  if (map_bytes > kTaskBytesPerMessage) {
    return "a record spans too many blocks, or the shipped files are too large, or the cached files have"
           " too many blocks, for one map";
  }
  const auto parts = job.map_only() ? job.input.maps.size() : job.spec.reduce_count();
  if (job.spec.writes() && rename_bytes(job, parts) > kTaskBytesPerMessage) {
    return "the job would write more files than can be published at once; use larger blocks or fewer reduces";
  }
  return {};
}

void follow(const Turn& turn, Job& job, const Ask& next) { ask(turn, job, next.step); }

void follow(const Turn& turn, Job& job, const Fail& next) { fail(turn, job, next.why); }

void follow(const Turn& turn, Job& job, const MakeTasks&) {
  auto& state = turn.state;
  if (auto why = refuse_input(job)) return fail(turn, job, *why);
  const auto map_bytes = largest_map_bytes(job);
  if (auto why = refuse_sizes(job, map_bytes)) return fail(turn, job, *why);
  if (auto why = refuse_former(job)) return fail(turn, job, *why);
  const auto maps = static_cast<std::uint32_t>(job.input.maps.size());
  const auto reduces = job.spec.reduce_count();
  job.tasks = JobTasks(job.id, maps, reduces, job.spec.driven.first_attempt);
  job.tasks.map_bytes = map_bytes;
  job.phase = JobPhase::running;
  turn.driver.trace(JobSubmitted{job.id, job.spec.name, maps, reduces});
  const auto rigid = job.spec.rigid() ? std::optional(state.config.map_kind) : std::nullopt;
  const auto due =
      job.spec.deadline == Duration::zero() ? Time::max() : job.times.submitted + job.spec.deadline;
  state.pool.add_job(job.id, job.spec.name,
                     {job.spec.pool, job.spec.user, job.spec.priority, rigid, job.spec.need(), due});
  state.line.enter_pool(job.id);
  note_plan(turn, job);
  adopt(turn, job);
  state.measure_tasks();
  join_holders(state, job);  // first: a task that is opened before would be logged without its places
  advance(turn, job);
}

void follow(const Turn& turn, Job& job, const CleanUp&) {
  job.ending.cleaning = true;
  job.ending.give_up_at.reset();
  job.retries.answered();
  if (job.output.claimed) return ask(turn, job, Step::clean_up);
  end(turn, job, JobPhase::failed);
}

void follow(const Turn& turn, Job& job, const Finish&) {
  end(turn, job, job.output.published ? JobPhase::succeeded : JobPhase::failed);
}

/// People are told once that a job waits, and not when only leftovers are to be removed.
void follow(const Turn& turn, Job& job, const AskLater& next) {
  const auto patience = turn.state.config.store_patience;
  const bool is_news = !job.retries.is_waiting() && next.step != Step::clean_up;
  const bool again = job.retries.again(next.step, turn.now, patience);
  if (is_news) turn.state.reporter.waits(job, next.why, patience);
  if (again) return turn.state.line.wait_for_time(job.id);
  if (next.step == Step::clean_up) return follow(turn, job, Finish{});
  fail(turn, job, next.otherwise);
}

void carry_out(const Turn& turn, Job& job, const NextStep& next) {
  std::visit([&](const auto& one) { follow(turn, job, one); }, next);
}

void commit(const Turn& turn, Job& job) {
  PROFFER_CHECK(job.tasks.all_done(), "a job commits once all its tasks are done");
  PROFFER_CHECK(job.phase == JobPhase::running && !job.output.published, "a job commits once");
  job.phase = JobPhase::committing;
  if (job.spec.writes()) return ask(turn, job, Step::publish);
  job.output.published = true;  // there is nothing to make visible
  end(turn, job, JobPhase::succeeded);
}

}  // namespace

void begin(const Turn& turn, Job& job) {
  job.phase = JobPhase::planning;
  carry_out(turn, job, first_step(job, !turn.state.connection.catalog_endpoint.empty()));
}

void answered(const Turn& turn, const Message& answer) {
  const auto question = turn.state.talk.take_answered(answer);
  if (!question) return;
  auto& job = turn.state.jobs.at(question->job);
  if (job.ended()) return;
  const auto* listed = std::get_if<FilesListed>(&answer);
  if (listed && question->step == Step::list_input) note_wish(turn, listed->use);
  carry_out(turn, job, step_after(job, question->step, answer));
}

void ask_again(const Turn& turn, Job& job) {
  if (const auto step = job.retries.take_due(turn.now)) ask(turn, job, *step);
}

void advance(const Turn& turn, Job& job) {
  if (job.phase == JobPhase::failing) {
    const auto& ending = job.ending;
    if (ending.cleaning) return;
    const bool waited_enough = ending.give_up_at && *ending.give_up_at <= turn.now;
    if (job.tasks.none_runs() || waited_enough) follow(turn, job, CleanUp{});
    return;
  }
  if (job.phase != JobPhase::running) return;
  if (job.spec.rigid()) break_up(turn, job);
  const auto& reduces = job.tasks.reduces;
  // Maps whose output was lost are of no use once all reduces are done.
  if (!reduces.all_done() || job.map_only()) open_waiting(turn, job, true);
  if (job.tasks.may_reduce(turn.state.config.slow_start_milli) && !reduces.waiting().empty()) {
    if (!measure_reduces(turn, job)) return;
    open_waiting(turn, job, false);
  }
  if (job.map_only() ? job.tasks.maps.all_done() : reduces.all_done()) commit(turn, job);
}

void fail(const Turn& turn, Job& job, std::string why) {
  if (job.ended() || job.phase == JobPhase::failing) return;
  auto& state = turn.state;
  job.phase = JobPhase::failing;
  job.why = std::move(why);
  job.retries.stop();
  note_failing(turn, job);
  kill_former(turn, job);
  // Open tasks first: the demand that is declared then counts only what runs.
  close_all(state, job, true);
  close_all(state, job, false);
  state.replies.requests().declare(turn.driver);
  for (const bool map : {true, false}) {
    for (const auto& [id, attempt] : job.tasks.table(map).attempts()) {
      turn.driver.kill(id, state.config.kill_grace);
    }
  }
  // A task on an agent that is silent may never be heard of again.
  job.ending.give_up_at = turn.now + state.config.kill_grace + kLastPatience;
  state.line.wait_for_time(job.id);
  advance(turn, job);
}

void end(const Turn& turn, Job& job, JobPhase phase) {
  PROFFER_CHECK(!job.ended(), "a job ends once");
  PROFFER_CHECK(phase != JobPhase::succeeded || job.output.published,
                "a job succeeds once its output is published");
  auto& state = turn.state;
  job.phase = phase;
  job.times.finished = turn.now;
  note_end(turn, job);
  job.input = {};
  turn.driver.release(job.id);
  turn.driver.trace(JobFinished{job.id, phase == JobPhase::succeeded, job.why});
  state.line.end(job.id);
  if (state.line.in_pool().contains(job.id)) state.pool.retire_job(job.id);
  state.reporter.ended(job);
}

bool measure_reduces(const Turn& turn, Job& job) {
  job.tasks.reduce_bytes = largest_reduce_bytes(job, turn.state.agents.all());
  turn.state.measure_tasks();
  if (job.tasks.reduce_bytes <= kTaskBytesPerMessage) return true;
  fail(turn, job, "the job has too many maps for one reduce; use larger blocks");
  return false;
}

}  // namespace proffer::mapreduce
