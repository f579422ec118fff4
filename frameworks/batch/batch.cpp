// The scheduler of a bag of commands.
#include "proffer/frameworks/batch.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "frameworks/batch/batch_notes.hpp"
#include "frameworks/batch/instance_work.hpp"
#include "frameworks/batch/instances.hpp"
#include "frameworks/batch/kept_outputs.hpp"
#include "frameworks/batch/places.hpp"
#include "frameworks/pool/offer_replies.hpp"
#include "proffer/check.hpp"

namespace proffer {
namespace {

constexpr JobId kJob = BatchSpec::kJob;
constexpr Duration kPause = std::chrono::seconds(1);
/// The time for which an instance is kept from an agent that failed it, if there are others.
constexpr Duration kAvoid = std::chrono::seconds(10);

/// True when an end was the command's own doing, rather than its agent's or a matter of timing. Only for
/// others' sake are instances killed that are still wanted.
bool counts(const TaskStatus& status) {
  if (status.state == TaskState::finished) return true;
  const bool refused = status.state == TaskState::failed || status.state == TaskState::rejected;
  return refused && !is_agents_fault(status.reason);
}

/// True when the instance's process ran and came to its own end.
bool is_process_end(const TaskStatus& status) {
  if (status.state == TaskState::finished) return true;
  const bool by_itself = status.reason == TaskReason::exit || status.reason == TaskReason::signal;
  return status.state == TaskState::failed && by_itself;
}

}  // namespace

struct Batch::Impl {
  Impl(BatchSpec wanted, std::unique_ptr<Policy> chosen, BatchObserver& watcher)
      : spec(std::move(wanted)),
        observer(watcher),
        places(spec.agents, spec.racks),
        instances(spec.instances, spec.max_attempts, spec.first_try),
        replies(pool, {spec.kind}),
        most_per_message(batch::most_per_message(spec)) {
    PROFFER_CHECK(!spec.command.argv.empty(), "a command has a name");
    replies.use(std::move(chosen));
    pool.add_job(kJob, spec.command.argv.front(),
                 {.rigid = spec.rigid ? std::optional(spec.kind) : std::nullopt, .need = spec.need});
  }

  /// Tells event logs that an instance waits, and which agents it prefers.
  void tell_waiting(Driver& driver, std::uint32_t index) const {
    driver.trace(TaskQueued{kJob, instances.task(index), spec.kind, places.nodes()});
  }
  void add(Driver& driver, std::uint32_t index) {
    pool.add(kJob, {instances.task(index), spec.kind, places.nodes(), places.racks(), 0, driver.now()});
    tell_waiting(driver, index);
  }

  void take_offers(Driver& driver, const Offers& offers) {
    learn_places(driver, offers);
    for (const auto& offer : offers.offers) agents.insert(offer.agent.id);
    replies.answer(driver, trimmed(offers), [&](const Placement& placed, const Offer& offer) {
      return describe(driver, placed, offer);
    });
  }

  void let_go(Driver& driver) {
    const auto too_few = replies.let_go(
        driver, [&](const Placement& placed, const Offer& offer) { return describe(driver, placed, offer); });
    if (too_few) observer.waits(*too_few);
  }

  /// Goes on with what a former process has left.
  void resume(Driver& driver, std::span<const ResumedTask> tasks, const batch::BatchNotes& notes) {
    if (!notes.output_token.empty()) spec.command.output_token = notes.output_token;
    for (const auto& [index, note] : notes.instances) {
      if (index >= spec.instances) continue;
      instances.restore(index, note.record);
      hosts[index] = note.agent;
    }
    // Of two tasks of one instance the later one goes on: the other was given up.
    for (auto task = tasks.rbegin(); task != tasks.rend(); ++task) {
      if (is_terminal(task->state)) continue;
      const auto attempt = instances.adopt(task->task);
      if (attempt) {
        pool.adopt(kJob, spec.kind, task->task, task->agent, driver.now());
        observer.placed(*attempt, hosts[attempt->index]);
      } else {
        driver.kill(task->task);
        orphans.insert(task->task);
      }
    }
    if (!spec.rigid || instances.waiting().empty()) return;
    for (const auto& task : instances.out()) {  // a part of a rigid bag is of no use
      driver.kill(task);
      instances.end(task, false, false);
    }
  }

  void note(Driver& driver, std::uint32_t index) {
    batch::note_instance(driver, index, {instances.record(index), hosts[index]});
  }

