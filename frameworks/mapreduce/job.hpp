// One job: what was asked, how far it is, and what its tasks have made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frameworks/mapreduce/block_readers.hpp"
#include "frameworks/mapreduce/input_plan.hpp"
#include "frameworks/mapreduce/job_tasks.hpp"
#include "frameworks/mapreduce/retries.hpp"
#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::mapreduce {

/// What a job reads, as far as the catalog has said it.
struct JobInput {
  std::size_t listed = 0;          ///< of the inputs that the job names
  std::vector<MapInput> maps;      ///< one a map
  std::vector<CachedFile> cached;  ///< those of which the blocks are known, in the order of the job's
  BlockReaders readers;            ///< of the maps' blocks, once the job is planned

  /// Whether the cached file that begins with that block is among them.
  bool caches(BlockId file) const;
};

/// How a job stands with its output. Only a claimed output is published, or that of a synthetic job, which
/// has none.
struct JobOutput {
  bool claimed = false;         ///< <output>/_temporary is ours
  bool claim_unsure = false;    ///< the answer to a claim was lost
  bool published = false;       ///< everybody can see it
  bool publish_unsure = false;  ///< the answer to a rename was lost
  std::string publish_error;    ///< why a later rename was refused
};

struct JobTimes {
  Time submitted{};
  std::optional<Time> started;   ///< the first task was launched
  std::optional<Time> finished;  ///< succeeded or failed
};

/// How far a job is with its end.
struct JobEnding {
  std::optional<Time> give_up_at;  ///< from then on a failing job waits for its killed tasks no longer
  bool cleaning = false;           ///< its tasks have ended, or are waited for no longer
};

struct Job {
  Job(JobId id, JobSpec spec);

  JobId id;
  JobSpec spec;  ///< paths as store_path gives them
  JobPhase phase = JobPhase::queued;
  std::string why;  ///< it fails or has failed, in one sentence
  JobTimes times;
  JobInput input;
  Retries retries;
  JobOutput output;
  JobTasks tasks;
  JobCounters counters;  ///< what is counted as it happens; the rest is summed up from the outcomes
  JobEnding ending;

  bool map_only() const { return spec.map_only(); }
  bool ended() const { return phase == JobPhase::succeeded || phase == JobPhase::failed; }
  /// Pairs of old and new names that make the parts of the winners and _SUCCESS visible.
  std::vector<std::pair<std::string, std::string>> renames() const;
  JobProgress progress() const;
  JobReport report() const;
  /// Aborts unless what must always hold does hold.
  void check_invariants() const;
};

}  // namespace proffer::mapreduce
