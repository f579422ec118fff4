// One job: what was asked, how far it is, and what its tasks have made.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frameworks/mapreduce/block_readers.hpp"
#include "frameworks/mapreduce/early_reduces.hpp"
#include "frameworks/mapreduce/fetch_blame.hpp"
#include "frameworks/mapreduce/input_plan.hpp"
#include "frameworks/mapreduce/task_table.hpp"
#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::mapreduce {

/// What a finished map left at its agent.
struct MapOutcome {
  AgentId agent;
  MapResult result;
};

/// The questions that a job asks the catalog, in the order of its life.
enum class Step {
  check_output,
  list_input,
  list_cached,
  claim_output,
  settle_claim,
  publish,
  verify,  ///< whether a rename whose answer was lost has happened
  clean_up,
};

struct Job {
  Job(JobId id, JobSpec spec);

  JobId id;
  JobSpec spec;  // paths as store_path gives them
  JobPhase phase = JobPhase::queued;
  std::string why;
  Time submitted{};
  bool known = false;  // a callback has seen it
  std::optional<Time> started;
  std::optional<Time> finished;

  // Planning.
  std::size_t inputs_listed = 0;
  std::vector<MapInput> inputs;  // one a map
  std::vector<CachedFile> cached;
  BlockReaders readers;       // of their blocks, once it is planned
  bool claimed = false;       // _temporary is ours
  bool claim_unsure = false;  // a request to claim was lost

  // Catalog requests that failed without an answer.
  std::optional<Time> ask_again_at;
  Step ask_again = Step::check_output;
  std::uint32_t asked_in_vain = 0;
  std::optional<Time> waits_since;  // for a catalog that answers, or for agents that hold its input

  TaskTable maps;
  TaskTable reduces;
  std::map<std::uint32_t, MapOutcome> map_outcomes;
  std::map<std::uint32_t, ReduceResult> reduce_outcomes;
  std::vector<std::uint32_t> ended_maps;  // whose outputs are there, in the order of their ends
  EarlyReduces early;
  Complaints complaints;
  std::vector<SyntheticInput> shuffle;  // of a synthetic job whose maps are done: what each reduce fetches
  std::size_t largest_map_bytes = 0;    // of a task's description
  std::size_t reduce_bytes = 0;
  JobCounters launches;  // what is counted as it happens; the rest is summed up from the outcomes
  std::optional<Time> give_up_waiting;  // for killed tasks

  // Publishing.
  bool publish_unsure = false;  // the answer to a rename was lost
  std::string publish_error;    // why a later rename was refused
  bool published = false;
  bool cleaning = false;

  /// The catalog has said what was wanted.
  void answered() {
    asked_in_vain = 0;
    waits_since.reset();
  }
  bool uses(BlockId file) const;  // a cached one, by its first block
  TaskTable& table(bool map) { return map ? maps : reduces; }
  const TaskTable& table(bool map) const { return map ? maps : reduces; }
  bool map_only() const { return spec.map_only(); }
  bool ended() const { return phase == JobPhase::succeeded || phase == JobPhase::failed; }
  bool tasks_done() const { return maps.all_done() && reduces.all_done(); }
  /// Pairs that make the parts of the winners and _SUCCESS visible.
  std::vector<std::pair<std::string, std::string>> renames() const;
  JobProgress progress() const;
  JobReport report() const;
};

}  // namespace proffer::mapreduce
