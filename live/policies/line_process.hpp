// A program that reads lines and answers some of them with a line.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "live/os/descriptor.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

/// Its standard error is that of this program. When this object goes, so does the program.
class LineProcess {
 public:
  static constexpr std::size_t kLongestLine = 1 << 20;

  /// Starts what the shell makes of `command`. `io` when nothing can be started.
  static Result<std::unique_ptr<LineProcess>> start(const std::string& command);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  /// Writes lines, each with its end. `timed_out` when the program has not taken them within that time; `io`
  /// when it has ended, with how.
  Result<> write(const std::string& lines, Duration within);
  /// Returns the next line, without its end. `timed_out` when none came within that time; `io` when the
  /// program has ended, with how, or when the line is longer than kLongestLine.
  Result<std::string> read(Duration within);

 private:
  LineProcess() = default;
  Error ended();

  pid_t pid_ = -1;
  Descriptor in_;
  Descriptor out_;
  std::string read_;  // bytes that belong to lines not yet returned
};

}  // namespace proffer::live
