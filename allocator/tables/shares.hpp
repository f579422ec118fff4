// The share tree as the allocator uses it, and who became hungry: a framework that wants more than it uses
// again must be shown what stands idle.
//
// Its invariant: a framework's `used` in the tree is what its tasks and offers take of slots that count.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "allocator/tables/indices.hpp"
#include "proffer/resources.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::allocator {

class Shares {
 public:
  using Hungry = std::set<std::pair<Kind, LeafId>>;

  explicit Shares(ShareBy by) : tree_(by) {}

  ShareTree& tree() { return tree_; }
  const ShareTree& tree() const { return tree_; }

  LeafId add(const std::string& pool, const std::string& name, const std::string& user, Priority priority);
  void remove(LeafId leaf);
  void take(LeafId leaf, Kind kind, std::int64_t units);
  void give_back(LeafId leaf, Kind kind, std::int64_t units);
  void take(LeafId leaf, const Resources& resources);
  void give_back(LeafId leaf, const Resources& resources);
  void set_demand(LeafId leaf, Kind kind, std::int64_t units);
  /// Of what it uses; its demand is not below that.
  void set_running(LeafId leaf, Kind kind, std::int64_t units) { tree_.set_running(leaf, kind, units); }
  bool wants(LeafId leaf, Kind kind) const { return tree_.wants(leaf, kind); }

  /// Kinds of the cluster, in order of appearance; never forgotten.
  const std::vector<Kind>& kinds() const { return kinds_; }
  bool knows(Kind kind) const;
  void add_kind(Kind kind) { kinds_.push_back(kind); }
  void add_capacity(const Resources& slots);
  void remove_capacity(const Resources& slots);

  /// To be shown what stands idle, even if it had wanted more all the time.
  void note_hungry(LeafId leaf, Kind kind);
  bool any_hungry() const { return !hungry_.empty(); }
  /// Those who became hungry since the last call.
  Hungry pop_hungry() { return std::exchange(hungry_, {}); }

  /// What stands idle is news to those who waited for a place until now.
  void show_admitted();

 private:
  ShareTree tree_;
  std::vector<Kind> kinds_;
  Hungry hungry_;
  std::uint64_t submitted_ = 0;
};

}  // namespace proffer::allocator
