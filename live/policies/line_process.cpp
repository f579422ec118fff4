#include "live/policies/line_process.hpp"

#include <fcntl.h>
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

/// Returns whether one of `events` comes to pass at the descriptor within that time, or its end.
bool comes(int fd, short events, Duration within) {
  const auto until = steady_now() + within;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_now()).count();
    pollfd wanted{fd, events, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(std::max<long>(left, 0)));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

Error late(const std::string& what, Duration within) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(within).count();
  return {ErrorCode::timed_out, what + " within " + std::to_string(seconds) + " s"};
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
  ::fcntl(process->in_.get(), F_SETFL, O_NONBLOCK);
  process->out_ = std::move(out->read);
  return process;
}

LineProcess::~LineProcess() {
  if (pid_ <= 1) return;
  in_.reset();
  out_.reset();
  const auto watch = watch_process(pid_);
  if (watch.open()) comes(watch.get(), POLLIN, kFarewell);
  ::kill(-pid_, SIGKILL);  // of its group: the shell may have left others behind
  wait_for_end(pid_);
}

Result<> LineProcess::write(const std::string& lines, Duration within) {
  const auto until = steady_now() + within;
  std::string_view rest = lines;
  while (!write_all(in_.get(), rest)) {
    if (errno == EPIPE) return ended();
    if (errno != EAGAIN) return io_error("it takes nothing");
    if (!comes(in_.get(), POLLOUT, until - steady_now()))
      return late("it did not take what it was told", within);
  }
  return {};
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
    if (!comes(out_.get(), POLLIN, until - steady_now())) return late("it gave no answer", within);
    std::array<char, 4096> bytes{};
    const auto got = ::read(out_.get(), bytes.data(), bytes.size());
    if (got > 0) read_.append(bytes.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return ended();
  }
}

Error LineProcess::ended() {
  const auto watch = watch_process(pid_);
  if (!watch.open() || !comes(watch.get(), POLLIN, kFarewell)) return {ErrorCode::io, "it listens no more"};
  ::kill(-pid_, SIGKILL);  // what it has left behind
  const auto status = wait_for_end(std::exchange(pid_, -1));
  return {ErrorCode::io,
          "it has ended" + (status ? " with " + text_of(exit_status(*status)) : std::string())};
}

}  // namespace proffer::live
