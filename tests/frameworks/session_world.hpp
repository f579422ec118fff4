// A framework machine driven by hand: messages in, messages out, time as we say.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/frameworks/framework.hpp"
#include "tests/frameworks/vocabulary.hpp"
#include "tests/reads_back.hpp"

namespace proffer::testing {

/// Writes down every callback, and does what the test has laid down for it.
class RecordingScheduler final : public Scheduler,
                                 public FollowsSession,
                                 public HearsTasks,
                                 public UsesCatalog,
                                 public Resumes {
 public:
  using Hook = std::function<void(Driver&)>;

  void started(Driver& driver) override { note("started", on_started, driver); }
  void resource_offers(Driver& driver, const Offers& offers) override {
    std::string text = "offers";
    for (const auto& one : offers.offers) text += " " + std::to_string(one.id.n);
    note(text, on_offers, driver);
  }
  void status_update(Driver& driver, const TaskStatus& status) override {
    statuses.push_back(status);
    note(status.task.value + " " + std::string(to_string(status.state)) + " " +
             std::string(to_string(status.reason)),
         on_status, driver);
  }
  void subscribed(Driver& driver, const Subscribed&) override { note("subscribed", on_subscribed, driver); }
  void disconnected(Driver& driver) override { note("disconnected", on_disconnected, driver); }
  void offers_rescinded(Driver& driver, std::span<const OfferId> ids) override {
    std::string text = "rescinded";
    for (const auto id : ids) text += " " + std::to_string(id.n);
    note(text, {}, driver);
  }
  void task_said(Driver& driver, const TaskId& task, const std::string& payload) override {
    note(task.value + " said " + payload, {}, driver);
  }
  void catalog_answered(Driver& driver, const Message& message) override {
    answers.push_back(message);
    note("catalog " + std::string(type_name(message)), {}, driver);
  }
  void resumed(Driver& driver, std::span<const ResumedTask> tasks,
               const std::map<std::string, std::string>& notes) override {
    std::string text = "resumed";
    for (const auto& one : tasks) text += " " + one.task.value + " " + std::string(to_string(one.state));
    for (const auto& [key, value] : notes) text += " " + key + "=" + value;
    note(text, {}, driver);
  }
  void failed(Driver& driver, const Error& error) override { note("failed " + error.message, {}, driver); }
  std::optional<Time> next_deadline() const override { return wake_at; }
  void deadline(Driver& driver) override {
    wake_at.reset();
    note("deadline", on_deadline, driver);
  }

  std::vector<std::string> take_log() { return std::exchange(log, {}); }

  std::vector<std::string> log;
  std::vector<TaskStatus> statuses;
  std::vector<Message> answers;
  std::optional<Time> wake_at;
  Hook on_started, on_offers, on_status, on_subscribed, on_disconnected, on_deadline;

 private:
  void note(std::string text, const Hook& hook, Driver& driver) {
    log.push_back(std::move(text));
    if (hook) hook(driver);
  }
};

inline FrameworkConfig config_for_tests() {
  FrameworkConfig config;
  config.name = "grep";
  config.pool = "research";
  config.user = "ada";
  return config;
}

class SessionWorld {
 public:
  explicit SessionWorld(FrameworkConfig config = config_for_tests(), std::vector<Kept> kept = {})
      : framework(std::move(config), scheduler, Random(42), std::move(kept)) {}

