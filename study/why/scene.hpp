// What an event log has told so far: agents, frameworks, their jobs and tasks, offers, and the allocator's
// share tree, put together again from its lines.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proffer/formats/event_log.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::study::why {

/// What is told of "lately".
inline constexpr Duration kLately = std::chrono::seconds(60);

struct SlotCount {
  std::int64_t running = 0;
  std::int64_t offered = 0;
};

struct TaskKey {
  std::string framework;
  TaskId task;
  auto operator<=>(const TaskKey&) const = default;
};

struct AgentScene {
  std::string name;
  std::string rack;
  Resources slots;
  bool lost = false;
  Time changed{};  // a task there ended
  std::map<Kind, SlotCount> taken;
  std::set<TaskKey> tasks;

  std::int64_t free(Kind kind) const;
};

struct TaskScene {
  JobId job;
  Kind kind;
  std::int64_t units = 0;  // that it holds, and are counted where its agent is known; 0: none
  std::vector<AgentId> prefers;
  std::optional<Time> queued;
  std::optional<Time> placed;  // its framework chose a slot
  std::optional<Time> launched;
  std::optional<Time> ended;
  AgentId agent;
  Locality locality = Locality::any;
  Duration waited{};
  TaskState state = TaskState::pending;
  TaskReason reason = TaskReason::none;

  bool waits() const { return queued && !placed && !ended; }
};

struct JobScene {
  std::string name;
  std::string pool;
  std::string user;
  std::string priority = "normal";
  std::optional<Time> queued;
  std::optional<Time> begun;
  std::optional<Time> finished;
  bool ok = true;
  std::string why;
  std::uint32_t maps = 0;
  std::uint32_t reduces = 0;
  std::set<TaskId> waiting;
  std::set<TaskId> running;
  std::uint64_t done = 0;
  std::array<std::uint64_t, 3> placed{};  // by locality, of tasks with a preference
  std::optional<Time> last_placed;
  Duration last_waited{};
};

enum class OfferEnd : std::uint8_t { accepted, declined, rescinded, expired };
struct OfferScene {
  std::string framework;
  AgentId agent;
  Resources resources;
  Time made{};
};
struct EndedOffer {
  Time at{};
  OfferEnd end = OfferEnd::accepted;
  DeclineReason reason = DeclineReason::other;
  Duration held{};
  Kind kind;
};
/// What a framework said when it declined slots of an agent.
struct Refusal {
  Time at{};
  std::optional<Time> until;  // none: until it revives
  bool until_change = false;  // or something changes on that agent
  DeclineReason reason = DeclineReason::other;
};

struct RunTimes {
  std::int64_t count = 0;
  Duration sum{};
};

struct FrameworkScene {
  std::string name;
  std::string pool;
  FrameworkId id;
  std::optional<LeafId> leaf;  // none: never subscribed, or gone
  std::optional<Time> lost_at;
  bool gone = false;
  std::string why_lost;
  std::map<Kind, std::int64_t> demand;
  std::map<Kind, SlotCount> taken;
  std::deque<EndedOffer> lately;
  std::optional<Time> last_expiry;  // and it has answered nothing since
  std::map<std::pair<AgentId, Kind>, Refusal> refusals;
  std::map<Kind, std::optional<Time>> refuses_until;  // some agent; the latest
  std::int64_t preempted = 0;                         // slots it was told to give back

  std::optional<FrameworkRules> rules;
  std::vector<PoolChanged> pools;  // of its jobs
  std::map<JobId, JobScene> jobs;
  std::map<TaskId, TaskScene> tasks;
  std::map<Kind, RunTimes> run_times;

  std::int64_t wants(Kind kind) const;  // beyond what it has
  SlotCount has(Kind kind) const;
};

struct StarvedScene {
  Time at{};
  std::int64_t used = 0;
  std::int64_t target = 0;
};

PoolSpec spec_of(const PoolChanged& pool);

class Scene {
 public:
  void line(const TraceLine& line);

  Time now{};
  ShareTree tree;
  std::map<std::string, PoolChanged> pools;  // the allocator's
  std::map<AgentId, AgentScene> agents;
  std::map<std::string, FrameworkScene> frameworks;  // by name
  std::map<OfferId, OfferScene> offers;
  std::map<std::pair<std::string, Kind>, StarvedScene> starved;  // pools, the last time that each came up
  std::map<Kind, RunTimes> run_times;
  std::vector<Kind> kinds;  // that the cluster has had

  std::int64_t capacity(Kind kind) const { return tree.capacity(kind); }
  /// Whether frameworks of a pool may be offered it.
  bool admits(const std::string& pool, const AgentScene& agent) const;
  /// In the allocator's order of who is to be offered the next slot.
  std::vector<std::string> order(Kind kind) const;
  std::string agent_name(AgentId id) const;

 private:
  void allocator_line(const Trace& trace);
  void framework_line(const std::string& name, const Trace& trace);
  void restart();

  // the allocator's
  void apply(const AgentRegistered& trace);
  void apply(const AgentLost& trace);
  void apply(const FrameworkSubscribed& trace);
  void apply(const FrameworkLost& trace);
  void apply(const FrameworkMoved& trace);
  void apply(const DemandChanged& trace);
  void apply(const OfferMade& trace);
  void apply(const OfferAccepted& trace);
  void apply(const OfferDeclined& trace);
  void apply(const OfferRescinded& trace);
  void apply(const OfferExpired& trace);
  void apply(const TaskLaunched& trace);
  void apply(const TaskChanged& trace);
  void apply(const PoolStarved& trace);
  void apply(const SlotsPreempted& trace);
  void apply(const PoolChanged& trace);
  template <class Other>
  void apply(const Other&) {}

  // a framework's
  void apply(FrameworkScene& framework, const FrameworkRules& trace);
  void apply(FrameworkScene& framework, const PoolChanged& trace);
  void apply(FrameworkScene& framework, const JobQueued& trace);
  void apply(FrameworkScene& framework, const JobMoved& trace);
  void apply(FrameworkScene& framework, const JobSubmitted& trace);
  void apply(FrameworkScene& framework, const TaskQueued& trace);
  void apply(FrameworkScene& framework, const TaskPlaced& trace);
  void apply(FrameworkScene& framework, const JobFinished& trace);
  template <class Other>
  void apply(FrameworkScene&, const Other&) {}

  FrameworkScene* of(FrameworkId id);
  void declare(const std::string& pool);
  void take(FrameworkScene& framework, AgentId agent, Kind kind, SlotCount change);
  void tell_used(const FrameworkScene& framework, Kind kind);
  void give_back(FrameworkScene& framework, const TaskId& id);
  void count_capacity();
  void end_offer(OfferId id, OfferEnd end, DeclineReason reason, Duration held);
  void end_task(FrameworkScene& framework, const TaskId& id, const TaskChanged& trace);

  std::map<FrameworkId, std::string> names_;
  std::map<std::string, std::uint64_t, std::less<>> last_seq_;  // by source
  std::uint64_t submitted_ = 0;
};

}  // namespace proffer::study::why
