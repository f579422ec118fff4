// Delay scheduling with two thresholds and no levels.
#pragma once

#include "frameworks/policies/wait.hpp"

namespace proffer::policies {

/// DSFS (Li & Zhang 2012): a job that has waited less than T1 takes node-local tasks only, less than T2
/// rack-local ones too, and anything afterwards. Both waits are counted from when the job last came to the
/// head: every launch starts them anew, wherever it was, so that there are no levels to stay at. Jobs that
/// compute more than they read (class = cpu) take rack-local tasks at once.
///
/// One class holds for all jobs of the framework, which alone knows its work.
class DsfsPolicy final : public WaitPolicy {
 public:
  explicit DsfsPolicy(Settings& settings);
};

}  // namespace proffer::policies
