// The test language of the allocator: agents and frameworks by name, and what each was told.
//
//   Stage s;
//   s.agent("a1", 2);                       registers 2 map slots
//   s.framework("f");                       subscribes with unbounded demand
//   EXPECT_EQ(s.offers("f"), "a1:2");       since the last look; * marks slots that stood idle
//   s.decline("f", "a1");
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/allocator/allocator.hpp"

namespace proffer {

inline const Kind kMap("map");
inline constexpr JobId kJob{4};  // of all tasks
inline const Kind kReduce("reduce");
inline const ClusterId kCluster{Bits128{7, 7}};
inline constexpr Epoch kEpoch{3};
inline constexpr Duration kSecond = std::chrono::seconds(1);

/// No heartbeats, so that silence means nothing and time can pass freely.
AllocatorConfig without_heartbeats();
/// Beats each second: an agent is out of reach after 30 s of silence. Offers stand for an hour.
AllocatorConfig with_long_offers();
AllocatorConfig with_pools(std::vector<AllocatorPool> pools);

struct FrameworkOptions {
  std::optional<std::int64_t> demand = {};  // of map slots
  std::string pool = {};
  Duration failover{};
  std::string user = "somebody";
  std::uint64_t instance = 0;
  std::uint64_t epoch = 0;  // as the process knows it
};
struct DeclineOptions {
  DeclineReason reason = DeclineReason::other;
  std::optional<Duration> refuse_for = Duration::zero();
  std::optional<std::int64_t> demand = {};
};
inline constexpr DeclineOptions kUntilRevive{DeclineReason::other, std::nullopt, {}};
inline DeclineOptions refuse_for(Duration time) { return {DeclineReason::other, time, {}}; }

struct AcceptOptions {
  DeclineReason rest_reason = DeclineReason::no_pending_task;
  std::optional<Duration> rest_refuse_for = {};
  std::optional<std::int64_t> demand = {};
};

class Stage {
 public:
  struct Client {
    PeerId peer;
    SessionId session;
    std::uint64_t seq = 0;
    AgentId agent;          // of agents
    FrameworkId framework;  // of frameworks
    Secret secret;          // of its id
    std::vector<Message> inbox;
    std::vector<Offer> offers;               // of frameworks: received, not yet answered
    std::map<std::string, Launch> launches;  // of agents, by task
    std::map<std::string, std::uint32_t> seqs;
    std::uint64_t accepts = 0;
    Heartbeat beat;     // the newest that came
    bool mute = false;  // does not answer heartbeats
  };

  using Records = std::map<KeptKey, Kept>;
  /// `records`: kept by the allocator's former life.
  explicit Stage(AllocatorConfig config = without_heartbeats(), const Records& records = {});

  /// Ends the allocator without a word, and starts it again with the records that it has kept. All
  /// connections are lost.
  void restart();
  /// The same, after its folder was lost.
  void restart_empty();

  // ---- events ----
  void step(const Event& event);
  void say(const std::string& name, Message message);
  /// Outside any session, from a connection of that name.
  void say_first(const std::string& name, Message message);
  /// Wakes the machine at each of its deadlines. Clients answer heartbeats unless they are mute.
  void pass(Duration time);
  /// The machine does not run for so long.
  void sleep(Duration time) { now_ += time; }
  void lose(const std::string& name) { step(PeerLost{client(name).peer}); }
  /// Gives a client a new connection, through which it speaks from now on.
  void reconnect(const std::string& name);

  // ---- agents ----
  void agent(const std::string& name, std::int64_t maps, const std::string& rack = "r1");
  void agent(const std::string& name, const Resources& slots, const std::string& rack = "r1");
  /// As it is now: its id, and these of its tasks.
  Register registration(const std::string& name, const Resources& slots, std::vector<AgentTask> tasks = {},
                        std::uint64_t run = 1);
  AgentTask listed(const std::string& agent, const std::string& task, TaskState state = TaskState::running);
  void ack_launch(const std::string& agent, const std::string& task);
  void status(const std::string& agent, const std::string& task, TaskState state);
  void finish(const std::string& agent, const std::string& task) { status(agent, task, TaskState::finished); }

