// The state of a MapReduce framework: its jobs, and one part for each thing that has to hold about all of
// them. No part sees another; the conversations (see turn.hpp) carry what crosses from one to the next.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "frameworks/mapreduce/agent_pace.hpp"
#include "frameworks/mapreduce/backups.hpp"
#include "frameworks/mapreduce/block_uses.hpp"
#include "frameworks/mapreduce/cache_holders.hpp"
#include "frameworks/mapreduce/catalog_talk.hpp"
#include "frameworks/mapreduce/job.hpp"
#include "frameworks/mapreduce/job_line.hpp"
#include "frameworks/mapreduce/job_reporter.hpp"
#include "frameworks/mapreduce/known_agents.hpp"
#include "frameworks/mapreduce/launches.hpp"
#include "frameworks/mapreduce/task_sizes.hpp"
#include "frameworks/pool/offer_replies.hpp"
#include "proffer/frameworks/task_pool.hpp"

namespace proffer::mapreduce {

/// The framework's standing with its cluster.
struct Connection {
  std::optional<FrameworkId> framework;         ///< none before the first session
  std::optional<FrameworkId> former_framework;  ///< the id of a former process, until the first session
  std::string catalog_endpoint;                 ///< empty: the cluster has no catalog
  std::optional<Error> refused;                 ///< the reason for which the allocator refused it for good
  bool stopped = false;                         ///< nothing is done any more
};

struct State {
  State(MapReduceConfig settings, JobObserver* observer);

  const MapReduceConfig config;
  JobReporter reporter;
  std::map<JobId, Job> jobs;
  JobLine line;
  CatalogTalk talk;
  Launches launches;
  Backups backups;
  AgentPace pace;
  KnownAgents agents;
  CacheHolders holders;
  BlockUses uses;
  TaskSizes sizes;  ///< the largest tasks of the jobs in the pool
  TaskPool pool;
  frameworks::OfferReplies replies;
  Connection connection;
  std::map<AgentId, AgentInfo> noted_agents = {};  ///< as the notes about them are

  Kind kind(bool map) const { return map ? config.map_kind : config.reduce_kind; }
  /// Measures the tasks of the jobs in the pool anew: these jobs, or the sizes of their tasks, have changed.
  void measure_tasks();
  /// Aborts unless what must always hold does hold.
  void check_invariants() const;
};

}  // namespace proffer::mapreduce
