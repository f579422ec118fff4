// A list of MapReduce jobs as a TOML file, for `proffer mr -jobs FILE`:
//
//   [[job]]
//   name = "words"                       # for people
//   input = ["/in/a", "/in/b"]           # or one string
//   output = "/out/words"
//   mapper = "tr -s ' ' '\n'"
//   reducer = "uniq -c"                  # left out or "NONE": the maps' output is the job's
//   combiner = "…"
//   after = ["count", "sort"]            # names of jobs above, or one string: it begins when these have
//                                        # succeeded, and fails with them; without an input it reads what
//                                        # they have written
//   cache_files = "/models/m5#model"     # found as "model" by every task, kept by agents; or a list
//   reduces = 2                          # default 1
//   env = { LANG = "C" }
//   pool = "research"                    # of the pools below; left out: of none
//   user = "ada"                         # where pools have limits for users, or a [[user]] is this one
//   deadline = "10m"                     # within which it is to be done; for pools of order "deadline"
//   priority = "high"                    # of kPriorities; default "normal"
//
//   [[pool]]                             # of these jobs, within their framework
//   name = "research"
//   weight = 2                           # and min_share, order, max_running, max_running_per_user,
//                                        # min_share_timeout (where the framework preempts), user_limit
//
//   [[user]]                             # of whose jobs so many run at a time, over all these pools
//   name = "ada"
//   max_running = 2
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/result.hpp"

namespace proffer {

struct JobList {
  std::vector<JobSpec> jobs;  ///< the jobs in order, without tokens (the world mints them)
  std::vector<PoolSpec> pools;
  std::vector<UserLimit> users;
};

/// Reads a list of jobs from a file. `uppermost`: the order of the uppermost pools. `invalid` with
/// "FILE:LINE:COL: ", what is wrong and what to write: no job, no input, output or mapper, a job that
/// comes after one which does not stand above it, and whatever read_job_pools finds; `not_found` and `io`
/// with the name of the file.
Result<JobList> read_job_list(const std::string& path, PoolOrder uppermost = PoolOrder::fair);

}  // namespace proffer