  // ---- time ----
  void step(const Event& event) {
    Actions next;
    framework.step(event, next, now);
    framework.check_invariants();
    expect_reads_back(next, event);
    for (const auto& action : next) store(action);
    std::move(next.begin(), next.end(), std::back_inserter(actions));
  }
  /// Time passes, and the world wakes the machine whenever it wants.
  void pass(Duration duration) {
    const auto end = now + duration;
    for (int turns = 0;; ++turns) {
      ASSERT_LT(turns, 100'000) << "the machine's deadline does not move on";
      const auto next = framework.next_deadline();
      if (!next || *next > end) break;
      now = std::max(now, *next);
      step(TimePassed{});
    }
    now = end;
  }
  /// Time passes while the whole process is stopped.
  void freeze(Duration duration) { now += duration; }

  // ---- the allocator ----
  Envelope envelope(Message message) {
    return {cluster, epoch, session, session.value == 0 ? 0 : ++seq, std::move(message)};
  }
  void deliver(Envelope envelope) { step(MessageReceived{kAllocatorPeer, std::move(envelope)}); }
  void say(Message message) { deliver(envelope(std::move(message))); }
  /// Opens a session: a new one each time.
  void subscribe(Duration heartbeat = Duration{1s}) {
    step(TimePassed{});
    session = {session.value + 100};
    seq = 0;
    say(Subscribed{framework_id, ++framework_epoch, heartbeat, "tcp://catalog", secret, incarnation});
  }
  void refuse(ErrorCode code, std::string why = "no") {
    deliver({cluster, epoch, {}, 0, ErrorMessage{{code, std::move(why)}, 0}});
  }
  void offer_slots(std::uint64_t n) { say(Offers{{offer(n, agent(n))}, {}}); }
  void update(const std::string& task, std::uint64_t number, TaskState state) {
    TaskStatus status;
    status.framework = framework_id;
    status.task = {task};
    status.seq = number;
    status.state = state;
    say(Update{status});
  }
  void verdict(std::uint64_t accept, const std::string& task, bool ok, TaskState state = TaskState::dropped,
               TaskReason reason = TaskReason::offer_gone) {
    say(Accepted{accept, {{{task}, ok, ok ? TaskState::pending : state, ok ? TaskReason::none : reason}}});
  }
  void lose_connection() { step(PeerLost{kAllocatorPeer}); }

  /// The allocator is started anew, and the framework has come back to it.
  void restart_allocator() {
    epoch = {epoch.value + 1};
    ++incarnation;
    lose_connection();
    subscribe();
  }
  /// Answers a RECONCILE about one task.
  void reconciled(const std::string& task, Known known, TaskState state = TaskState::running) {
    say(Reconciled{1, {{{task}, {}, known, state, {}, {}}}, true, true});
  }

  // ---- what it keeps ----
  std::vector<Kept> kept() const {
    std::vector<Kept> records;
    for (const auto& [key, record] : records_) records.push_back(record);
    return records;
  }
  template <class T>
  std::vector<T> kept_of() const {
    std::vector<T> records;
    for (const auto& [key, record] : records_) {
      if (const auto* one = std::get_if<T>(&record)) records.push_back(*one);
    }
    return records;
  }

  // ---- the scheduler ----
  /// Runs `calls` in a callback of its own.
  void call(RecordingScheduler::Hook calls) {
    scheduler.on_deadline = std::move(calls);
    scheduler.wake_at = now;
    step(TimePassed{});
    scheduler.on_deadline = {};
    std::erase(scheduler.log, "deadline");
  }
  void launch(std::uint64_t offer_number, const std::string& task, std::int64_t slots = 1) {
    call([&](Driver& driver) {
      driver.accept({OfferId{1, offer_number}}, {TaskSpec{{task}, Resources{{kMap, slots}}, {1}, nullptr}});
    });
  }
  /// Offered, accepted, confirmed.
  void run(const std::string& task, std::int64_t slots = 1) {
    offer_slots(++last_offer);
    launch(last_offer, task, slots);
    verdict(++last_accept, task, true);
    sent();
    scheduler.take_log();
  }

  // ---- what it sent ----
  std::vector<Envelope> sent_to(PeerId peer) {
    std::vector<Envelope> out;
    for (auto& action : std::exchange(actions, {})) {
      const auto* send = std::get_if<Send>(&action);
      if (send != nullptr && send->peer == peer) out.push_back(send->envelope);
    }
    return out;
  }
  std::vector<Message> sent() {
    std::vector<Message> out;
    for (auto& one : sent_to(kAllocatorPeer)) out.push_back(std::move(one.message));
    return out;
  }
  std::vector<std::string> sent_names() {
    std::vector<std::string> names;
    for (const auto& message : sent()) names.emplace_back(type_name(message));
    return names;
  }
  /// All messages of one type.
  template <class T>
  std::vector<T> sent_of() {
    std::vector<T> out;
    for (auto& message : sent()) {
      if (auto* one = std::get_if<T>(&message)) out.push_back(std::move(*one));
    }
    return out;
  }

  RecordingScheduler scheduler;
  Framework framework;
  Time now = at(1000s);
  Actions actions;
  ClusterId cluster{{7, 7}};
  Epoch epoch{1};
  std::uint64_t incarnation = 77;
  SessionId session;
  FrameworkId framework_id{{0, 9}};
  Secret secret{{5, 9}};
  std::uint64_t framework_epoch = 0;
  std::uint64_t seq = 0;
  std::uint64_t last_offer = 0;
  std::uint64_t last_accept = 0;

 private:
  void store(const Action& action) {
    if (const auto* keep = std::get_if<KeepRecord>(&action)) records_[key_of(keep->record)] = keep->record;
    if (const auto* drop = std::get_if<DropRecord>(&action)) records_.erase(drop->key);
  }

  std::map<KeptKey, Kept> records_;
};

}  // namespace proffer::testing
