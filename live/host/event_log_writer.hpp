// The event log of one source: traces, one JSON object a line, in a file that is written in large pieces and
// at least each second.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "live/host/loop.hpp"
#include "live/os/descriptor.hpp"
#include "proffer/result.hpp"
#include "proffer/trace.hpp"

namespace proffer::live {

class EventLogWriter final : public LoopPart {
 public:
  /// Appends to the file, which is created where it is missing. `source`: see TraceLine. `io`.
  static Result<std::unique_ptr<EventLogWriter>> open(const std::string& path, std::string source);
  /// Flushes the buffer.
  ~EventLogWriter() override;

  /// Drops lines while the file cannot be written, which is logged once; the first line that is written after
  /// them counts them (LinesLost).
  void write(const Trace& trace, Time now);
  void flush();

  void prepare(PollSet& polled) override { polled.wake_at(flush_at_); }
  void turn(const Readiness& ready, Time now) override;

 private:
  EventLogWriter(Descriptor file, std::string path, std::string source);
  bool put(std::string& text);
  void add(const Trace& trace, Time now);

  Descriptor file_;
  std::string path_;
  std::string source_;
  std::string torn_;    // the rest of a line whose beginning is in the file
  std::string buffer_;  // whole lines
  std::uint32_t life_;
  std::uint64_t seq_ = 0;
  std::optional<Time> flush_at_;
  std::uint64_t lost_ = 0;  ///< lines lost since the last one that was written
  std::string why_;         ///< the error of the last write; empty: it succeeded
};

}  // namespace proffer::live
