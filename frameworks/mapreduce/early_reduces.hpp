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
    bool runs = false;       // it listens
    std::uint32_t told = 0;  // of the list
    bool complete = false;   // it was told that there is no more
    bool outdated = false;   // the list has changed since
  };

  void launched(const TaskId& attempt, AgentId agent);
  /// It has ended, or is given up. One that was launched later is not minded.
  void remove(const TaskId& attempt);
  /// None for one that was launched with all its inputs.
  Reduce* find(const TaskId& attempt);
  void told(Reduce& reduce, std::uint32_t up_to, bool complete);
  /// An output was lost: those that still wait for outputs, in order of their ids. The others are outdated.
  std::vector<TaskId> list_changed();
  /// Those that run and wait for outputs, in order of their ids.
  std::vector<TaskId> waiting() const;

  /// On that agent, of those that wait for outputs.
  std::uint32_t copying_on(AgentId agent) const;
  bool empty() const { return reduces_.empty(); }
  void check_invariants() const;

 private:
  void count(const Reduce& reduce, bool more);

  std::map<TaskId, Reduce> reduces_;
  std::map<AgentId, std::uint32_t> copying_;  // never 0
};

}  // namespace proffer::mapreduce
