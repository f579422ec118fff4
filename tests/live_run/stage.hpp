// The test language of the executor: an executor with folders of its own, runs of shell commands, and waits
// for what comes of them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "proffer/live/executor.hpp"

namespace proffer::live::run_test {

/// Below the system's folder for temporary files; deleted with all that is in it.
class Folder {
 public:
  Folder();
  ~Folder();
  std::string path(const std::string& below = "") const {
    return below.empty() ? root_ : root_ + "/" + below;
  }

 private:
  std::string root_;
};

/// Empty when there is no such file.
std::string contents(const std::string& path);
bool exists(const std::string& path);
/// Returns whether there is such a process, zombies not counted.
bool lives(pid_t pid);
/// Looks again and again until `holds`, 20 s at most.
bool eventually(const std::function<bool()>& holds);

ExecutorConfig config_in(const Folder& folder);
/// Returns the processes that are started with that line (NAME=VALUE) in their environment.
std::vector<pid_t> marked(const std::string& line);
/// Returns the process that listens at launcher.sock of that folder; -1: nobody does.
pid_t launcher_in(const std::string& folder);
/// Sends a signal to one process. The test fails, and nothing is sent, where `pid` is not that of one: kill(2)
/// takes -1, which stands for "none" elsewhere, for every process there is.
void send_signal(pid_t pid, int signal);
/// Returns the shim of a run, which is the parent of its task.
pid_t parent_of(pid_t pid);
StartRun command(std::uint64_t n, std::vector<std::string> argv, Environment env = {});
inline StartRun shell(std::uint64_t n, const std::string& script, Environment env = {}) {
  return command(n, {"sh", "-c", script}, std::move(env));
}

class Stage {
 public:
  explicit Stage(const std::function<void(ExecutorConfig&)>& change = [](ExecutorConfig&) {});
  ~Stage();  ///< ends all runs; the test fails when launcher or shims had something to complain about

  void start(const StartRun& run) { executor_->carry_out(run); }
  /// Starts `script` as run n, task "t<n>" of framework "fw".
  void sh(std::uint64_t n, const std::string& script, Environment env = {}) {
    start(shell(n, script, std::move(env)));
  }
  void signal(std::uint64_t n, RunSignal signal) { executor_->carry_out(SignalRun{{1, n}, signal}); }
  void deliver(std::uint64_t n, const std::string& bytes) {
    executor_->carry_out(DeliverToRun{{1, n}, bytes});
  }

  /// Returns how run n ended; waits for it, and fails the test when it does not end.
  RunExited exit_of(std::uint64_t n);
  /// Waits until run n has started, and returns what it wrote to stdout by then and up to its first newline.
  std::string first_line_of(std::uint64_t n);
  /// Returns what a probe finds; empty: nothing amiss.
  std::string probe();
  bool wait_until(const std::function<bool()>& holds);
  std::vector<std::string> said_by(std::uint64_t n) const;
  bool has(const std::function<bool(const Event&)>& kind) const {
    return std::any_of(events_.begin(), events_.end(), kind);
  }
  bool started(std::uint64_t n) const;
  bool ended(std::uint64_t n) const { return exits_.contains(n); }

  std::string sandbox(std::uint64_t n) const {
    return folder_.path("sandboxes/fw.00000000/t" + std::to_string(n));
  }
  std::string out(std::uint64_t n) const { return contents(sandbox(n) + "/stdout"); }
  std::string err(std::uint64_t n) const { return contents(sandbox(n) + "/stderr"); }
  const Folder& folder() const { return folder_; }
  Executor& executor() { return *executor_; }
  /// Ends the executor, as the end of its agent would.
  void close() { executor_.reset(); }
  /// Starts the next one in the same folder, which has heard of nothing.
  void open();
  void reopen() {
    close();
    open();
  }
  /// Returns the list with which an executor begins; waits for it.
  RunsListed listed();
  const ExecutorConfig& config() const { return config_; }
  pid_t launcher() const { return launcher_in(folder_.path()); }

 private:
  void take();

  Folder folder_;
  ExecutorConfig config_;
  std::unique_ptr<Executor> executor_;
  std::vector<Event> events_;
  std::map<std::uint64_t, RunExited> exits_;
  std::vector<std::string> probed_;
};

}  // namespace proffer::live::run_test
