// The brake on the loss of many agents at once: when most of them fall silent, the allocator rather suspects
// itself or its network, and gives none of them up; and else few are given up at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "proffer/time.hpp"

namespace proffer::allocator {

/// Agents that are not given up yet, and those of them that are silent.
struct Silence {
  std::size_t silent = 0;
  std::size_t known = 0;
};

/// Invariant: it is on from the moment at which more than half of the agents, and more than three, are silent
/// until fewer than 30% are; and kMostInASecond agents are given up within a second at most.
class SilenceBrake {
 public:
  static constexpr int kMostInASecond = 10;

  /// Goes on if most are silent, and off if few are; returns whether it did one of them. To be asked when an
  /// agent has been silent for so long that it would be given up.
  bool judge(Silence silence);
  /// Goes off if few are silent; returns whether it did.
  bool relent(Silence silence);
  bool on() const { return on_; }
  /// Returns the time to ask again, if no agent may be given up now. None: one is.
  std::optional<Time> give_up(Time now);
  /// Returns a sentence for people while the brake is on, and else nothing.
  std::string why(Silence silence) const;

 private:
  bool on_ = false;
  std::optional<Time> second_;  ///< the beginning of the second in which `given_up_` are counted
  int given_up_ = 0;
};

}  // namespace proffer::allocator
