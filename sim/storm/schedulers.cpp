#include "sim/storm/schedulers.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "proffer/frameworks/batch.hpp"
#include "proffer/frameworks/policy_registry.hpp"

namespace proffer::sim::storm {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// The tasks that one process asks for at most: what it may still run then is enough for a storm.
constexpr std::uint32_t kTasks = 40;

class Simple final : public StormScheduler {
 public:
  Simple(const SchedulerSetup& setup, Told& told, Mood& mood, Random random)
      : setup_(setup), told_(told), mood_(mood), random_(std::move(random)) {}

  bool may_stop() const override { return false; }
  void started(Driver& driver) override { next_ = driver.now() + milliseconds(100 + random_.below(900)); }
  void failed(Driver&, const Error& error) override { failure = error; }
  std::optional<Time> next_deadline() const override { return next_; }
  void deadline(Driver& driver) override;
  void resource_offers(Driver& driver, const Offers& offers) override;
  void offers_rescinded(Driver&, std::span<const OfferId> offers) override {
    for (const auto offer : offers) held_.erase(offer);
  }
  void disconnected(Driver&) override { held_.clear(); }
  void status_update(Driver& driver, const TaskStatus& status) override {
    told_.update(setup_.lineage, setup_.instance, status, driver.now());
  }

 private:
  bool wants() const { return mood_.working && asked_ < kTasks; }
  void answer(Driver& driver, const Offer& offer);
  void accept(Driver& driver, const Offer& offer);
  void sleep_or_wake(Driver& driver);

  SchedulerSetup setup_;
  Told& told_;
  Mood& mood_;
  Random random_;
  std::optional<Time> next_;
  std::map<OfferId, Offer> held_;
  std::uint32_t asked_ = 0;
  bool satisfied_ = false;
  bool asleep_ = false;
  std::optional<Time> turns_;  // it goes to sleep, or wakes up
};

void Simple::resource_offers(Driver& driver, const Offers& offers) {
  mood_.shown[setup_.lineage] += offers.offers.size();
  for (const auto& offer : offers.offers) {
    if (setup_.character == Character::hoarder && wants()) {
      held_.emplace(offer.id, offer);
    } else {
      answer(driver, offer);
    }
  }
}

void Simple::answer(Driver& driver, const Offer& offer) {
  if (!wants()) return driver.decline(offer.id, DeclineReason::no_pending_task, std::nullopt);
  if (setup_.character == Character::decliner && random_.below(5) > 0) {
    return driver.decline(offer.id, DeclineReason::policy, seconds(random_.below(10)));
  }
  accept(driver, offer);
}

void Simple::accept(Driver& driver, const Offer& offer) {
  std::vector<TaskSpec> tasks;
  static const auto work = std::make_shared<const Work>(CommandWork{{"true"}, {}, {}});
  for (const auto& [kind, units] : offer.resources) {
    for (auto left = 1 + random_.below(static_cast<std::uint64_t>(units)); left > 0 && asked_ < kTasks;
         --left) {
      tasks.push_back({TaskId{fmt::format("{}-{}", setup_.prefix, ++asked_)}, {{kind, 1}}, JobId{1}, work});
    }
  }
  driver.accept({offer.id}, std::move(tasks));
}

// Some tasks are killed while they run; all are, once there is nothing more to want.
void Simple::deadline(Driver& driver) {
  next_ = driver.now() + seconds(1);
  if (setup_.sleeps) sleep_or_wake(driver);
  if (!wants()) {
    for (const auto& [id, offer] : std::exchange(held_, {})) {
      driver.decline(id, DeclineReason::no_pending_task, std::nullopt);
    }
    if (!std::exchange(satisfied_, true)) {
      for (const auto* kind : {"map", "reduce"}) driver.set_demand(Kind{kind}, 0);
    }
  }
  const bool some = random_.below(8) == 0;
  if (mood_.working && !some) return;
  for (const auto& task : told_.open(setup_.lineage)) {
    if (mood_.working && random_.below(6) > 0) continue;
    driver.kill(task, milliseconds(random_.below(2000)));
  }
}

void Simple::sleep_or_wake(Driver& driver) {
  const bool turns = turns_ && *turns_ <= driver.now();
  if (!turns_ || turns) turns_ = driver.now() + seconds(3 + random_.below(20));
  if (turns && asleep_) {
    asleep_ = false;
    driver.revive({});
  } else if (turns && wants() && !mood_.calm) {
    asleep_ = true;
    driver.suppress({});
  }
  if (!asleep_ && wants()) {
    mood_.awake.insert(setup_.lineage);
  } else {
    mood_.awake.erase(setup_.lineage);
  }
}

class Quiet final : public BatchObserver {
 public:
  void ended(const BatchAttempt&, const TaskStatus&) override {}
};

/// The scheduler of `proffer run`, with an ear for what it is told.
class Bag final : public StormScheduler {
 public:
  Bag(const SchedulerSetup& setup, Told& told, Mood& mood, Random random)
      : setup_(setup), told_(told), mood_(mood), batch_(spec(random), make_policy({}).value(), observer_) {}

  bool may_stop() const override { return true; }
  void started(Driver& driver) override { batch_.started(driver); }
  void failed(Driver& driver, const Error& error) override {
    failure = error;
    batch_.failed(driver, error);
  }
  std::optional<Time> next_deadline() const override { return batch_.next_deadline(); }
  void deadline(Driver& driver) override { batch_.deadline(driver); }
  void resource_offers(Driver& driver, const Offers& offers) override {
    mood_.shown[setup_.lineage] += offers.offers.size();
    batch_.resource_offers(driver, offers);
  }
  void offers_rescinded(Driver& driver, std::span<const OfferId> offers) override {
    batch_.offers_rescinded(driver, offers);
  }
  void disconnected(Driver& driver) override { batch_.disconnected(driver); }
  void status_update(Driver& driver, const TaskStatus& status) override {
    told_.update(setup_.lineage, setup_.instance, status, driver.now());
    batch_.status_update(driver, status);
  }

 private:
  static BatchSpec spec(Random& random) {
    BatchSpec spec;
    spec.command.argv = {"true"};
    spec.instances = static_cast<std::uint32_t>(1 + random.below(20));
    spec.max_attempts = 2;
    return spec;
  }

  SchedulerSetup setup_;
  Told& told_;
  Mood& mood_;
  Quiet observer_;
  Batch batch_;
};

}  // namespace

std::unique_ptr<StormScheduler> make_scheduler(const SchedulerSetup& setup, Told& told, Mood& mood,
                                               Random random) {
  if (setup.character == Character::batch) return std::make_unique<Bag>(setup, told, mood, std::move(random));
  return std::make_unique<Simple>(setup, told, mood, std::move(random));
}

}  // namespace proffer::sim::storm
