// A loop, which is one thread: it waits for what its parts wait for, then gives each part its turn.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "proffer/live/port.hpp"
#include "proffer/live/stop.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

/// The descriptors, ports and instants that end the next wait.
class PollSet {
 public:
  void add_port(Port& port) { wanted_.push_back({&port, -1}); }
  void add_fd(int fd) { wanted_.push_back({nullptr, fd}); }
  void wake_at(std::optional<Time> when) { earliest_ = earlier(earliest_, when); }

  const std::vector<Poller::Wanted>& wanted() const { return wanted_; }
  std::optional<Time> earliest() const { return earliest_; }

 private:
  std::vector<Poller::Wanted> wanted_;
  std::optional<Time> earliest_;
};

/// The descriptors that are readable now.
class Readiness {
 public:
  Readiness(const Poller& poller, const std::vector<Poller::Wanted>& wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].port == nullptr && poller.ready(i)) fds_.push_back(wanted[i].fd);
    }
  }
  bool fd(int fd) const { return std::find(fds_.begin(), fds_.end(), fd) != fds_.end(); }

 private:
  std::vector<int> fds_;
};

/// A thing that a loop drives.
class LoopPart {
 public:
  virtual ~LoopPart() = default;
  /// Adds all that the part waits for. Called before each wait.
  virtual void prepare(PollSet& polled) = 0;
  /// Called after each wait, in the order in which the parts were added. Must not block.
  virtual void turn(const Readiness& ready, Time now) = 0;
};

/// Drives its parts, in the thread that calls run().
class Loop {
 public:
  /// `part` must outlive the loop's last turn.
  void add(LoopPart& part) { parts_.push_back(&part); }
  /// Turns until a part has called leave() or fail(), or `stop` is requested. The error is that of fail().
  Result<> run(const Stop* stop = nullptr);
  Result<> run(Stop& stop) { return run(&stop); }
  /// Waits once (at most so long) and gives each part one turn.
  void turn(std::optional<Duration> at_most, const Stop* stop = nullptr);
  void leave() { left_ = true; }
  /// Ends run() with an error; the first error counts.
  void fail(Error error);
  /// Returns the error of turns that were not run()'s, once.
  Result<> take_failure();

 private:
  std::vector<LoopPart*> parts_;
  std::optional<Error> error_;
  bool left_ = false;
};

}  // namespace proffer::live
