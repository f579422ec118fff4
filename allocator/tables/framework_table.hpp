// The frameworks. Invariants: a framework is connected exactly while it has a session, and one that was
// removed stays only until the last of its tasks has ended.
#pragma once

#include <boost/container/flat_set.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "allocator/tables/accept_log.hpp"
#include "allocator/tables/brought.hpp"
#include "allocator/tables/contact.hpp"
#include "allocator/tables/demand_book.hpp"
#include "allocator/tables/ended_tasks.hpp"
#include "allocator/tables/framework_counts.hpp"
#include "allocator/tables/indices.hpp"
#include "allocator/tables/reconcile_budget.hpp"
#include "proffer/pool.hpp"

namespace proffer::allocator {

/// The place of a framework among the pools. Invariant: `eligibility` is the class of `pool`.
struct Placement {
  std::string pool;
  std::string asked;  ///< the pool of its SUBSCRIBE; `pool` is another one after an operator moved it
  std::size_t eligibility = 0;  ///< see eligibility.hpp
};

/// The time that a disconnected framework has to come back. Invariant: `give_up_at` is set exactly while the
/// framework is disconnected and not removed.
struct Failover {
  Duration timeout{};
  std::optional<Time> give_up_at;
  bool removed = false;  ///< given up: the record stays until the last task has ended
};

/// The slots that a framework takes, of those that count (AgentRecord::counted).
struct FrameworkSlots {
  Resources running;  ///< taken by its tasks
  Resources dying;    ///< the part of `running` whose tasks are wanted dead and have not ended
  Resources offered;  ///< taken by its offers
};

/// The process that speaks for a framework, and what it may still ask for.
struct Incumbent {
  std::uint64_t epoch = 0;     ///< +1 per SUBSCRIBE
  std::uint64_t instance = 0;  ///< the number that the process has drawn; 0: it has not said
  std::uint64_t revives = 0;   ///< REVIVEs in this session
  ReconcileBudget reconciles;
};

struct FrameworkRecord {
  FrameworkId id;
  Secret secret;
  FrameworkIndex index;
  std::string name;
  std::string user;
  Priority priority = Priority::normal;
  Placement place;
  Contact contact;
  Failover failover;
  Incumbent incumbent;
  DemandBook demand;
  FrameworkSlots slots;
  boost::container::flat_set<std::uint64_t> offers;
  std::unordered_map<std::string, LaunchId> tasks;  ///< keyed by id; iterated only to be sorted
  TaskDigest living;                                ///< the tasks that have not ended
  /// The agents that ran tasks of a job, until the framework releases the job's outputs.
  std::map<JobId, boost::container::flat_set<AgentIndex>> ran_on;
  EndedTasks ended;
  AcceptLog accepts;
  FrameworkCounts counts;
  PeerId brought_by;  ///< the connection of its first SUBSCRIBE

  bool connected() const { return contact.session.has_value(); }
  /// Returns what the framework says that it may be offered and runs, and 0 while it is disconnected.
  std::int64_t wanted(Kind kind) const { return connected() ? demand.effective(kind) : 0; }
  /// Returns its tasks in order of launch.
  std::vector<LaunchId> launches() const;
};

class FrameworkTable {
 public:
  /// Adds a framework. Aborts when the index is taken or the id is known.
  FrameworkRecord& add(FrameworkId id, FrameworkIndex index, PeerId brought_by);
  /// Removes a framework. Aborts while it holds tasks or offers.
  void remove(FrameworkRecord& framework);
  FrameworkRecord* find(FrameworkId id);
  const FrameworkRecord* find(FrameworkId id) const;
  FrameworkRecord* find(FrameworkIndex index);
  bool has(FrameworkIndex index) const {
    return index.value < frameworks_.size() && frameworks_[index.value];
  }
  FrameworkRecord& operator[](FrameworkIndex index);
  const FrameworkRecord& operator[](FrameworkIndex index) const;
  std::size_t size() const { return by_id_.size(); }
  /// Returns the number of known frameworks that came first through that connection.
  std::size_t brought_by(PeerId peer) const { return brought_.by(peer); }
  /// Returns the disconnected framework without tasks that is given up first; null: there is none.
  FrameworkRecord* next_to_forget();
  /// Returns all frameworks in order of their ids.
  const std::map<FrameworkId, FrameworkIndex>& in_order() const { return by_id_; }

  /// Counts a trace for the framework that it is about, if it is one that FrameworkCounts knows.
  void count(const Trace& trace);

  void check_invariants() const;

 private:
  std::vector<std::unique_ptr<FrameworkRecord>> frameworks_;  ///< indexed by FrameworkIndex; null: none
  std::map<FrameworkId, FrameworkIndex> by_id_;
  Brought brought_;
};

}  // namespace proffer::allocator
