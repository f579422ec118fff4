// A job: what was asked, how far it is, and what its tasks have made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frameworks/mapreduce/block_readers.hpp"
#include "frameworks/mapreduce/former_job.hpp"
#include "frameworks/mapreduce/input_plan.hpp"
#include "frameworks/mapreduce/job_tasks.hpp"
#include "frameworks/mapreduce/retries.hpp"
#include "proffer/frameworks/mapreduce.hpp"

namespace proffer::mapreduce {

/// The input of a job, as far as the catalog has said it.
struct JobInput {
  std::size_t listed = 0;          ///< the number of listed inputs, of those that the job names
  std::vector<MapInput> maps;      ///< the input of each map
  std::vector<CachedFile> cached;  ///< files of which the blocks are known, in the order of the job's
  BlockReaders readers;            ///< readers of the maps' blocks, once the job is planned

  /// True when the file that begins with that block is among the cached ones.
  bool caches(BlockId file) const;
};

/// The output of a job on its way to be published. Only a claimed output is published, or that of a job which
/// has none.
struct JobOutput {
  bool claimed = false;         ///< <output>/_temporary is ours
  bool claim_unsure = false;    ///< the answer to a claim was lost
  bool published = false;       ///< everybody can see it
  bool publish_unsure = false;  ///< the answer to a rename was lost
  std::string publish_error;    ///< the reason for which a later rename was refused
};

struct JobTimes {
  Time submitted{};
  std::optional<Time> started;   ///< the first task was launched
  std::optional<Time> finished;  ///< succeeded or failed
};

/// The end of a job that fails or publishes.
struct JobEnding {
  std::optional<Time> give_up_at;  ///< a failing job waits for its killed tasks until then
  bool cleaning = false;           ///< true once the tasks have ended, or are waited for no longer
};

struct Job {
  Job(JobId id, JobSpec spec);

  JobId id;
  JobSpec spec;                     ///< paths as store_path gives them
  std::vector<JobId> formers = {};  ///< the jobs that it comes after, in the order of the spec
  JobPhase phase = JobPhase::queued;
  std::string why;  ///< the reason for which it fails or has failed, in one sentence
  JobTimes times;
  JobInput input;
  Retries retries;
  JobOutput output;
  JobTasks tasks;
  JobCounters counters;  ///< counted as it happens; the rest is summed up from the outcomes
  JobEnding ending;
  std::optional<FormerJob> former = {};  ///< a job of a former process, until its tasks are made again

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
