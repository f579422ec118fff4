// A real cluster whose daemons a test stops, kills, pauses and starts again, each by itself.
#pragma once

#include <signal.h>

#include <deque>
#include <string>
#include <vector>

#include "cluster.hpp"

namespace proffer::testing {

/// A daemon of the cluster, in a folder of its own, which is started again with the same addresses.
class Daemon {
 public:
  Daemon(std::vector<std::string> words, std::string log)
      : words_(std::move(words)), log_(std::move(log)), child_(begin()) {}

  /// Returns what its line of readiness says for a key, as in "endpoint=tcp://...".
  std::string value(const std::string& key) const;
  /// Gives a flag another value for the starts to come.
  void set(const std::string& flag, const std::string& value);
  void signal(int number) const { child_.signal(number); }
  /// Sends a signal that ends it, and waits for the end, which SIGTERM brings about with exit code 0.
  void end_by(int number);
  /// Starts it again after its end; returns when it is ready.
  void start() { child_ = begin(); }

 private:
  live::Child begin();

  std::vector<std::string> words_;
  std::string log_;
  std::string ready_;
  live::Child child_;
};

/// An allocator, a catalog, and agents n1, n2, ..., which leave their tasks running when they are stopped.
/// Launchers and tasks that are left end with the object.
class Daemons {
 public:
  /// Returns once all agents are up. `slots`: of each agent, "map=2,reduce=1".
  Daemons(int agents, const std::string& slots);
  ~Daemons();
  Daemons(const Daemons&) = delete;
  Daemons& operator=(const Daemons&) = delete;

  Daemon& catalog() { return catalog_; }
  Daemon& allocator() { return allocator_; }
  std::deque<Daemon>& agents() { return agents_; }
  const Folder& folder() const { return folder_; }
  /// The work_dir of an agent, by name.
  std::string dir(const std::string& name) const { return folder_.path() + "/" + name; }
  /// `proffer WORDS…` with the cluster's address, run to its end, or only started.
  Ran command(std::vector<std::string> words) const;
  live::Child begin(std::vector<std::string> words, const std::string& log) const;
  /// Returns what `proffer status` says, as JSON; empty when it says nothing.
  std::string status() const { return command({"status", "-o", "json"}).out; }
  /// Returns how many slots of a kind the frameworks of that name use together; -1 when there is none.
  int used(const std::string& framework, const std::string& kind) const;
  /// Returns whether all agents are in reach, of the allocator that runs now.
  bool whole() const;

 private:
  std::string make_dir(const std::string& name) const;
  std::vector<std::string> with_address(std::vector<std::string> words) const;

  Folder folder_;
  Daemon catalog_;
  Daemon allocator_;
  std::string endpoint_;
  std::deque<Daemon> agents_;
};

}  // namespace proffer::testing
