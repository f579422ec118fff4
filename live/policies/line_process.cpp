#include "live/policies/line_process.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <utility>
#include <vector>

#include "live/os/io_error.hpp"
#include "live/os/spawning.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

constexpr Duration kFarewell = std::chrono::seconds(1);

/// Returns whether the descriptor can be read within that time, or has come to its end.
bool readable(int fd, Duration within) {
  const auto until = steady_now() + within;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_now()).count();
    pollfd wanted{fd, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::max<long>(left, 0)));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

std::string text_of(ExitStatus status) {
  return status.signal != 0 ? "signal " + std::to_string(status.signal)
                            : "exit code " + std::to_string(status.code);
}

}  // namespace

Result<std::unique_ptr<LineProcess>> LineProcess::start(const std::string& command) {
  // What the program does not take is an error of write(), and not the end of this one.
  ::signal(SIGPIPE, SIG_IGN);
  auto in = Pipe::make("cannot make a pipe");
  auto out = Pipe::make("cannot make a pipe");
  if (!in) return in.error();
  if (!out) return out.error();
  SpawnActions files;
  files.give(in->read, 0);
  files.give(out->write, 1);
  const SpawnAttributes attributes;
  const std::vector<std::string> words{"sh", "-c", command};
  std::unique_ptr<LineProcess> process(new LineProcess);
  const int error = ::posix_spawn(&process->pid_, "/bin/sh", files.get(), attributes.get(),
                                  spawn_words(words).data(), environ);
  if (error != 0) {
    process->pid_ = -1;
    return io_error("cannot start a shell", error);
  }
  process->in_ = std::move(in->write);
  process->out_ = std::move(out->read);
  return process;
}

LineProcess::~LineProcess() {
  if (pid_ <= 1) return;
  in_.reset();
  out_.reset();
  const auto watch = watch_process(pid_);
  if (watch.open()) readable(watch.get(), kFarewell);
  ::kill(-pid_, SIGKILL);  // of its group: the shell may have left others behind
  wait_for_end(pid_);
}

Result<> LineProcess::write(const std::string& lines) {
  std::string_view rest = lines;
  if (write_all(in_.get(), rest)) return {};
  return errno == EPIPE ? ended() : io_error("it takes nothing");
}

Result<std::string> LineProcess::read(Duration within) {
  const auto until = steady_now() + within;
  std::size_t looked = 0;
  for (;;) {
    if (const auto end = read_.find('\n', looked); end != std::string::npos) {
      auto line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    looked = read_.size();
    if (looked > kLongestLine) return Error{ErrorCode::io, "it says more than fits into one line"};
    if (!readable(out_.get(), until - steady_now())) {
      return Error{ErrorCode::timed_out,
                   "it gave no answer within " +
                       std::to_string(std::chrono::floor<std::chrono::seconds>(within).count()) + " s"};
    }
    std::array<char, 4096> bytes{};
    const auto got = ::read(out_.get(), bytes.data(), bytes.size());
    if (got > 0) read_.append(bytes.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return ended();
  }
}

Error LineProcess::ended() {
  const auto watch = watch_process(pid_);
  if (!watch.open() || !readable(watch.get(), kFarewell)) return {ErrorCode::io, "it listens no more"};
  const auto status = wait_for_end(std::exchange(pid_, -1));
  return {ErrorCode::io,
          "it has ended" + (status ? " with " + text_of(exit_status(*status)) : std::string())};
}

}  // namespace proffer::live
