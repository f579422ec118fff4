// The test language of the agent: an allocator and a catalog that are played by the test, processes that
// start and end when it says so, and what came out of each step.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/agent/agent.hpp"
#include "tests/reads_back.hpp"

namespace proffer::agent_test {

using std::chrono::milliseconds;
using std::chrono::seconds;

inline const Kind kMap{"map"};
inline const ClusterId kCluster{Bits128{7, 7}};
inline const AgentId kAgent{Bits128{1, 1}};
inline const FrameworkId kFramework{Bits128{9, 9}};
inline constexpr SessionId kSession{11};
inline constexpr SessionId kCatalogSession{21};

inline LaunchId launch_id(std::uint64_t n) { return {1, n}; }

class Stage {
 public:
  using Blocks = std::vector<std::pair<BlockId, std::uint64_t>>;

  static AgentConfig config(std::int64_t slots = 2) {
    AgentConfig config;
    config.name = "a1";
    config.rack = "r1";
    config.data_endpoint = "tcp://h:1";
    config.slots = Resources{{kMap, slots}};
    return config;
  }

  explicit Stage(AgentConfig settings = config(), Blocks blocks = {}, std::vector<Kept> kept = {})
      : agent_(std::move(settings), std::move(blocks), Random(5), kept) {
    for (auto& record : kept) kept_.insert_or_assign(key_of(record), std::move(record));
  }

  /// One event; the actions replace those of the last one.
  Actions& step(const Event& event) {
    actions_.clear();
    agent_.step(event, actions_, now_);
    agent_.check_invariants();
    expect_reads_back(actions_, event);
    for (const auto& action : actions_) {
      if (const auto* record = std::get_if<KeepRecord>(&action))
        kept_.insert_or_assign(key_of(record->record), record->record);
      if (const auto* record = std::get_if<DropRecord>(&action)) kept_.erase(record->key);
    }
    return actions_;
  }
  /// The machine sleeps so long, but wakes for its deadlines; the actions are those of all the time.
  Actions& pass(Duration time) {
    const auto end = now_ + time;
    Actions all;
    while (agent_.next_deadline() && *agent_.next_deadline() <= end) {
      now_ = std::max(now_, *agent_.next_deadline());
      step(TimePassed{});
      all.insert(all.end(), actions_.begin(), actions_.end());
    }
    now_ = end;
    return actions_ = std::move(all);
  }
  /// The machine is not run for so long.
  void sleep(Duration time) { now_ += time; }
  Time now() const { return now_; }

  // ---- the allocator ----

  void receive(SessionId session, Message message) {
    step(MessageReceived{kAllocatorPeer, {kCluster, epoch_, session, ++seq_, std::move(message)}});
  }
  /// Receives a message in the session that is open.
  void receive(Message message) { receive(session_, std::move(message)); }
  void receive_as(const Envelope& envelope) { step(MessageReceived{kAllocatorPeer, envelope}); }
  /// Registers, and answers.
  void join(Registered registered = {kAgent, seconds(1), "", {}}, SessionId session = kSession) {
    if (!agent_.registered()) pass(seconds(10));
    session_ = session;
    receive(session, std::move(registered));
  }
  void join_with_catalog() { join({kAgent, seconds(1), "tcp://cat:1", {}}); }
  void new_epoch() { epoch_ = {epoch_.value + 1}; }
  /// Time in which the allocator answers the heartbeats.
  void pass_alive(Duration time) {
    Actions all;
    for (const auto end = now_ + time; now_ < end;) {
      pass(std::min<Duration>(seconds(1), end - now_));
      all.insert(all.end(), actions_.begin(), actions_.end());
      receive(Heartbeat{});
      all.insert(all.end(), actions_.begin(), actions_.end());
    }
    actions_ = std::move(all);
  }

  static Launch launch_of(std::uint64_t n, const std::string& task, std::int64_t slots = 1) {
    TaskSpec spec;
    spec.id = {task};
    spec.resources = Resources{{kMap, slots}};
    spec.work = std::make_shared<Work>(CommandWork{{"true"}, {}});
    return {launch_id(n), kFramework, "wc", spec};
  }
  void launch(std::uint64_t n, const std::string& task, std::int64_t slots = 1) {
    receive(launch_of(n, task, slots));
  }
  /// Launched, and its process runs; RUNNING is acknowledged.
  void run(std::uint64_t n, const std::string& task) {
    launch(n, task);
    started(n);
    acknowledge(task, 1);
  }
  void kill(const std::string& task, Duration grace = seconds(5)) {
    receive(Kill{kFramework, {task}, grace});
  }
  void acknowledge(const std::string& task, std::uint64_t seq) {
    receive(Acknowledge{kFramework, {task}, seq});
  }

