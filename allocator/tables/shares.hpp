// The share tree as the allocator uses it, and the frameworks that became hungry: one that wants more than it
// uses again must be shown the idle slots.
//
// Invariant: a framework's `used` in the tree is the sum of its tasks and offers on slots that count.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "allocator/tables/brought.hpp"
#include "allocator/tables/indices.hpp"
#include "proffer/resources.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::allocator {

class Shares {
 public:
  using Hungry = std::set<std::pair<Kind, FrameworkIndex>>;

  explicit Shares(ShareBy by) : tree_(by) {}

  ShareTree& tree() { return tree_; }
  const ShareTree& tree() const { return tree_; }

  FrameworkIndex add(const std::string& pool, const std::string& name, const std::string& user,
                     Priority priority);
  void remove(FrameworkIndex framework);
  void reserve(FrameworkIndex framework, Kind kind, std::int64_t units);
  void give_back(FrameworkIndex framework, Kind kind, std::int64_t units);
  void reserve(FrameworkIndex framework, const Resources& resources);
  void give_back(FrameworkIndex framework, const Resources& resources);
  void set_demand(FrameworkIndex framework, Kind kind, std::int64_t units);
  /// Sets the part of `used` that its tasks take. The demand that counts is not below that.
  void set_running(FrameworkIndex framework, Kind kind, std::int64_t units) {
    tree_.set_running(framework, kind, units);
  }
  bool wants(FrameworkIndex framework, Kind kind) const { return tree_.wants(framework, kind); }

  /// Returns the kinds of slots of the cluster, in order of appearance. None is ever forgotten.
  const std::vector<Kind>& kinds() const { return kinds_; }
  bool knows(Kind kind) const;
  /// Adds a kind that no agent had so far, and the connection of the agent that brings it.
  void add_kind(Kind kind, PeerId brought_by);
  /// Returns the number of kinds that came through that connection.
  std::size_t kinds_brought_by(PeerId peer) const { return kinds_brought_.by(peer); }
  void add_capacity(const Resources& slots);
  void remove_capacity(const Resources& slots);

  /// Has the framework shown the idle slots by the next pass, even if it wanted more all the time.
  void note_hungry(FrameworkIndex framework, Kind kind);
  bool any_hungry() const { return !hungry_.empty(); }
  /// Returns the frameworks that became hungry since the last call.
  Hungry pop_hungry() { return std::exchange(hungry_, {}); }

  /// Has the idle slots shown to frameworks that were admitted since: they waited for a place
  /// (ShareTree::waits).
  void show_admitted();

 private:
  ShareTree tree_;
  std::vector<Kind> kinds_;
  Brought kinds_brought_;
  Hungry hungry_;
  std::uint64_t submitted_ = 0;
};

}  // namespace proffer::allocator
