// One child process, its standard output read line by line.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <utility>

#include "live/host/io_error.hpp"
#include "live/run/spawning.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/live/port.hpp"

extern char** environ;  // NOLINT: POSIX says so

extern "C" {
#include <sys/pidfd.h>
}

namespace proffer::live {
namespace {

/// Milliseconds to `deadline`, rounded up; at least 0.
int remaining_ms(Time deadline) {
  const auto left = deadline - steady_now();
  return static_cast<int>(std::max<std::int64_t>(0, (to_us(left) + 999) / 1000));
}

/// Ours without PROFFER_*: whoever starts a program of ours says by flags what it is to do, and the user's
/// settings are not meant for it.
std::vector<std::string> plain_environment() {
  std::vector<std::string> plain;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("PROFFER_")) plain.emplace_back(*entry);
  }
  return plain;
}

}  // namespace

Result<Child> Child::start(const std::vector<std::string>& argv, const std::string& log_path, Input input) {
  std::array<int, 2> pipe_ends{};
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return io_error("no pipe for " + argv[0]);
  Child child;
  child.out_ = pipe_ends[0];
  const Descriptor out(pipe_ends[1]);
  Descriptor in;
  SpawnActions actions;
  if (input == Input::none) {
    actions.empty_stdin();
  } else {
    if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) return io_error("no pipe for " + argv[0]);
    in = Descriptor(pipe_ends[0]);
    child.in_ = pipe_ends[1];
    actions.give(in, 0);
  }
  actions.give(out, 1);
  if (!log_path.empty()) actions.append_to(log_path, 2);
  const SpawnAttributes attributes;
  const auto environment = plain_environment();
  const int failed = ::posix_spawn(&child.pid_, argv[0].c_str(), actions.get(), attributes.get(),
                                   spawn_words(argv).data(), spawn_words(environment).data());
  if (failed == 0) return child;
  child.pid_ = -1;
  errno = failed;
  return io_error("cannot start " + argv[0]);
}

Child::Child(Child&& other) noexcept { *this = std::move(other); }

Child& Child::operator=(Child&& other) noexcept {
  if (this == &other) return *this;
  end();
  pid_ = std::exchange(other.pid_, -1);
  out_ = std::exchange(other.out_, -1);
  in_ = std::exchange(other.in_, -1);
  buffer_ = std::move(other.buffer_);
  status_ = std::exchange(other.status_, std::nullopt);
  return *this;
}

Child::~Child() { end(); }

void Child::end() {
  if (pid_ > 0 && !poll_exit()) {
    ::kill(pid_, SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (out_ >= 0) ::close(out_);
  close_input();
  pid_ = -1;
  out_ = -1;
}

void Child::close_input() {
  if (in_ >= 0) ::close(in_);
  in_ = -1;
}

Result<> Child::write_line(const std::string& line) {
  const auto text = line + "\n";
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto n = ::write(in_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("it takes no input");
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Result<std::string> Child::read_line(Duration timeout) {
  const auto deadline = steady_now() + timeout;
  while (true) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      auto line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    pollfd wanted{out_, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, remaining_ms(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return Error{ErrorCode::timed_out, "it said nothing in time"};
    std::array<char, 4096> chunk{};
    const auto n = ::read(out_, chunk.data(), chunk.size());
    if (n <= 0) return Error{ErrorCode::io, "it ended before it was ready"};
    buffer_.append(chunk.data(), static_cast<std::size_t>(n));
  }
}

void Child::signal(int number) const {
  if (pid_ > 0 && !status_) ::kill(pid_, number);
}

std::optional<int> Child::poll_exit() {
  if (status_ || pid_ <= 0) return status_;
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
  return status_;
}

std::optional<int> Child::wait_exit(Duration timeout) {
  if (poll_exit() || pid_ <= 0) return status_;
  const int fd = ::pidfd_open(pid_, 0);
  if (fd < 0) return poll_exit();
  const auto deadline = steady_now() + timeout;
  pollfd wanted{fd, POLLIN, 0};
  while (::poll(&wanted, 1, remaining_ms(deadline)) < 0 && errno == EINTR) {
  }
  ::close(fd);
  return poll_exit();
}

}  // namespace proffer::live
