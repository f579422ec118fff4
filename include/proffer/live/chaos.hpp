// A local cluster whose processes are killed and paused at random while frameworks are at work. What has
// become of their tasks is judged from files that the tasks themselves write: scripts/check_chaos.py.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "proffer/live/stop.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

struct ChaosConfig {
  std::string proffer_path;  ///< the `proffer` program
  std::string dir;           ///< the folder for all that it writes; must be new, or empty
  std::uint64_t seed = 1;
  int agents = 4;
  std::int64_t slots = 4;  ///< slots of each agent
  int frameworks = 4;
  int tasks = 40;  ///< tasks of each batch of a framework; a new batch begins when one has ended
  std::uint64_t kills = 100;
  std::uint64_t pauses = 5;
  Duration pause = std::chrono::seconds(20);
  Duration between = std::chrono::seconds(1);       ///< mean time between two faults
  Duration longest_task = std::chrono::seconds(4);  ///< tasks last for a quarter of it up to this
  Duration calm = std::chrono::minutes(3);          ///< time in which all must end once faults are over
};

struct ChaosOutcome {
  std::map<std::string, std::uint64_t> kills;   ///< SIGKILLs, by role
  std::map<std::string, std::uint64_t> pauses;  ///< SIGSTOPs, by role
  std::uint64_t batches = 0;                    ///< batches that were begun
  std::uint64_t tasks = 0;                      ///< tasks of these batches
  Duration lasted{};
};

/// Runs it; the files in `config.dir` are complete when this returns without an error. `progress` is called
/// with the outcome so far, after each fault. `timed_out`: something had not ended when the calm was over;
/// `io`.
Result<ChaosOutcome> run_chaos(const ChaosConfig& config, Stop& stop,
                               const std::function<void(const ChaosOutcome&)>& progress = {});

}  // namespace proffer::live