  void declare(Driver& driver) const { replies.requests().declare(driver); }
  void tasks_added(Driver& driver) { replies.requests().tasks_added(driver, spec.kind); }

  /// Instances that wait learn of an agent that they prefer.
  void learn_places(Driver& driver, const Offers& offers) {
    bool learned = false;
    for (const auto& offer : offers.offers) learned = places.learn(offer.agent) || learned;
    if (!learned) return;
    for (const auto index : instances.waiting()) {
      // An instance that pauses is not in the pool.
      const auto task = instances.task(index);
      if (pool.prefer(kJob, spec.kind, task, places.nodes(), places.racks())) tell_waiting(driver, index);
    }
    tasks_added(driver);
  }

  /// No more slots than tasks that fit into one message; what is left over is declined, and offered again.
  Offers trimmed(Offers offers) const {
    for (auto& offer : offers.offers) {
      offer.resources = pool.trimmed(offer.resources, spec.kind, static_cast<std::int64_t>(most_per_message));
    }
    return offers;
  }

  TaskSpec describe(Driver& driver, const Placement& placed, const Offer& offer) {
    const auto attempt = instances.place(placed.task);
    hosts[attempt.index] = offer.agent;
    note(driver, attempt.index);
    observer.placed(attempt, offer.agent);
    return {placed.task, pool.need(kJob, spec.kind), kJob, batch::work_of(spec.command, attempt.index)};
  }

  void end(Driver& driver, const TaskStatus& status) {
    if (orphans.erase(status.task) > 0) return;
    replies.requests().ended(driver, kJob, spec.kind, status);
    if (instances.find(status.task)) {
      attempt_over(driver, status);
    } else {
      declare(driver);  // the instance had been given up, and runs elsewhere
    }
  }

  /// A task's agent may be silent for a moment or for ever; the instance is run elsewhere, and the task
  /// killed where it is.
  void give_up(Driver& driver, const TaskStatus& status) {
    if (!instances.find(status.task)) return;
    driver.kill(status.task);
    attempt_over(driver, status);
  }

  void attempt_over(Driver& driver, const TaskStatus& status) {
    const bool by_agent = status.state == TaskState::failed && is_agents_fault(status.reason);
    const bool counted = counts(status) || (by_agent && !instances.may_blame_agent(status.task));
    end_attempt(driver, status, counted, status.state == TaskState::rejected);
    if (spec.rigid && status.state != TaskState::finished) break_up(driver, status, counted);
  }

  /// Ends what runs of a rigid bag of which an instance has ended badly: it is of no use without that one.
  void break_up(Driver& driver, const TaskStatus& because, bool counted) {
    for (const auto& task : instances.out()) {
      driver.kill(task);
      TaskStatus killed;
      killed.task = task;
      killed.state = TaskState::killed;
      killed.reason = TaskReason::kill_requested;
      killed.message = "task " + because.task.value + " of the same rigid bag has ended";
      end_attempt(driver, killed, counted, because.state == TaskState::rejected);
    }
  }

  /// `counted`: the attempt is one of those that the instance has. `pauses`: it waits before the next one.
  void end_attempt(Driver& driver, const TaskStatus& status, bool counted, bool pauses) {
    const bool by_agent = status.state == TaskState::failed && is_agents_fault(status.reason);
    auto attempt = instances.end(status.task, status.state == TaskState::finished, counted);
    attempt.kept = has_output(status);
    // Noted once it is handed on: a later process hears of the end anew, and hands on the output.
    if (attempt.kept) {
      outputs.keep(driver, status.task);
    } else {
      note(driver, attempt.index);
    }
    observer.ended(attempt, status);
    if (attempt.last) {
      declare(driver);
      finish_if_over(driver);
    } else if (pauses) {
      // An instance that is refused at once would, without a pause, be refused again at once.
      declare(driver);
      paused.emplace(driver.now() + kPause, attempt.index);
    } else {
      add(driver, attempt.index);
      if (by_agent && agents.size() > 1) {
        replies.avoid(instances.task(attempt.index), {kJob, spec.kind, status.agent, driver.now() + kAvoid});
      }
      tasks_added(driver);
    }
  }

  void end_avoiding(Driver& driver) {
    if (!replies.end_waits(driver.now()).empty()) tasks_added(driver);
  }

