// The scheduler of a bag of commands.
#include "proffer/frameworks/batch.hpp"

#include <utility>

#include "frameworks/batch/instances.hpp"
#include "frameworks/batch/places.hpp"
#include "frameworks/offer_answer.hpp"
#include "proffer/check.hpp"

namespace proffer {
namespace {

constexpr JobId kJob{1};

std::string with_index(std::string text, const std::string& index) {
  constexpr std::string_view kMark = "{}";
  for (auto at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + index.size())) {
    text.replace(at, kMark.size(), index);
  }
  return text;
}

WorkPtr work_of(const CommandWork& command, std::uint32_t index) {
  auto work = command;
  const auto text = std::to_string(index);
  for (auto& argument : work.argv) argument = with_index(argument, text);
  work.env.emplace_back("PROFFER_TASK_INDEX", text);
  return std::make_shared<const Work>(std::move(work));
}

}  // namespace

struct Batch::Impl {
  Impl(BatchSpec wanted, std::unique_ptr<Policy> chosen, BatchObserver& watcher)
      : spec(std::move(wanted)),
        policy(std::move(chosen)),
        observer(watcher),
        places(spec.agents, spec.racks),
        instances(spec.instances, spec.max_attempts),
        answer(pool, *policy, {spec.kind}) {
    PROFFER_CHECK(!spec.command.argv.empty(), "a command has a name");
    pool.add_job(kJob, spec.command.argv.front());
    for (const auto index : instances.waiting()) add(index);
  }

  void add(std::uint32_t index) {
    pool.add(kJob, {instances.task(index), spec.kind, places.nodes(), places.racks()});
  }

  /// Instances that wait get to know an agent that they prefer.
  void learn_places(Driver& driver, const Offers& offers) {
    bool learned = false;
    for (const auto& offer : offers.offers) learned = places.learn(offer.agent) || learned;
    if (!learned) return;
    for (const auto index : instances.waiting()) {
      pool.remove(kJob, instances.task(index));
      add(index);
    }
    answer.tasks_added(driver, spec.kind);
  }

  TaskSpec describe(const Placement& placed, const Offer& offer) {
    const auto attempt = instances.place(placed.task);
    observer.placed(attempt, offer.agent);
    return {placed.task, Resources{{spec.kind, 1}}, kJob, work_of(spec.command, attempt.index)};
  }

  void end(Driver& driver, const TaskStatus& status) {
    const bool ok = status.state == TaskState::finished;
    const bool ran = status.state != TaskState::dropped;
    const auto attempt = instances.end(status.task, ok, ran);
    pool.ended(kJob, spec.kind);
    observer.ended(attempt, status);
    if (!attempt.last) {
      add(attempt.index);
      answer.tasks_added(driver, spec.kind);
    } else {
      answer.declare(driver);
    }
    if (instances.all_over()) finish(driver);
  }

  void finish(Driver& driver) {
    const auto lost = instances.failed();
    driver.trace(JobFinished{kJob, lost == 0, lost == 0 ? "" : std::to_string(lost) + " failed"});
    pool.remove_job(kJob);
    policy->job_ended(kJob);
    observer.done();
    driver.stop();
  }

  BatchSpec spec;
  std::unique_ptr<Policy> policy;
  BatchObserver& observer;
  Places places;
  Instances instances;
  TaskPool pool;
  OfferAnswer answer;
  std::optional<Error> refusal;
};

Batch::Batch(BatchSpec spec, std::unique_ptr<Policy> policy, BatchObserver& observer)
    : impl_(std::make_unique<Impl>(std::move(spec), std::move(policy), observer)) {}
Batch::~Batch() = default;

std::uint32_t Batch::finished_count() const { return impl_->instances.finished(); }
std::uint32_t Batch::failed_count() const { return impl_->instances.failed(); }
const std::optional<Error>& Batch::refusal() const { return impl_->refusal; }

void Batch::started(Driver& driver) {
  driver.trace(JobSubmitted{kJob, impl_->spec.command.argv.front(), impl_->spec.instances, 0});
  impl_->answer.declare(driver);
}

void Batch::resource_offers(Driver& driver, const Offers& offers) {
  impl_->learn_places(driver, offers);
  impl_->answer.answer(driver, offers, [this](const Placement& placed, const Offer& offer) {
    return impl_->describe(placed, offer);
  });
}

void Batch::status_update(Driver& driver, const TaskStatus& status) {
  if (is_terminal(status.state)) return impl_->end(driver, status);
  const auto attempt = impl_->instances.find(status.task);
  if (attempt && status.state == TaskState::running) impl_->observer.running(*attempt);
}

void Batch::failed(Driver&, const Error& error) {
  impl_->refusal = error;
  impl_->observer.done();
}

std::optional<Time> Batch::next_deadline() const { return impl_->answer.next_deadline(); }
void Batch::deadline(Driver& driver) { impl_->answer.deadline(driver); }

}  // namespace proffer
