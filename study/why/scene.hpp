// What an event log has told so far: agents, frameworks, their jobs and tasks, offers, and the allocator's
// share tree, put together again from its lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proffer/formats/event_log.hpp"
#include "study/why/log_holes.hpp"
#include "study/why/scene_tables.hpp"

namespace proffer::study::why {

class Scene {
 public:
  void line(const TraceLine& line);

  Time now{};
  ShareTree tree;
  std::map<std::string, PoolChanged> pools;    // the allocator's
  std::map<std::string, std::uint32_t> users;  // limits of users of frameworks
  std::map<AgentId, AgentScene> agents;
  std::map<FrameworkNo, FrameworkScene> frameworks;
  std::map<OfferId, OfferScene> offers;
  std::map<std::pair<std::string, Kind>, StarvedScene> starved;  // pools, the last time that each came up
  AllocatorRules rules{std::chrono::seconds(30), {}};            // the usual ones, unless it tells
  LogHoles holes;
  std::map<Kind, RunTimes> run_times;
  std::vector<Kind> kinds;  // that the cluster has had

  std::int64_t capacity(Kind kind) const { return tree.capacity(kind); }
  /// Whether frameworks of a pool may be offered it.
  bool admits(const std::string& pool, const AgentScene& agent) const;
  /// The same if it were nobody's alone and the pool had what it wants for itself.
  bool admits_somewhen(const std::string& pool, const AgentScene& agent) const;
  /// What says which agents frameworks of a pool may have; null: nothing, they may have all.
  const PoolChanged* place_rule(std::string_view pool) const;
  /// In the allocator's order of who is to be offered the next slot.
  std::vector<FrameworkNo> order(Kind kind) const;
  std::string agent_name(AgentId id) const;
  /// Its own lines may be those of another of its name: this log does not tell them apart.
  bool shares_lines(const FrameworkScene& framework) const;
  std::int64_t present_named(const std::string& name) const;

 private:
  void allocator_line(const Trace& trace);
  void framework_line(const TraceLine& line, bool restarted);
  void restart();

  // whose lines are whose
  FrameworkScene& add_framework(const std::string& name);
  FrameworkScene& subscribed(FrameworkId id, const std::string& name);
  FrameworkNo& source_of(const TraceLine& line, const std::string& name, bool restarted);
  void began(FrameworkNo& source, FrameworkId id);
  const FrameworkScene* present(const std::string& name) const;

  // the allocator's
  void apply(const AgentRegistered& trace);
  void apply(const AgentLost& trace);
  void apply(const AgentTrouble& trace);
  void apply(const FrameworkAdded& trace);
  void apply(const UserLimited& trace);
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
  void apply(const AgentLeased& trace);
  void apply(const AllocatorRules& trace);
  template <class Other>
  void apply(const Other&) {}

  // a framework's
  void apply(FrameworkScene& framework, const FrameworkRules& trace);
  void apply(FrameworkScene& framework, const PoolChanged& trace);
  void apply(FrameworkScene& framework, const UserLimited& trace);
  void apply(FrameworkScene& framework, const JobQueued& trace);
  void apply(FrameworkScene& framework, const JobMoved& trace);
  void apply(FrameworkScene& framework, const JobSubmitted& trace);
  void apply(FrameworkScene& framework, const TaskQueued& trace);
  void apply(FrameworkScene& framework, const TaskPlaced& trace);
  void apply(FrameworkScene& framework, const JobFinished& trace);
  void apply(FrameworkScene& framework, const TaskPreempted& trace);
  template <class Other>
  void apply(FrameworkScene&, const Other&) {}

  FrameworkScene* of(FrameworkId id);
  void declare(const std::string& pool);
  void take(FrameworkScene& framework, AgentId agent, Kind kind, SlotCount change);
  void tell_used(const FrameworkScene& framework, Kind kind);
  void take_task(FrameworkScene& framework, const TaskId& id);
  void give_back(FrameworkScene& framework, const TaskId& id);
  void leave(FrameworkScene& framework, const TaskId& id);
  void come_back(FrameworkScene& framework, const TaskId& id);
  void count_capacity();
  void end_offer(OfferId id, OfferEnd end, DeclineReason reason, Duration held);
  void end_task(FrameworkScene& framework, const TaskId& id, const TaskChanged& trace);

  using Source = std::pair<std::string, std::uint32_t>;  // a framework's name, and the life of its program
  std::map<FrameworkId, FrameworkAdded> added_;
  std::map<FrameworkId, FrameworkNo> numbers_;
  std::map<Source, FrameworkNo> sources_;
  std::uint64_t came_ = 0;
  std::uint64_t submitted_ = 0;
};

}  // namespace proffer::study::why
