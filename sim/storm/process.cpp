#include "sim/storm/process.hpp"

#include <algorithm>
#include <array>

#include "proffer/failed_check.hpp"

namespace proffer::sim::storm {
namespace {

/// One step in so many is checked that only says "I live".
constexpr std::uint64_t kCheckEvery = 16;

bool is_beat(const Envelope& envelope) { return std::holds_alternative<Heartbeat>(envelope.message); }

/// Returns whether a step has most likely changed nothing.
bool is_quiet(const Event& event, const Actions& actions) {
  const auto* in = std::get_if<MessageReceived>(&event);
  if (in != nullptr ? !is_beat(in->envelope) : !std::holds_alternative<TimePassed>(event)) return false;
  return std::all_of(actions.begin(), actions.end(), [](const Action& action) {
    const auto* message = std::get_if<Send>(&action);
    return message != nullptr && is_beat(message->envelope);
  });
}

constexpr std::string_view kFull = "its store: No space left on device";

}  // namespace

std::string_view to_string(Role role) {
  constexpr std::array<std::string_view, 4> kNames{"allocator", "catalog", "agent", "framework"};
  return kNames.at(static_cast<std::size_t>(role));
}

void Process::start(std::unique_ptr<AnyMachine> machine) {
  machine_ = std::move(machine);
  ++life_;
  started_at_ = agenda_.now();
  steps = 0;
  paused_ = false;
  told_full_ = false;
  busy_until_ = {};
  wake_at_.reset();
  // A daemon knows of a full disk before anybody can ask it for anything.
  if (disk.full()) inbox_.push_back(StoreRoom{Room::little, std::string(kFull)});
  told_full_ = disk.full();
  deliver(TimePassed{});
}

void Process::crash() {
  machine_.reset();
  inbox_.clear();
  paused_ = false;
}

void Process::pause() { paused_ = true; }

void Process::resume() {
  if (!paused_) return;
  paused_ = false;
  inbox_.push_back(TimePassed{});
  run();
}

void Process::busy_for(Duration time) {
  busy_until_ = agenda_.now() + time;
  agenda_.at(busy_until_, [this] { run(); });
}

void Process::has_room() {
  if (up() && std::exchange(told_full_, false)) deliver(StoreRoom{Room::plenty, {}});
}

void Process::deliver(Event event) {
  if (!up()) return;
  inbox_.push_back(std::move(event));
  run();
}

void Process::run() {
  if (running_) return;
  running_ = true;
  while (up() && !paused_ && agenda_.now() >= busy_until_ && !inbox_.empty()) {
    auto event = std::move(inbox_.front());
    inbox_.pop_front();
    step(std::move(event));
  }
  running_ = false;
  if (up() && !paused_) wake_later();
}

void Process::step(Event event) {
  auto done = std::make_shared<Step>();
  done->event = std::move(event);
  try {
    machine_->step(done->event, done->actions, agenda_.now());
    if (steps % kCheckEvery == 0 || !is_quiet(done->event, done->actions)) machine_->check_invariants();
  } catch (const FailedCheck& failed) {
    throw FailedCheck{name + ": " + failed.what};
  }
  ++steps;
  world_.stepped(*this, done->event, done->actions);
  done->crash = world_.crash_point(*this);
  if (done->crash == CrashPoint::before_commit) return world_.die(*this, "before its commit");
  const auto time = world_.commit_time(*this);
  if (!time) return world_.die(*this, "since its disk fails");
  if (!keep(done->actions)) return world_.die(*this, "since nothing is left of its reserve on the full disk");
  world_.committed(*this, done->event, done->actions);
  if (*time == Duration::zero()) return finish(done);
  busy_until_ = agenda_.now() + *time;
  agenda_.at(busy_until_, [this, done, life = life_] {
    if (!up() || life != life_) return;
    finish(done);
    run();
  });
}

/// Changes that the machine has applied are kept also when the disk is full, out of the room that was set
/// aside; the machine learns of it before it sees another message.
bool Process::keep(Actions& actions) {
  auto outcome = disk.commit(actions);
  if (outcome == Disk::Outcome::refused) return false;
  if (outcome != Disk::Outcome::reserve || told_full_) return true;
  told_full_ = true;
  const auto before = actions.size();
  machine_->step(StoreRoom{Room::little, std::string(kFull)}, actions, agenda_.now());
  const Actions further(actions.begin() + static_cast<std::ptrdiff_t>(before), actions.end());
  return disk.commit(further) != Disk::Outcome::refused;
}

void Process::finish(const std::shared_ptr<Step>& step) {
  if (step->crash == CrashPoint::after_commit) return world_.die(*this, "after its commit");
  auto left = step->actions.size();
  if (step->crash == CrashPoint::among_actions) left /= 2;
  const auto life = life_;
  for (auto& action : step->actions) {
    if (left-- == 0) return world_.die(*this, "among its actions");
    world_.carry_out(*this, action);
    if (!up() || life != life_) return;
  }
  world_.settled(*this);
}

/// Has the process look at its deadline when it comes. One that was put off is looked at all the same, and
/// put there anew.
void Process::wake_later() {
  auto due = machine_->next_deadline();
  if (due) due = std::max(*due, busy_until_);
  if (!due || (wake_at_ && *wake_at_ <= *due && *wake_at_ >= agenda_.now())) return;
  wake_at_ = std::max(*due, agenda_.now());
  agenda_.at(*wake_at_, [this, life = life_, at = *wake_at_] {
    if (!up() || life != life_ || wake_at_ != at) return;
    wake_at_.reset();
    if (paused_) return;  // it looks when it goes on
    const auto still = machine_->next_deadline();
    if (still && *still <= agenda_.now()) inbox_.push_back(TimePassed{});
    run();
  });
}

}  // namespace proffer::sim::storm
