// A shell command between its input and its output: fed piece by piece, while all that it writes is taken.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "live/os/descriptor.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/result.hpp"
#include "proffer/task_state.hpp"

namespace proffer::live {

/// A running command. One thread does all: while bytes wait for the command to read them, its output is
/// drained, so neither side ever waits for the other.
class Command {
 public:
  struct Sinks {
    std::function<Result<>(std::string_view)> out;  ///< the sink's first error ends the command
    std::function<void(std::string_view)> err;
  };
  /// Starts `sh -c text`, in this process's folder and group, with these variables and no others. The process
  /// must ignore SIGPIPE; the command gets it back as usual.
  static Result<std::unique_ptr<Command>> start(const std::string& text, const Environment& env, Sinks sinks);
  ~Command();  ///< kills the shell, if it still runs

  /// True while the command reads. One that has closed its input is no error: it has seen enough.
  bool wants_input() const { return in_.open(); }
  /// Returns when the command has taken all bytes (or wants no more).
  Result<> feed(std::string_view bytes);
  /// Ends its input, takes the rest of its output, and waits for its end.
  Result<ExitStatus> finish();

 private:
  explicit Command(Sinks sinks) : sinks_(std::move(sinks)) {}
  Result<> turn(std::string_view& bytes);
  Result<> drain(Descriptor& from, bool is_out);
  void write_some(std::string_view& bytes);

  Sinks sinks_;
  pid_t pid_ = -1;
  Descriptor in_;
  Descriptor out_;
  Descriptor err_;
  std::string buffer_;
};

/// Returns "exit code 3", "signal 11 (Segmentation fault)".
std::string describe_exit(const ExitStatus& exit);
/// Returns the code with which a shell would report it: 128 + the number of a signal.
int shell_code(const ExitStatus& exit);

}  // namespace proffer::live
