// The executor: runs tasks as real processes, through a small launcher process (one an agent) that spawns,
// watches and reaps them.
#pragma once

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
};

class Executor {
 public:
  /// Starts the launcher; must be called while the process has one thread.
  static Result<std::unique_ptr<Executor>> start(ExecutorConfig config);
  ~Executor();  ///< ends the launcher, which kills what still runs

  void set_agent(AgentId agent);
  /// Carries out StartRun, SignalRun, DeliverToRun, DeliverInputs, GrantCompute, Probe, SettleRun; aborts on
  /// other actions.
  void carry_out(const Action& action);
  int event_fd() const;
  /// Returns RunStarted, RunExited, RunSaid, ComputeAsked and Probed since the last call.
  std::vector<Event> take_events();

 private:
  Executor();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
