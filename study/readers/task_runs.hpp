// Jobs of which a trace tells what happens to their tasks, event by event: Google's cells.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "proffer/result.hpp"
#include "proffer/study/trace_readers.hpp"
#include "study/readers/assembly.hpp"

namespace proffer::study {

class TaskRuns {
 public:
  enum class Event : std::uint8_t { submitted, began, ended, other };

  /// Takes an event of a job as a whole. `time`: microseconds, 0 for what was so before the trace.
  void of_job(TracePlace place, std::uint64_t job, Event event, std::uint64_t time, std::string_view user);
  /// Takes an event of one of its tasks.
  void of_task(TracePlace place, std::uint64_t job, std::uint64_t task, Event event, std::uint64_t time,
               std::string_view user);
  /// Makes a job of each that has a task whose last run the trace tells from its begin to its end.
  Result<TraceRead> finish(std::string_view file) &&;

 private:
  struct Task {
    std::optional<std::uint64_t> began;  ///< of the run under way
    std::optional<std::uint64_t> ran;    ///< microseconds of the last run
    std::uint32_t runs = 0;
  };
  struct Job {
    TracePlace place;
    std::string user;
    std::optional<std::uint64_t> submitted;
    std::uint64_t seen = 0;  ///< first event
    std::map<std::uint64_t, Task> tasks;
  };
  Job& job_at(TracePlace place, std::uint64_t job, std::uint64_t time, std::string_view user);

  std::map<std::uint64_t, Job> jobs_;
};

}  // namespace proffer::study
