// The executor: runs tasks as real processes, through a small launcher process (one an agent) and a shim (one a
// run). Launcher, shims and tasks outlive the executor and its process; the next one in the same folder has them
// again.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/limits.hpp"
#include "proffer/machine.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

struct ExecutorConfig {
  std::string dir;        ///< the agent's own folder: the launcher's socket and the records of runs lie there
  std::uint64_t run = 0;  ///< counts the agent's starts; the launcher serves the latest
  std::string sandboxes_dir;      ///< one folder a run: <framework name>.<digits of its id>/<task id>
  std::string blocks_dir;         ///< the folder in which workers find local replicas
  std::string outputs_dir;        ///< the folder for the output of maps and of commands
  std::string cache_dir;          ///< the folder in which workers keep cached files; empty: none are kept
  std::uint64_t cache_bytes = 0;  ///< largest size of the cached files
  std::string worker_path;        ///< the proffer-worker program
  std::string launcher_path;      ///< the proffer-launcher program
  std::string agent_name;
  bool synthetic_waits = false;  ///< see AgentSettings
  AgentId agent;                 ///< set once known, by set_agent
  std::uint64_t stream_cap_bytes = limits::kOutputBytesPerStream;
  std::size_t keep_sandboxes = 1000;  ///< the oldest finished ones are deleted beyond this
  /// A launcher that has had neither agent nor run for so long ends.
  std::chrono::milliseconds launcher_idle = std::chrono::seconds(60);
};

class Executor {
 public:
  /// Connects to the launcher of the folder, or starts one; must be called while the process has one thread.
  static Result<std::unique_ptr<Executor>> start(ExecutorConfig config);
  ~Executor();  ///< leaves launcher and runs alone

  void set_agent(AgentId agent);
  /// Carries out StartRun, SignalRun, DeliverToRun, DeliverInputs, GrantCompute, Probe, SettleRun; aborts on
  /// other actions.
  void carry_out(const Action& action);
  int event_fd() const;
  /// Returns RunStarted, RunExited, RunSaid, ComputeAsked and Probed since the last call; before all others, and
  /// once, RunsListed.
  std::vector<Event> take_events();
  /// Kills all runs with all that they have started, and ends the launcher. Their ends stay on record. Nothing
  /// can be started afterwards.
  Result<> end_all();

 private:
  Executor();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Kills all runs of an agent that is gone, and ends its launcher: in `dir`, its folder, none is left afterwards.
/// `launcher`: the program.
Result<> end_runs_in(const std::string& dir, const std::string& launcher);

}  // namespace proffer::live
