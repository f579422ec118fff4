// The inputs of a reduce, which may have been started before all of its job's maps were done: those it was
// started with, then those that it is told of.
#pragma once

#include <cstdint>
#include <optional>

#include "live/worker/instructions.hpp"
#include "live/worker/teller.hpp"

namespace proffer::live {

class Feed {
 public:
  /// `complete`: it was started with all of them.
  Feed(bool complete, Instructions& instructions, Teller& teller)
      : complete_(complete), instructions_(instructions), teller_(teller) {}

  /// The next; none when there are no more. Asks again when nothing comes. `io` when the agent is gone.
  Result<std::optional<MoreInputs>> next();

 private:
  bool complete_;
  std::uint32_t told_ = 0;  // of the list
  Instructions& instructions_;
  Teller& teller_;
};

}  // namespace proffer::live
