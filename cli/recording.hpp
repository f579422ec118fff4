// The recording of a run while it goes on.
#pragma once

#include <cstdint>
#include <fstream>
#include <set>
#include <string>

#include "proffer/result.hpp"
#include "proffer/study/recorder.hpp"

namespace proffer::cli {

/// Passes lines on to a recorder, and writes them as an event log where one is wanted.
class Recording final : public study::TraceSink {
 public:
  /// Starts a recording; arguments as the recorder's. `events`: a file, or empty. `plan` must outlive this
  /// object.
  Recording(const study::Plan& plan, Time start, study::RecorderOptions options, std::string events);

  /// Writes a line to the event log only, before its first other line.
  void note(std::string_view source, const Trace& trace);
  void line(Time time, std::uint64_t seq, std::string_view source, const Trace& trace) override;
  /// Returns `io` when the event log, up to here, could not be written. Worth asking before a long run as
  /// well.
  Result<> check();
  /// The warnings of the allocator and frameworks about settings that cannot be kept, or have no effect.
  const std::set<std::string>& warnings() const { return warnings_; }
  /// Ends the recording; must be called once.
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
