// The recorder: computes the results of a run from its trace lines, live or simulated: rows of jobs, tasks,
// offers and shares, and the measures of docs/MEASURES.md (SEMANTICS §12).
#pragma once

#include <map>
#include <memory>
#include <string>

#include "proffer/study/plan.hpp"
#include "proffer/study/results.hpp"
#include "proffer/study/trace_sink.hpp"

namespace proffer::study {

struct RecorderOptions {
  bool tasks = true;    ///< keep a row a task
  bool offers = false;  ///< keep a row an offer
};

/// Response times on the empty cluster, in seconds, by the job's name; only of jobs for which they are known.
using AloneTimes = std::map<std::string, double>;

class Recorder final : public TraceSink {
 public:
  /// `start`: the time of lines at which the workload begins. `plan` must outlive it.
  Recorder(const Plan& plan, Time start, RecorderOptions options = {});
  ~Recorder() override;

  void line(Time time, std::uint64_t seq, std::string_view source, const Trace& trace) override;
  /// Ends the recording: the run ended `duration` after its start. Must be called once.
  RunResult finish(Duration duration, const AloneTimes& alone = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::study
