// The demand that a scheduler has declared, and which kinds it has suppressed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "proffer/messages/framework.hpp"
#include "proffer/time.hpp"

namespace proffer {

class DemandTable {
 public:
  void set(Kind kind, std::int64_t units, Time now);
  /// Empty: all kinds.
  void suppress(const std::vector<Kind>& kinds);
  void revive(const std::vector<Kind>& kinds);
  /// As it goes into a message; a suppressed kind counts as 0. Whoever asks sends it, so news is news no
  /// more.
  Demand to_send();
  /// Whether it has risen (or a kind was declared for the first time) since to_send().
  bool has_risen() const { return risen_; }
  /// When it has fallen since to_send(), by when the allocator must hear of it: what a framework seems to
  /// want is kept from others. Answers to offers mostly tell it earlier.
  std::optional<Time> tell_by() const { return tell_by_; }

 private:
  std::map<Kind, std::int64_t> units_;
  std::set<Kind> suppressed_;
  bool risen_ = false;
  std::optional<Time> tell_by_;
};

}  // namespace proffer