  // ---- processes ----

  void started(std::uint64_t n) { step(RunStarted{launch_id(n)}); }
  void exits(std::uint64_t n, ExitStatus status = {}) { step(RunExited{launch_id(n), status, nullptr, ""}); }

  // ---- the catalog ----

  void from_catalog(SessionId session, Message message, Epoch epoch = {1}) {
    step(MessageReceived{kCatalogPeer, {kCluster, epoch, session, ++catalog_seq_, std::move(message)}});
  }
  void from_catalog(Message message) { from_catalog(kCatalogSession, std::move(message)); }
  void welcome(SessionId session = kCatalogSession) {
    from_catalog(session, CatalogWelcome{"t0ken", seconds(1)});
  }

  // ---- what it keeps ----

  /// The records that the next life begins with.
  std::vector<Kept> kept() const {
    std::vector<Kept> records;
    for (const auto& [key, record] : kept_) records.push_back(record);
    return records;
  }
  template <class K>
  std::vector<K> kept_of() const {
    std::vector<K> records;
    for (const auto& [key, record] : kept_) {
      if (const auto* one = std::get_if<K>(&record)) records.push_back(*one);
    }
    return records;
  }
  /// The world tells of these runs that live, each for 3 s so far; and of nothing else.
  void lists(const std::vector<std::uint64_t>& living, std::vector<RunExited> ended = {}) {
    RunsListed listed;
    for (const auto n : living) listed.living.push_back({launch_id(n), seconds(3)});
    listed.ended = std::move(ended);
    step(listed);
  }

  // ---- what came out ----

  template <class M>
  std::vector<M> sent(PeerId peer = kAllocatorPeer) const {
    std::vector<M> found;
    for (const auto& envelope : envelopes<M>(peer)) found.push_back(std::get<M>(envelope.message));
    return found;
  }
  template <class M>
  std::vector<Envelope> envelopes(PeerId peer = kAllocatorPeer) const {
    std::vector<Envelope> found;
    for (const auto& action : actions_) {
      const auto* send = std::get_if<Send>(&action);
      if (send && send->peer == peer && std::holds_alternative<M>(send->envelope.message)) {
        found.push_back(send->envelope);
      }
    }
    return found;
  }
  template <class A>
  std::vector<A> did() const {
    std::vector<A> found;
    for (const auto& action : actions_) {
      if (const auto* one = std::get_if<A>(&action)) found.push_back(*one);
    }
    return found;
  }
  /// "task seq STATE reason" for each status sent.
  std::vector<std::string> statuses() const {
    std::vector<std::string> lines;
    for (const auto& [launch, status] : sent<Status>()) {
      lines.push_back(status.task.value + " " + std::to_string(status.seq) + " " +
                      std::string(to_string(status.state)) + " " + std::string(to_string(status.reason)));
    }
    return lines;
  }
  /// The names of actions, and of messages that are sent, without traces.
  std::vector<std::string> order() const {
    std::vector<std::string> names;
    for (const auto& action : actions_) {
      if (const auto* send = std::get_if<Send>(&action))
        names.emplace_back(type_name(send->envelope.message));
      if (std::holds_alternative<KeepRecord>(action)) names.emplace_back("keep");
      if (std::holds_alternative<DropRecord>(action)) names.emplace_back("drop");
      if (std::holds_alternative<StartRun>(action)) names.emplace_back("start");
      if (std::holds_alternative<SignalRun>(action)) names.emplace_back("signal");
      if (std::holds_alternative<SettleRun>(action)) names.emplace_back("settle");
    }
    return names;
  }
  /// "terminate n" and "kill n".
  std::vector<std::string> signals() const {
    std::vector<std::string> lines;
    for (const auto& signal : did<SignalRun>()) {
      lines.push_back((signal.signal == RunSignal::kill ? "kill " : "terminate ") +
                      std::to_string(signal.launch.n));
    }
    return lines;
  }
  std::vector<std::string> refusals() const {
    std::vector<std::string> lines;
    for (const auto& emit : did<Emit>()) {
      if (const auto* refused = std::get_if<MessageRefused>(&emit.trace)) {
        lines.push_back(refused->type + " " + std::string(to_string(refused->code)));
      }
    }
    return lines;
  }
  const Agent& agent() const { return agent_; }
  Actions& actions() { return actions_; }

 private:
  Agent agent_;
  Time now_ = time_from_us(1'000'000);
  std::map<KeptKey, Kept> kept_;
  Actions actions_;
  Epoch epoch_{3};
  SessionId session_ = kSession;
  std::uint64_t seq_ = 0;
  std::uint64_t catalog_seq_ = 0;
};

}  // namespace proffer::agent_test
