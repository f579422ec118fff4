// Notes that a MapReduce framework keeps for a later process of it: one for each thing that changes by
// itself. None is made unless notes are kept, nor of synthetic jobs.
//
//   framework       the id at the allocator
//   agent/HEX       an agent on which something was launched: reduces fetch from there
//   N/spec          job N as it was submitted; N/plan: how many tasks, of which input
//   N/failing       why it is failing
//   N/map/I         the result of a map that is done; N/reduce/I
//   N/tries/m/I     failed attempts at a map; N/tries/r/I
//   N/early/TASK    a reduce that was launched before all maps were done, and whether it is outdated
//   N/counters      what the job has counted; N/end: how it ended, and then nothing else is kept of it
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "frameworks/mapreduce/turn.hpp"

namespace proffer::mapreduce {

void note_framework(const Turn& turn, FrameworkId framework);
void note_agent(const Turn& turn, const AgentInfo& agent);
void note_spec(const Turn& turn, const Job& job);
void note_plan(const Turn& turn, const Job& job);
void note_failing(const Turn& turn, const Job& job);
/// Notes the result of a map or reduce that is done.
void note_made(const Turn& turn, const Job& job, bool map, std::uint32_t index);
/// Notes that a map is not done after all.
void forget_made(const Turn& turn, const Job& job, std::uint32_t map);
void note_tries(const Turn& turn, const Job& job, bool map, std::uint32_t index);
void note_early(const Turn& turn, const Job& job, const TaskId& reduce, bool outdated);
void forget_early(const Turn& turn, const Job& job, const TaskId& reduce);
void note_counters(const Turn& turn, const Job& job);
/// Notes how a job has ended, and forgets all else about it.
void note_end(const Turn& turn, const Job& job);

/// Returns the plan of a job whose tasks are made: the same for another process that finds the same input.
JobPlan plan_of(const Job& job);

/// The notes about one job.
struct JobNotes {
  std::optional<JobSpec> spec;
  std::optional<EndedJob> end;
  FormerJob former;
};
struct Notes {
  std::optional<FrameworkId> framework;
  std::vector<AgentInfo> agents;
  std::map<JobId, JobNotes> jobs;
};
/// Reads notes. One that cannot be read counts as not there.
Notes read_notes(const std::map<std::string, std::string>& notes);

}  // namespace proffer::mapreduce