  void end_pauses(Driver& driver) {
    bool any = false;
    for (; !paused.empty() && paused.begin()->first <= driver.now(); paused.erase(paused.begin())) {
      add(driver, paused.begin()->second);
      any = true;
    }
    if (any) tasks_added(driver);
  }

  /// An attempt that was killed for others' sake or lost has no output: the one after it begins anew.
  bool has_output(const TaskStatus& status) const {
    return !spec.command.output_token.empty() && is_process_end(status);
  }

  void forget_handed_on(Driver& driver) {
    for (const auto& task : outputs.acknowledge(driver)) note(driver, batch::Instances::index_of(task));
    finish_if_over(driver);
  }

  void finish_if_over(Driver& driver) {
    if (finished || !instances.all_over() || !outputs.empty()) return;
    finished = true;
    const auto lost = instances.failed();
    driver.trace(JobFinished{kJob, lost == 0, lost == 0 ? "" : std::to_string(lost) + " failed"});
    observer.done();
    driver.stop();
  }

  BatchSpec spec;
  BatchObserver& observer;
  batch::Places places;
  batch::Instances instances;
  TaskPool pool;
  frameworks::OfferReplies replies;
  std::set<AgentId> agents;                  ///< agents that offers have come from
  std::map<std::uint32_t, AgentInfo> hosts;  ///< where instances are, or were last
  std::set<TaskId> orphans;  ///< tasks of a former process that do not count any more, and have not ended
  std::set<std::pair<Time, std::uint32_t>> paused;  ///< instances that are to wait for a slot again, and when
  std::size_t most_per_message;
  batch::KeptOutputs outputs;
  bool finished = false;
  std::optional<Error> refusal;
};

Batch::Batch(BatchSpec spec, std::unique_ptr<Policy> policy, BatchObserver& observer)
    : impl_(std::make_unique<Impl>(std::move(spec), std::move(policy), observer)) {}
Batch::~Batch() = default;

std::uint32_t Batch::failed_count() const { return impl_->instances.failed(); }
const std::optional<Error>& Batch::refusal() const { return impl_->refusal; }

void Batch::resumed(Driver& driver, std::span<const ResumedTask> tasks,
                    const std::map<std::string, std::string>& notes) {
  impl_->resume(driver, tasks, batch::read_batch_notes(notes));
}

void Batch::started(Driver& driver) {
  batch::note_token(driver, impl_->spec.command.output_token);
  driver.trace(JobQueued{kJob, impl_->spec.command.argv.front(), {}, {}, "normal"});
  driver.trace(JobSubmitted{kJob, impl_->spec.command.argv.front(), impl_->spec.instances, 0});
  for (const auto index : impl_->instances.waiting()) impl_->add(driver, index);
  impl_->declare(driver);
  impl_->finish_if_over(driver);  // a former process may have had no time left to say so
}

void Batch::resource_offers(Driver& driver, const Offers& offers) {
  if (impl_->replies.keeps(offers, driver.now())) return;
  impl_->take_offers(driver, offers);
}

void Batch::offers_rescinded(Driver&, std::span<const OfferId> offers) { impl_->replies.rescind(offers); }
void Batch::disconnected(Driver&) { impl_->replies.disconnected(); }

void Batch::status_update(Driver& driver, const TaskStatus& status) {
  if (is_terminal(status.state)) return impl_->end(driver, status);
  if (status.state == TaskState::unreachable) return impl_->give_up(driver, status);
  const auto attempt = impl_->instances.find(status.task);
  if (attempt && status.state == TaskState::running) impl_->observer.running(*attempt, status);
}

void Batch::handed_on(TaskId task) { impl_->outputs.handed_on(std::move(task)); }

void Batch::failed(Driver&, const Error& error) {
  impl_->refusal = error;
  impl_->observer.done();
}

std::optional<Time> Batch::next_deadline() const {
  if (impl_->outputs.has_handed_on()) return Time{};
  auto next = impl_->replies.next_deadline();
  if (!impl_->paused.empty()) next = earlier(next, impl_->paused.begin()->first);
  return next;
}

void Batch::deadline(Driver& driver) {
  impl_->forget_handed_on(driver);
  impl_->end_pauses(driver);
  impl_->end_avoiding(driver);
  impl_->replies.requests().deadline(driver);
  while (const auto due = impl_->replies.take_due(driver.now())) impl_->take_offers(driver, *due);
  impl_->let_go(driver);
}

}  // namespace proffer
