// A real cluster for a test, and the proffer command run against it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "proffer/live/local_cluster.hpp"
#include "proffer/live/port.hpp"

namespace proffer::testing {

/// A folder that goes with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  const std::string& path() const { return path_; }
  /// Makes a file in it; returns its path.
  std::string file(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

struct Ran {
  int exit_code = -1;  // 128 + signal when it was killed; -1 when it did not end in time
  std::string out;
  std::string err;
};

/// Runs a program to its end, or for so long.
Ran run_program(const std::vector<std::string>& words, Duration timeout = std::chrono::seconds(60));
/// Runs `proffer WORDS…` to its end, or for so long.
Ran proffer(const std::vector<std::string>& words, Duration timeout = std::chrono::seconds(60));
/// Starts `proffer WORDS…`; its standard error goes to `log`.
live::Child start_proffer(const std::vector<std::string>& words, const std::string& log = "/dev/null");

/// Agents with two map slots and a reduce slot each, or so many slots, in two racks.
class Cluster {
 public:
  /// `toml`: pools and timeouts of the allocator; max_computing of agents; replication of the catalog, which
  /// has an event log where that is on. `drivers`: it takes detached jobs.
  explicit Cluster(int agents, const std::string& toml = "",
                   const Resources& slots = {{Kind("map"), 2}, {Kind("reduce"), 1}}, bool drivers = false);
  /// `proffer WORDS…` with the cluster's address.
  Ran operator()(std::vector<std::string> words) const;
  live::Child start(std::vector<std::string> words, const std::string& log = "/dev/null") const;
  live::LocalCluster& processes() { return *cluster_; }
  const Folder& folder() const { return folder_; }
  /// Running tasks of the framework of that name, as the allocator sees them.
  int running(const std::string& framework) const;

 private:
  Folder folder_;
  std::unique_ptr<live::LocalCluster> cluster_;
};

std::string read_file(const std::string& path);
/// The command lines of processes that work in a folder, or whose command line names it; words end with a
/// space.
std::vector<std::string> processes_of(const std::string& folder);
/// Kills an agent, its launcher and all that it runs at once, as when its host is lost. `folder`: that of the
/// agent.
void lose_host(const std::string& folder);
/// Returns a text of one record a block of so many bytes: its number, and blanks.
std::string numbered_blocks(int records, std::size_t block);
/// The number at a JSON pointer; -1 when there is none.
int json_number(const std::string& json, const std::string& pointer);
/// The text at a JSON pointer; empty when there is none.
std::string json_text(const std::string& json, const std::string& pointer);

/// Looks again and again, until `holds` or so long; whether it held.
template <class Holds>
bool eventually(Holds holds, Duration within) {
  const auto deadline = live::steady_now() + within;
  while (!holds()) {
    if (live::steady_now() >= deadline) return false;
  }
  return true;
}

}  // namespace proffer::testing
