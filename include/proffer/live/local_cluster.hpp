// A whole cluster of real processes on this machine, for `proffer dev`, the demo and tests: one allocator,
// one catalog and some agents, on free loopback ports, in a folder of their own. All processes end with the
// object.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proffer/formats/config.hpp"
#include "proffer/resources.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

/// A child process with its standard output readable line by line.
class Child {
 public:
  enum class Input : std::uint8_t { none, lines };
  /// Starts a program, by a path or a name on PATH. `log_path`: the file for its standard error (appended);
  /// empty: this process's standard error. The child has this process's environment without PROFFER_*.
  /// `input`: whether write_line() will be used.
  static Result<Child> start(const std::vector<std::string>& argv, const std::string& log_path,
                             Input input = Input::none);
  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  ~Child();  ///< sends SIGKILL and reaps, if the child still runs

  pid_t pid() const;
  /// Returns the next line of the child's standard output; `timed_out`, or `io` when it closed it (it has
  /// probably ended).
  Result<std::string> read_line(Duration timeout);
  int output_fd() const;  ///< readable when read_line() may have more
  /// Writes a line to the standard input of the child. `io` when it is gone; SIGPIPE must be harmless here
  /// (Stop::on_signals).
  Result<> write_line(const std::string& line);
  void close_input();  ///< the child sees the end of its input
  void signal(int number) const;
  /// Returns the wait status (as waitpid gives it) once the child has ended.
  std::optional<int> poll_exit();
  std::optional<int> wait_exit(Duration timeout);

 private:
  struct Impl;
  explicit Child(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

class DaemonSet;

struct LocalAgent {
  /// Neither "allocator" nor "catalog": those names are taken by folders beside the agent's.
  std::string name;
  std::string rack;
  Resources slots;
  std::uint32_t max_computing = 0;           ///< see AgentConfig
  std::optional<std::uint64_t> uplink = {};  ///< bytes per second that it sends; none: as the cluster's
};
/// Returns n01, n02, ... in rack1, rack2, ..., as many in each as far as it goes.
std::vector<LocalAgent> even_agents(int agents, int racks, const Resources& slots);

/// A file that the store has from the start. It is all zeros, and takes no room on the disk.
struct StoredFile {
  struct Block {
    std::uint64_t bytes = 0;
    /// The agents that hold a replica, by index; whoever starts agents elsewhere gives them theirs.
    std::vector<std::uint32_t> agents;
  };
  std::string path;
  std::uint32_t replication = 1;
  std::vector<Block> blocks;
};

struct LocalClusterConfig {
  std::string proffer_path;  ///< the `proffer` program
  std::string dir;           ///< the folder for state, logs, sandboxes and blocks; created when missing
  std::vector<LocalAgent> agents;
  std::optional<std::uint64_t> uplink;  ///< of agents that have none of their own; none: as fast as it goes
  bool synthetic_waits = false;         ///< each agent's; see AgentSettings
  std::vector<StoredFile> files;        ///< only into a new folder
  bool all_event_logs = false;          ///< event logs of the catalog and the agents, too
  AllocatorConfig allocator;            ///< pools and timeouts
  ReplicationConfig replication = {};   ///< replication of blocks in demand
  std::string frameworks_endpoint = "tcp://127.0.0.1:0";
  /// The address of this machine at which agents find allocator and catalog. Another than a loopback one is
  /// open to all who reach it.
  std::string address = "127.0.0.1";
  bool drivers = false;   ///< takes detached jobs
  std::string http = {};  ///< HOST:PORT of the allocator's dashboard; empty: there is none
};

class LocalCluster {
 public:
  /// Returns when all agents have registered with allocator and catalog; on failure, returns the error and
  /// ends the started processes.
  static Result<std::unique_ptr<LocalCluster>> start(LocalClusterConfig config);
  ~LocalCluster();  ///< does what stop() does, and sends SIGKILL to those that would not end
  /// Sends SIGTERM to all that run; returns when they have ended, or after 5 s. `io` names the first that
  /// failed, whenever that was, or would not end.
  Result<> stop();

  const std::string& allocator_endpoint() const { return frameworks_endpoint_; }
  const std::string& catalog_endpoint() const { return catalog_endpoint_; }
  const std::string& http() const { return http_; }  ///< HOST:PORT of the dashboard; empty: there is none
  std::string event_log() const;                     ///< the allocator's
  std::vector<std::string> event_logs() const;       ///< all event logs there are, the allocator's first
  static std::string rack_name(int index);           ///< the name of a rack of even_agents()
  /// Sends SIGKILL to a daemon ("allocator", "catalog" or an agent's name), and starts it again at once, with
  /// the same settings at the same address; does not wait until it is ready. `io` when it cannot be started.
  Result<> kill_and_restart(std::string_view daemon);
  /// Sends SIGKILL to a daemon, which stays away until start_again(). With an agent die its launcher and all
  /// that it runs, as they would with their machine. `io` when something of it cannot be ended.
  Result<> kill(std::string_view daemon);
  /// Starts a daemon that was killed, as kill_and_restart() does.
  Result<> start_again(std::string_view daemon);
  /// Sends a signal to a daemon's process.
  void signal(std::string_view daemon, int number);
  const std::string& agent_name(int index) const {
    return config_.agents.at(static_cast<std::size_t>(index)).name;
  }
  /// Returns a daemon of the cluster that has ended by itself, by name; none while all run.
  std::optional<std::string> ended();
  /// Returns the settings of an agent of this cluster, as of one that runs here.
  Config agent_settings(const LocalAgent& agent) const;
  pid_t agent_pid(int index) const;
  pid_t allocator_pid() const;
  pid_t catalog_pid() const;

 private:
  explicit LocalCluster(LocalClusterConfig config);
  Config allocator_settings() const;
  Config catalog_settings() const;
  std::string event_log_of(const std::string& name) const;
  std::string free_port() const;
  Result<> start_allocator();
  Result<> start_catalog();
  Result<> start_agents();

  LocalClusterConfig config_;
  std::string frameworks_endpoint_;
  std::string agents_endpoint_;
  std::string catalog_endpoint_;
  std::string http_;
  std::unique_ptr<DaemonSet> daemons_;
};

}  // namespace proffer::live
