// The event log of one source: traces, one JSON object a line, in a file that is written in large pieces and
// at least each second.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "proffer/live/loop.hpp"
#include "proffer/result.hpp"
#include "proffer/trace.hpp"

namespace proffer::live {

class EventLogWriter final : public LoopPart {
 public:
  /// Appends to the file, which is created where it is missing. `source`: see TraceLine. `io`.
  static Result<std::unique_ptr<EventLogWriter>> open(const std::string& path, std::string source);
  /// Flushes the buffer.
  ~EventLogWriter() override;

  /// Writes a line. While the file cannot be written, which is logged once, lines are dropped; the first line
  /// written after them tells how many (LinesLost).
  void write(const Trace& trace, Time now);
  void flush();

  void want(Wishes& wishes) override { wishes.at(flush_at_); }
  void turn(const Readiness& ready, Time now) override;

 private:
  EventLogWriter(int fd, std::string path, std::string source);
  bool put(std::string& text);
  void add(const Trace& trace, Time now);

  int fd_;
  std::string path_;
  std::string source_;
  std::string torn_;    ///< the rest of a line whose beginning is in the file
  std::string buffer_;  ///< whole lines
  std::uint32_t life_;
  std::uint64_t seq_ = 0;
  std::optional<Time> flush_at_;
  std::uint64_t lost_ = 0;  ///< lines lost since the last one that was written
  std::string why_;         ///< the error of the last write; empty: it succeeded
};

}  // namespace proffer::live
