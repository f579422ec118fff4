// The relay of what commands write: fetches their output from the data ports of their agents, and writes it
// to stdout and stderr of this process. The relay has a thread of its own, so that neither a slow agent nor a
// slow reader holds up heartbeats; only a few pieces of one task's output are in memory at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/live/port.hpp"
#include "proffer/live/stop.hpp"

namespace proffer::live {

class OutputRelay {
 public:
  struct Source {
    FrameworkId framework;
    JobId job;
    TaskId task;
    std::string label;     ///< the name in sentences: "task 3 on n02"
    std::string endpoint;  ///< the data port of the task's agent
  };

  /// `token`: the output_token of all tasks.
  OutputRelay(Context& context, std::string token);
  /// Gives up all output under way.
  ~OutputRelay();
  OutputRelay(const OutputRelay&) = delete;
  OutputRelay& operator=(const OutputRelay&) = delete;

  /// Relays the output of a running task as it comes. No other task may be followed, or end, before this task
  /// has ended.
  void follow(Source source);
  /// Notes that a task has ended. If its output is `kept`, all of it is relayed; then comes the line
  /// `closing`, on stderr. Tasks are dealt with one after another, in the order of these calls.
  void ended(Source source, bool kept, std::string closing);

  /// Readable when take_handed_on() or broken() has something new.
  int event_fd() const;
  /// Returns the tasks whose kept output has been relayed, or cannot be had, since the last call.
  std::vector<TaskId> take_handed_on();
  /// The error after which nothing can be written to stdout or stderr, and nothing is relayed, any more.
  std::optional<Error> broken() const;
  /// Waits until everything that was called for is done, or a stop is requested.
  void drain(const Stop& stop);
  /// Returns whether stdout and stderr have, so far, everything that the tasks wrote, each byte once. Missing
  /// output was reported on stderr.
  bool whole() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
