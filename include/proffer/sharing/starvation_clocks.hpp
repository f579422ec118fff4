// Clocks that tell since when pools, of frameworks or of jobs, have been short of slots. The invariant: a
// clock runs exactly while its pool is short and nobody in it who wants a slot refuses any; the end of such a
// refusal restarts it.
//
// Refusals are kept by leaf (a framework, or a job): a leaf's refusal says nothing about its siblings, nor
// does its REVIVE.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "proffer/resources.hpp"
#include "proffer/sharing/share_tree.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// The share of which a pool is short: its min share, or a part of its fair share.
enum class Shortage : std::uint8_t { of_min_share, of_fair_share };

/// Returns how much a pool of these numbers should have at least, or 0 when it is not short. For
/// `of_min_share`: its min share, as far as the pool can use it and the share can be kept. For
/// `of_fair_share`: its fair share, when it uses less than `threshold_milli` thousandths of it.
std::int64_t shortage_target(const ShareTree::Numbers& numbers, Shortage shortage,
                             std::int64_t threshold_milli);

class StarvationClocks {
 public:
  struct Key {
    ShareNode pool;
    Kind kind;
    Shortage shortage = Shortage::of_min_share;
    auto operator<=>(const Key&) const = default;
  };
  /// The end of a refusal; none: not before the framework revives.
  using End = std::optional<Time>;

  /// Starts or keeps the clock of a pool that is short now. `patience`: how long the pool may be short.
  /// `refused`: the time until which somebody in it refuses slots, or has refused them.
  void run(const Key& key, Duration patience, End refused, Time now);
  /// Stops the clock of a pool that is not short.
  void stop(const Key& key) { clocks_.erase(key); }

  /// Notes that the leaf declined a slot of that kind, or let an offer expire, and refuses more until
  /// `until`.
  void refused(LeafId leaf, Kind kind, End until);
  void revived(LeafId leaf, Kind kind, Time now);
  /// Notes that all leaves revived.
  void revived(Kind kind, Time now);
  /// Forgets the refusals of a leaf that is gone, or that comes back as if it had refused nothing.
  void forget(LeafId leaf);
  /// Returns the latest end of a refusal of those leaves for which `counts` holds; Time::min() where there is
  /// none.
  End refused_until(Kind kind, const std::function<bool(LeafId)>& counts) const;
  /// Drops refusals whose time is over, when there is no clock: they matter only to clocks that already run.
  void drop_past(Time now);

  /// Notes that somebody in the pool has just refused a slot, until `until`: the pool is not starved any
  /// more, and nothing is due for it before it is looked at again.
  void set_back(ShareNode pool, Kind kind, End until);
  /// Forgets the clocks of a pool that is gone, or whose due has changed.
  void forget(ShareNode pool);
  /// Returns a pool that has been short for too long, if any; its clock restarts, so that it comes up again.
  std::optional<Key> pop_due(Time now);
  std::optional<Time> next() const;
  /// Returns whether the pool came up in pop_due(), and has been short ever since.
  bool starved(ShareNode pool, Kind kind) const;
  bool empty() const { return clocks_.empty(); }

 private:
  struct Clock {
    Time since;  ///< begin of the shortage, or the time at which it came up
    End runs;    ///< start of the clock, perhaps in the future; none: the clock stands
    Duration patience{};
    bool came_up = false;
  };

  std::map<Key, Clock> clocks_;
  std::map<std::pair<Kind, LeafId>, End> refusals_;
};

}  // namespace proffer
