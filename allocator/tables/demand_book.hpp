// The demand of a framework per kind, as it declares it. A kind that was never declared is unbounded.
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
  /// Takes over a demand; kinds that it does not name stay as they are, and so does the size of a task unless
  /// it names `cpus`. A demand above 0 ends the suppression
  /// of that kind.
  void declare(const Demand& demand);
  /// Suppresses these kinds; none: all kinds. revive() likewise.
  void suppress(const std::vector<Kind>& kinds);
  void revive(const std::vector<Kind>& kinds);

  /// Returns the demand that counts: kUnbounded if it was never declared, 0 while the kind is suppressed.
  std::int64_t effective(Kind kind) const;
  /// Returns the bulk resources that one of its tasks takes, the most of each kind; empty: it did not say.
  const Resources& task_size() const { return task_size_; }
  /// Returns the least of each kind that one takes.
  const Resources& least_size() const { return least_size_; }
  bool all_suppressed() const { return all_suppressed_; }
  /// Returns the demand as declared, whatever is suppressed.
  const std::map<Kind, std::int64_t>& declared() const { return declared_; }
  /// Returns the number of declared kinds after `demand`.
  std::size_t kinds_with(const Demand& demand) const;

 private:
  std::map<Kind, std::int64_t> declared_;
  Resources task_size_;
  Resources least_size_;
  bool all_suppressed_ = false;
  std::set<Kind> exempt_;      // revived since all were suppressed
  std::set<Kind> suppressed_;  // one by one
};

}  // namespace proffer::allocator
