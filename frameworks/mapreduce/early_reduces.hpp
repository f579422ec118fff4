// The running reduces of a job that were started before all of its maps were done, and how far each has been
// told what to copy. The outputs of a job's maps are a list that only grows, in the order in which maps end;
// when an output is lost, reduces that were to copy it are started again.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "proffer/ids.hpp"

namespace proffer::mapreduce {

class EarlyReduces {
 public:
  struct Reduce {
    AgentId agent;
    bool runs = false;       ///< true once the process listens
    std::uint32_t told = 0;  ///< outputs of the list that it was told of
    bool complete = false;   ///< true once it was told that there is no more
    bool outdated = false;   ///< true once the list has changed after that
  };

  /// Adds an attempt that was launched on that agent. Aborts when it is here.
  void launched(const TaskId& attempt, AgentId agent);
  /// Forgets an attempt that has ended or is given up. No effect for one that was not started early.
  void remove(const TaskId& attempt);
  /// The attempt as it is; none for one that was launched with all its inputs.
  Reduce* find(const TaskId& attempt);
  /// Notes that a reduce was told of the first `up_to` outputs; `complete`: and that there are no more.
  void told(Reduce& reduce, std::uint32_t up_to, bool complete);
  /// Notes that an output was lost. Returns the reduces that still wait for outputs, in order of their ids;
  /// the others are outdated.
  std::vector<TaskId> list_changed();
  /// The reduces that are outdated, in order of their ids.
  std::vector<TaskId> outdated() const;
  /// The reduces that run and wait for outputs, in order of their ids.
  std::vector<TaskId> waiting() const;

  /// The number of reduces on that agent that wait for outputs.
  std::uint32_t copying_on(AgentId agent) const;
  bool empty() const { return reduces_.empty(); }
  void check_invariants() const;

 private:
  void count(const Reduce& reduce, bool more);

  std::map<TaskId, Reduce> reduces_;
  std::map<AgentId, std::uint32_t> copying_;  ///< reduces that wait for outputs; never 0
};

}  // namespace proffer::mapreduce