  // ---- frameworks ----
  void framework(const std::string& name, FrameworkOptions options = {});
  /// "a1:2 a2:1*" since the last look: per offer the agent, units, and * when they stood idle.
  std::string offers(const std::string& framework);
  /// All that it holds on that agent.
  void decline(const std::string& framework, const std::string& agent, DeclineOptions options = {});
  /// Tasks of one map slot each. "t1 t2=rejected(too-large)": the verdicts.
  std::string accept(const std::string& framework, const std::string& agent,
                     const std::vector<std::string>& tasks, AcceptOptions options = {});
  std::string accept(const std::string& framework, Accept accept);
  std::string resend(const std::string& framework, const Accept& accept);
  TaskSpec task(const std::string& id, std::int64_t maps = 1) const;
  std::vector<OfferId> held(const std::string& framework, const std::string& agent = "");
  void revive(const std::string& framework, std::vector<Kind> kinds = {});
  /// Runs a task of its own on what it holds there; acknowledged by the agent.
  void run(const std::string& framework, const std::string& agent, const std::string& task);
  /// "t1 FINISHED, t2 LOST(agent-lost)" since the last look.
  std::string updates(const std::string& framework);
  /// `seq`: within this life of the allocator.
  void acknowledge(const std::string& framework, const std::string& task, std::uint64_t seq);
  /// Returns the number of a status as the allocator counts within this life.
  std::uint64_t number_of(const TaskStatus& status) const { return status.seq - ((epoch_.value - 1) << 32); }
  FrameworkState describe(const std::string& framework);
  ClusterState describe(std::uint64_t tasks = 0);

  // ---- what was said ----
  /// Messages of one type since the last look.
  template <class M>
  std::vector<M> take(const std::string& name) {
    std::vector<M> taken;
    std::vector<Message> rest;
    for (auto& message : client(name).inbox) {
      if (auto* wanted = std::get_if<M>(&message)) {
        taken.push_back(std::move(*wanted));
      } else {
        rest.push_back(std::move(message));
      }
    }
    client(name).inbox = std::move(rest);
    return taken;
  }
  /// The code of the only error since the last look.
  std::optional<ErrorCode> error(const std::string& name);
  std::string error_text(const std::string& name);
  Client& client(const std::string& name);
  /// Traces of one kind since the start.
  template <class T>
  std::vector<T> traces() const {
    std::vector<T> found;
    for (const auto& trace : traces_) {
      if (const auto* wanted = std::get_if<T>(&trace)) found.push_back(*wanted);
    }
    return found;
  }
  /// Returns the pools that the allocator asked the world to keep.
  const std::vector<KeepPools>& kept() const { return kept_; }
  /// Returns the record of that kind and key as it is kept now; none: there is none.
  template <class Record>
  std::optional<Record> record(const KeptKey& key) const {
    const auto found = records_.find(key);
    if (found == records_.end()) return {};
    return std::get<Record>(found->second);
  }
  void drop_record(const KeptKey& key) { records_.erase(key); }
  void keep_record(Kept record) { records_.insert_or_assign(key_of(record), std::move(record)); }
  /// Returns the records that the next life of the allocator is given.
  const Records& records() const { return records_; }
  Epoch epoch() const { return epoch_; }
  std::size_t closed() const { return closed_; }
  /// Large clusters: looking at everything after each step takes too long.
  void check_every(int steps) { check_every_ = steps; }
  Allocator& machine() { return *allocator_; }
  Time now() const { return now_; }

 private:
  void receive(Send send);
  void note(Client& client, const Message& message, SessionId session);
  std::string name_of(AgentId agent) const;

  AllocatorConfig config_;
  Epoch epoch_ = kEpoch;
  std::unique_ptr<Allocator> allocator_;
  Time now_ = time_from_us(1'000'000);
  std::map<std::string, Client> clients_;
  std::map<std::uint64_t, std::string> by_peer_;
  std::uint64_t next_peer_ = 100;
  std::vector<Trace> traces_;
  std::vector<KeepPools> kept_;
  Records records_;
  std::size_t closed_ = 0;
  int check_every_ = 1;
  int steps_ = 0;
};

}  // namespace proffer
