// A detached job, as the framework of drivers knows it.
//
// Invariant: a job that is out has a task, and one that waits or is over has none that counts.
#pragma once

#include <cstdint>
#include <string>

#include "proffer/messages/admin.hpp"
#include "proffer/time.hpp"
#include "proffer/topology.hpp"

namespace proffer::drivers {

struct DrivenJob {
  enum class Stage : std::uint8_t {
    waiting,  ///< waits for a slot
    out,      ///< the newest driver was launched, and has not ended
    over,
  };

  SubmitJob spec;
  Stage stage = Stage::waiting;
  bool killed = false;       ///< somebody wants it to end; what is started then only ends what is left
  bool ends = false;         ///< the newest driver was started to end what is left
  bool held = false;         ///< over: the agent of its last driver keeps what that has written
  std::uint32_t starts = 0;  ///< drivers that were started
  std::uint32_t deaths = 0;  ///< drivers that died, and that no agent is to blame for
  AgentInfo agent = {};      ///< the agent of its newest driver
  ExitStatus exit = {};      ///< over: how it ended
  std::string text = {};     ///< a sentence for people: why it waits anew, or how it ended

  // Not kept:
  Time not_before = {};  ///< waiting: it is not started before
  AgentId avoids = {};   ///< waiting: the agent that failed it last
  Time avoids_until = {};

  bool over() const { return stage == Stage::over; }
  /// The task of its newest driver; empty before there is one.
  TaskId task() const;
  DetachedJob described(FrameworkId drivers, JobId id) const;
};

/// Judges a job that somebody wants to hand over. What is taken is kept, and launched as it is: its drivers
/// need valid task ids. Its size is the allocator's matter.
Result<> check_spec(const SubmitJob& job);

}  // namespace proffer::drivers
