// What a framework says it could use, per kind. What it never spoke of is unbounded.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "proffer/messages/framework.hpp"
#include "proffer/sharing/share_tree.hpp"

namespace proffer::allocator {

class DemandBook {
 public:
  /// Kinds it does not name stay as they are. A demand above 0 ends the suppression of that kind.
  void declare(const Demand& demand);
  /// None: all kinds.
  void suppress(const std::vector<Kind>& kinds);
  void revive(const std::vector<Kind>& kinds);

  /// kUnbounded for what was never declared; 0 while suppressed.
  std::int64_t effective(Kind kind) const;
  /// As declared, whatever is suppressed.
  const std::map<Kind, std::int64_t>& declared() const { return declared_; }
  /// How many kinds it would have to remember after `demand`.
  std::size_t kinds_with(const Demand& demand) const;

 private:
  std::map<Kind, std::int64_t> declared_;
  bool all_suppressed_ = false;
  std::set<Kind> exempt_;      // revived since all were suppressed
  std::set<Kind> suppressed_;  // one by one
};

}  // namespace proffer::allocator
