// The processes of some daemons of this machine, each in a folder of its own that is named after it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/formats/config.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class DaemonSet {
 public:
  /// `proffer_path`: the `proffer` program. `dir`: the folder above those of the daemons.
  DaemonSet(std::string proffer_path, std::string dir);
  DaemonSet(const DaemonSet&) = delete;
  DaemonSet& operator=(const DaemonSet&) = delete;
  ~DaemonSet();  ///< does what stop() does, and sends SIGKILL to those that would not end

  /// Starts a daemon ("allocator", "catalog", "agent"), or starts one again that was killed; does not wait
  /// until it is ready. `io` when it cannot be started.
  Result<> start(const std::string& name, const std::string& role, const Config& settings);
  /// Returns the line with which a daemon says that it is ready. `io` when it has ended, with the last line
  /// of its log; `timed_out`.
  Result<std::string> ready_line(const std::string& name);
  bool has(std::string_view name) const;
  /// Sends SIGKILL to a daemon's process alone, which stays away until start().
  void kill_process(std::string_view name);
  /// Sends SIGKILL to a daemon, which stays away until start(). With an agent die its launcher and all that
  /// it runs, as they would with their machine. `io` when something of it cannot be ended.
  Result<> kill(std::string_view name);
  /// Sends a signal to a daemon's process.
  void signal(std::string_view name, int number);
  pid_t pid_of(std::string_view name) const;  ///< -1: there is none
  /// Returns a daemon that has ended by itself, by name; none while all run.
  std::optional<std::string> ended();
  /// Sends SIGTERM to all that run, the newest first; returns when they have ended, or after 5 s. `io` names
  /// the first that failed, whenever that was, or would not end.
  Result<> stop();

 private:
  struct Daemon {
    std::string name;
    std::string role;
    Child child;
  };
  Daemon& at(std::string_view name);
  std::string folder_of(const std::string& name) const { return dir_ + "/" + name; }
  Result<Child> start_process(const std::string& name, const std::string& role, const Config& settings) const;
  Result<> end_runs_of(const Daemon& daemon) const;

  std::string proffer_path_;
  std::string dir_;
  std::vector<Daemon> daemons_;
  std::set<std::string, std::less<>> killed_;  ///< daemons that kill() has ended
  std::set<std::string> starting_;             ///< those started again, whose ready line is not read
};

}  // namespace proffer::live
