// Since when pools have been short of slots. Its invariant: a clock runs exactly while its pool is short and
// refuses nothing; a refusal starts it anew, from the end of the refusal.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "proffer/resources.hpp"
#include "proffer/sharing/share_tree.hpp"
#include "proffer/time.hpp"

namespace proffer::allocator {

/// Short of what: of its min share, or of a part of its fair share.
enum class Shortage : std::uint8_t { of_min_share, of_fair_share };

class StarvationClocks {
 public:
  struct Key {
    ShareNode pool;
    Kind kind;
    Shortage shortage = Shortage::of_min_share;
    auto operator<=>(const Key&) const = default;
  };

  /// Whether it is short now. `patience`: how long it may be.
  void note(const Key& key, bool is_short, Duration patience, Time now);
  /// The pool declined a slot of that kind, or let an offer expire, and refuses more until then; none: until
  /// it revives.
  void refused(ShareNode pool, Kind kind, std::optional<Time> until);
  void revived(ShareNode pool, Kind kind, Time now);
  /// The pool is gone, or what it should have has changed.
  void forget(ShareNode pool);
  /// One that has been short for too long; its clock starts anew, so that it comes up again.
  std::optional<Key> take_due(Time now);
  std::optional<Time> next() const;
  /// It came up, and has been short ever since.
  bool starved(ShareNode pool, Kind kind) const;
  bool empty() const { return clocks_.empty(); }

 private:
  struct Clock {
    std::optional<Time> since;  // perhaps later than now; none: it stands
    Duration patience{};
    bool came_up = false;
  };
  using Pool = std::pair<ShareNode, Kind>;
  std::optional<Time> begin_of(const Key& key, Time now) const;

  std::map<Key, Clock> clocks_;
  std::map<Pool, std::optional<Time>> refusals_;  // until when; also of pools that were not short then
};

}  // namespace proffer::allocator
