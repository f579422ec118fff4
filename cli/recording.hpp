// What is kept of a run while it goes on.
#pragma once

#include <cstdint>
#include <fstream>
#include <set>
#include <string>

#include "proffer/result.hpp"
#include "proffer/study/recorder.hpp"

namespace proffer::cli {

/// Hands lines on to a recorder, and writes them as an event log where one is wanted.
class Recording final : public study::TraceSink {
 public:
  /// As the recorder; `events`: a file, or empty. plan must outlive it.
  Recording(const study::Plan& plan, Time start, study::RecorderOptions options, std::string events);

  /// Only for the event log, before its first line.
  void note(std::string_view source, const Trace& trace);
  void line(Time time, std::uint64_t seq, std::string_view source, const Trace& trace) override;
  /// `io` when the event log, up to here, could not be written. Worth asking before a long run as well.
  Result<> check();
  /// What the allocator and frameworks said of settings that cannot be kept, or do nothing.
  const std::set<std::string>& warnings() const { return warnings_; }
  /// To be called once.
  study::RunResult finish(Duration duration, const study::AloneTimes& alone = {}) {
    return recorder_.finish(duration, alone);
  }

 private:
  study::Recorder recorder_;
  std::string path_;
  std::ofstream out_;
  std::set<std::string> warnings_;
};

}  // namespace proffer::cli
