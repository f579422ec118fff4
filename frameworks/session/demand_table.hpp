// The demand that a scheduler has declared, and which kinds it has suppressed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "proffer/messages/framework.hpp"
#include "proffer/time.hpp"

namespace proffer::frameworks {

class DemandTable {
 public:
  void set(Kind kind, std::int64_t units, Time now);
  void set_task_size(const Resources& most, const Resources& least);
  /// Counts these kinds as 0 until they are revived, or set anew. Empty: all kinds.
  void suppress(const std::vector<Kind>& kinds);
  void revive(const std::vector<Kind>& kinds);
  /// Returns the kinds that are suppressed, one by one.
  std::vector<Kind> suppressed() const { return {suppressed_.begin(), suppressed_.end()}; }
  /// Returns whether all kinds are suppressed, also those of which nobody has heard yet.
  bool all_suppressed() const { return all_suppressed_; }
  /// Returns the demand as it goes into a message. Its caller sends it, so there is no news of it any more.
  Demand to_send();
  /// Returns whether demand has risen (or a kind was declared for the first time, or tasks have another size)
  /// since to_send().
  bool has_risen() const { return risen_; }
  /// Returns by when the allocator must hear of demand that has fallen since to_send(): what a framework
  /// seems to want is kept from others. Answers to offers mostly tell it earlier. None: it has not fallen.
  std::optional<Time> tell_by() const { return tell_by_; }

 private:
  std::map<Kind, std::int64_t> units_;
  Quantities task_;   ///< as in Demand
  Quantities least_;  ///< likewise
  std::set<Kind> suppressed_;
  bool all_suppressed_ = false;
  bool risen_ = false;
  std::optional<Time> tell_by_;
};

}  // namespace proffer::frameworks
