// The actions and the time of one step, as a machine's handlers get them.
#pragma once

#include <utility>

#include "proffer/machine.hpp"

namespace proffer {

/// The part of a turn that is the same for all machines. A machine derives its own `Turn` from it, which adds
/// the machine's state and ways to address its peers. Handlers have no other way to have an effect.
class BaseTurn {
 public:
  BaseTurn(Actions& into, Time at) : now(at), actions_(into) {}

  const Time now;

  /// Actions are carried out in the order of these calls.
  void act(Action action) const { actions_.push_back(std::move(action)); }
  void trace(Trace trace) const { act(Emit{std::move(trace)}); }
  void close(PeerId peer) const { act(ClosePeer{peer}); }

 private:
  Actions& actions_;
};

}  // namespace proffer
