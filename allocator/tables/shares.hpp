// The share tree as the allocator uses it, and who became hungry: a framework that wants more than it uses
// again must be shown what stands idle.
//
// Its invariant: a framework's `used` in the tree is what its tasks and offers take of slots that count.
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
  void take(FrameworkIndex framework, Kind kind, std::int64_t units);
  void give_back(FrameworkIndex framework, Kind kind, std::int64_t units);
  void take(FrameworkIndex framework, const Resources& resources);
  void give_back(FrameworkIndex framework, const Resources& resources);
  void set_demand(FrameworkIndex framework, Kind kind, std::int64_t units);
  /// Of what it uses; its demand is not below that.
  void set_running(FrameworkIndex framework, Kind kind, std::int64_t units) {
    tree_.set_running(framework, kind, units);
  }
  bool wants(FrameworkIndex framework, Kind kind) const { return tree_.wants(framework, kind); }

  /// Kinds of the cluster, in order of appearance; never forgotten.
  const std::vector<Kind>& kinds() const { return kinds_; }
  bool knows(Kind kind) const;
  /// A kind that no agent had so far, and the connection of the agent that brings it.
  void add_kind(Kind kind, PeerId brought_by);
  /// How many of the kinds came through that connection.
  std::size_t kinds_brought_by(PeerId peer) const { return kinds_brought_.by(peer); }
  void add_capacity(const Resources& slots);
  void remove_capacity(const Resources& slots);

  /// To be shown what stands idle, even if it had wanted more all the time.
  void note_hungry(FrameworkIndex framework, Kind kind);
  bool any_hungry() const { return !hungry_.empty(); }
  /// Those who became hungry since the last call.
  Hungry pop_hungry() { return std::exchange(hungry_, {}); }

  /// What stands idle is news to those who waited for a place until now.
  void show_admitted();

 private:
  ShareTree tree_;
  std::vector<Kind> kinds_;
  Brought kinds_brought_;
  Hungry hungry_;
  std::uint64_t submitted_ = 0;
};

}  // namespace proffer::allocator
