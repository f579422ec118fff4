// The frameworks. Its invariants: a framework is connected exactly while it has a session, and one that was
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
#include "allocator/tables/demand_book.hpp"
#include "allocator/tables/ended_tasks.hpp"
#include "allocator/tables/indices.hpp"
#include "allocator/tables/session.hpp"
#include "proffer/messages/admin.hpp"
#include "proffer/pool.hpp"

namespace proffer::allocator {

struct FrameworkRecord {
  FrameworkId id;
  Secret secret;
  LeafId leaf;
  std::string name;
  std::string pool;
  std::string asked_pool;  // by its SUBSCRIBE; another one after a move
  std::string user;
  Priority priority = Priority::normal;
  std::size_t eligibility = 0;  // its class
  Duration failover_timeout{};
  std::uint64_t epoch = 0;         // +1 per SUBSCRIBE
  std::optional<Session> session;  // none: it is disconnected
  Time heard;
  std::optional<Time> check_silence_at;
  std::optional<Time> give_up_at;  // while disconnected
  bool removed = false;
  DemandBook demand;
  Resources running;  // what its tasks take of slots that count
  Resources dying;    // of `running`, what is of tasks that somebody has killed and that have not ended
  Resources offered;
  boost::container::flat_set<std::uint64_t> offers;
  std::unordered_map<std::string, LaunchId> tasks;                 // by id; iterated only to be sorted
  std::map<JobId, boost::container::flat_set<AgentIndex>> ran_on;  // until it releases the job's outputs
  EndedTasks ended;
  AcceptLog accepts;
  FrameworkState counts;  // only its counters are kept here
  PeerId brought_by;      // the connection of its first SUBSCRIBE

  bool connected() const { return session.has_value(); }
  /// What it may be offered, and runs, as it says. Nothing while it is disconnected.
  std::int64_t wanted(Kind kind) const { return connected() ? demand.effective(kind) : 0; }
  /// In order of launch.
  std::vector<LaunchId> launches() const;
};

class FrameworkTable {
 public:
  /// Aborts when the leaf is taken or the id is known.
  FrameworkRecord& add(FrameworkId id, LeafId leaf, PeerId brought_by);
  /// Aborts while it holds tasks or offers.
  void remove(FrameworkRecord& framework);
  FrameworkRecord* find(FrameworkId id);
  FrameworkRecord* find(LeafId leaf);
  bool has(LeafId leaf) const { return leaf.value < frameworks_.size() && frameworks_[leaf.value]; }
  FrameworkRecord& operator[](LeafId leaf);
  const FrameworkRecord& operator[](LeafId leaf) const;
  std::size_t size() const { return by_id_.size(); }
  /// How many of the known frameworks came first through that connection.
  std::size_t brought_by(PeerId peer) const { return brought_.by(peer); }
  /// Disconnected and without tasks, and given up before all others of these; null: there is none.
  FrameworkRecord* next_to_forget();
  /// In order of their ids.
  const std::map<FrameworkId, LeafId>& in_order() const { return by_id_; }

  void check_invariants() const;

 private:
  std::vector<std::unique_ptr<FrameworkRecord>> frameworks_;  // by leaf; null: none
  std::map<FrameworkId, LeafId> by_id_;
  Brought brought_;
};

}  // namespace proffer::allocator
