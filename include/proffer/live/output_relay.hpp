// Hands on what commands write: fetches it from the data ports of their agents, and writes it to stdout and
// stderr of this process. In a thread of its own, so that neither a slow agent nor a slow reader holds up
// heartbeats; a few pieces of one task's output are in memory at a time.
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
    std::string label;     ///< the task's name in sentences: "task 3 on n02"
    std::string endpoint;  ///< the endpoint of its agent's data port
  };

  /// `token`: the output_token of all tasks.
  OutputRelay(Context& context, std::string token);
  /// Gives up what is under way.
  ~OutputRelay();
  OutputRelay(const OutputRelay&) = delete;
  OutputRelay& operator=(const OutputRelay&) = delete;

  /// Follows a task that runs: what it writes is handed on as it comes. No other task may be followed, or
  /// end, before it.
  void follow(Source source);
  /// Notes that a task has ended. If its output is `kept`, all of it is handed on; then comes the line
  /// `closing`, on stderr. Tasks are dealt with one after another, in the order of these calls.
  void ended(Source source, bool kept, std::string closing);

  /// Readable when take_handed_on() or broken() has something new.
  int event_fd() const;
  /// Returns tasks whose kept output has been handed on, or cannot be had, since the last call.
  std::vector<TaskId> take_handed_on();
  /// Returns why nothing can be written to stdout or stderr any more, after which nothing is handed on; none:
  /// it can.
  std::optional<Error> broken() const;
  /// Waits until all that was called for is done, or a stop is requested.
  void drain(const Stop& stop);
  /// True while stdout and stderr have all that the tasks wrote so far, each byte once. What is missing was
  /// reported on stderr.
  bool whole() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
