// Since when pools, of frameworks or of jobs, have been short of slots. Its invariant: a clock runs exactly
// while its pool is short and nobody in it who wants a slot refuses any; the end of such a refusal starts it
// anew.
//
// Refusals are kept by leaf (a framework, or a job): what one refuses says nothing of its siblings, nor does
// its REVIVE.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "proffer/resources.hpp"
#include "proffer/sharing/share_tree.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// Short of what: of its min share, or of a part of its fair share.
enum class Shortage : std::uint8_t { of_min_share, of_fair_share };

/// What a pool of these numbers should have at least, or 0 when it is not short: its min share, as far as it
/// can use that and it can be kept; or its fair share, when it uses less than `threshold_milli` thousandths
/// of it.
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
  /// Of a refusal; none: not before the framework revives.
  using End = std::optional<Time>;

  /// The pool is short now. `patience`: how long it may be. `refused`: until when somebody in it refuses
  /// slots, or has refused them.
  void run(const Key& key, Duration patience, End refused, Time now);
  /// It is not.
  void stop(const Key& key) { clocks_.erase(key); }

  /// The leaf declined a slot of that kind, or let an offer expire, and refuses more until then.
  void refused(LeafId leaf, Kind kind, End until);
  void revived(LeafId leaf, Kind kind, Time now);
  /// All leaves' are.
  void revived(Kind kind, Time now);
  /// It is gone, or comes back as if it had refused nothing.
  void forget(LeafId leaf);
  /// The latest end of a refusal of those leaves for which `counts` holds; Time::min() where there is
  /// none.
  End refused_until(Kind kind, const std::function<bool(LeafId)>& counts) const;
  /// Refusals whose time is over matter to clocks that run only.
  void drop_past(Time now);

  /// Somebody in it has just refused a slot, until then: it is not starved any more, and nothing is due for
  /// it before it is looked at again.
  void set_back(ShareNode pool, Kind kind, End until);
  /// The pool is gone, or what it should have has changed.
  void forget(ShareNode pool);
  /// One that has been short for too long; its clock starts anew, so that it comes up again.
  std::optional<Key> pop_due(Time now);
  std::optional<Time> next() const;
  /// It came up, and has been short ever since.
  bool starved(ShareNode pool, Kind kind) const;
  bool empty() const { return clocks_.empty(); }

 private:
  struct Clock {
    Time since;  // that it is short, or came up
    End runs;    // perhaps from later than now; none: it stands
    Duration patience{};
    bool came_up = false;
  };

  std::map<Key, Clock> clocks_;
  std::map<std::pair<Kind, LeafId>, End> refusals_;
};

}  // namespace proffer
