// The scene: what an event log has told so far of agents, frameworks, their jobs and tasks, and offers. The
// ledger has who has what; the share tree is put together again from the allocator's lines.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proffer/formats/event_log.hpp"
#include "study/why/log_holes.hpp"
#include "study/why/scene_tables.hpp"

namespace proffer::study::why {

/// The frameworks that ids, and programs' own lines, belong to; see scene_sources.hpp.
struct Sources {
  using Program = std::pair<std::string, std::uint32_t>;  // a framework's name, and the life of its program
  std::map<FrameworkId, FrameworkNo> by_id;
  std::map<Program, FrameworkNo> by_program;
  std::uint64_t came = 0;
};

struct Scene {
  Time now{};
  Ledger ledger{Ledger::Rest::open};
  ShareTree tree;
  std::uint64_t submitted = 0;                 // leaves that were added to the tree
  std::map<std::string, PoolChanged> pools;    // the allocator's
  std::map<std::string, std::uint32_t> users;  // limits of users of frameworks
  std::map<FrameworkNo, FrameworkScene> frameworks;
  std::map<FrameworkId, FrameworkAdded> added;  // what is said of a framework before it subscribes
  Sources sources;
  std::map<std::pair<std::string, Kind>, StarvedScene> starved;  // pools, the last time that each came up
  AllocatorRules rules{std::chrono::seconds(30), {}};            // the usual ones, unless it tells
  LogHoles holes;
  std::map<Kind, RunTimes> run_times;
  std::vector<Kind> kinds;  // that the cluster has had, in the order in which they came

  /// Takes the next line of the log.
  void line(const TraceLine& line);

  const std::map<AgentId, AgentAccount>& agents() const { return ledger.agents(); }
  std::int64_t capacity(Kind kind) const { return tree.capacity(kind); }
  SlotCount has(const FrameworkScene& framework, Kind kind) const;
  /// Returns the slots that a framework wants beyond those that it has.
  std::int64_t wants(const FrameworkScene& framework, Kind kind) const;
  /// Returns the task as the allocator knows it; null unless it was launched and has not ended.
  const HeldTask* held(const FrameworkScene& framework, const TaskId& task) const;
  /// Returns whether frameworks of a pool may be offered an agent.
  bool admits(const std::string& pool, const AgentAccount& agent) const;
  /// Returns what admits() would if the agent were nobody's alone and the pool had the agents that it wants
  /// for itself.
  bool admits_somewhen(const std::string& pool, const AgentAccount& agent) const;
  /// Returns the settings that say which agents frameworks of a pool may have; null: there are none, they may
  /// have all.
  const PoolChanged* place_rule(std::string_view pool) const;
  /// Returns the frameworks in the order in which the allocator offers them the next slot.
  std::vector<FrameworkNo> order(Kind kind) const;
  std::string agent_name(AgentId id) const;
  /// Returns whether a framework's own lines may be those of another of its name, which this log does not
  /// tell apart.
  bool shares_lines(const FrameworkScene& framework) const;

 private:
  void restart();
};

}  // namespace proffer::study::why
