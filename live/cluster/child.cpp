// A child process whose standard output is read line by line.
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

#include "live/os/io_error.hpp"
#include "live/os/spawning.hpp"
#include "proffer/live/local_cluster.hpp"
#include "proffer/live/port.hpp"

extern char** environ;  // NOLINT: POSIX says so

namespace proffer::live {
namespace {

/// Milliseconds to `deadline`, rounded up; at least 0.
int remaining_ms(Time deadline) {
  const auto left = deadline - steady_now();
  return static_cast<int>(std::max<std::int64_t>(0, (to_us(left) + 999) / 1000));
}

/// Returns our environment without PROFFER_*: whoever starts a program of ours says by flags what it is to
/// do, and the user's settings are not meant for it.
std::vector<std::string> plain_environment() {
  std::vector<std::string> plain;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("PROFFER_")) plain.emplace_back(*entry);
  }
  return plain;
}

}  // namespace

struct Child::Impl {
  ~Impl();
  std::optional<int> poll_exit();

  pid_t pid = -1;
  Descriptor out;
  Descriptor in;
  std::string buffer;
  std::optional<int> status;
};

Child::Impl::~Impl() {
  if (pid <= 0 || poll_exit()) return;
  ::kill(pid, SIGKILL);
  wait_for_end(pid);
}

std::optional<int> Child::Impl::poll_exit() {
  int ended = 0;
  if (!status && ::waitpid(pid, &ended, WNOHANG) == pid) status = ended;
  return status;
}

Child::Child(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Child::Child(Child&& other) noexcept = default;
Child& Child::operator=(Child&& other) noexcept = default;
Child::~Child() = default;

Result<Child> Child::start(const std::vector<std::string>& argv, const std::string& log_path, Input input) {
  auto child = std::make_unique<Impl>();
  auto out = Pipe::make("no pipe for " + argv[0]);
  if (!out) return out.error();
  child->out = std::move(out->read);
  Descriptor in;
  SpawnActions actions;
  if (input == Input::none) {
    actions.empty_stdin();
  } else {
    auto pipe = Pipe::make("no pipe for " + argv[0]);
    if (!pipe) return pipe.error();
    in = std::move(pipe->read);
    child->in = std::move(pipe->write);
    actions.give(in, 0);
  }
  actions.give(out->write, 1);
  if (!log_path.empty()) actions.append_to(log_path, 2);
  const SpawnAttributes attributes;
  const auto environment = plain_environment();
  const int failed = ::posix_spawnp(&child->pid, argv[0].c_str(), actions.get(), attributes.get(),
                                    spawn_words(argv).data(), spawn_words(environment).data());
  if (failed == 0) return Child(std::move(child));
  child->pid = -1;
  return io_error("cannot start " + argv[0], failed);
}

pid_t Child::pid() const { return impl_->pid; }
int Child::output_fd() const { return impl_->out.get(); }
void Child::close_input() { impl_->in.reset(); }

Result<> Child::write_line(const std::string& line) {
  const auto text = line + "\n";
  std::string_view rest = text;
  if (!write_all(impl_->in.get(), rest)) return io_error("it takes no input");
  return {};
}

Result<std::string> Child::read_line(Duration timeout) {
  const auto deadline = steady_now() + timeout;
  auto& buffer = impl_->buffer;
  while (true) {
    if (const auto end = buffer.find('\n'); end != std::string::npos) {
      auto line = buffer.substr(0, end);
      buffer.erase(0, end + 1);
      return line;
    }
    pollfd wanted{impl_->out.get(), POLLIN, 0};
    const int ready = ::poll(&wanted, 1, remaining_ms(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return Error{ErrorCode::timed_out, "it said nothing in time"};
    std::array<char, 4096> chunk{};
    const auto n = ::read(impl_->out.get(), chunk.data(), chunk.size());
    if (n <= 0) return Error{ErrorCode::io, "it ended before it was ready"};
    buffer.append(chunk.data(), static_cast<std::size_t>(n));
  }
}

void Child::signal(int number) const {
  if (!impl_->status) ::kill(impl_->pid, number);
}

std::optional<int> Child::poll_exit() { return impl_->poll_exit(); }

std::optional<int> Child::wait_exit(Duration timeout) {
  if (poll_exit()) return impl_->status;
  const auto process = watch_process(impl_->pid);
  if (!process.open()) return poll_exit();
  const auto deadline = steady_now() + timeout;
  pollfd wanted{process.get(), POLLIN, 0};
  while (::poll(&wanted, 1, remaining_ms(deadline)) < 0 && errno == EINTR) {
  }
  return poll_exit();
}

}  // namespace proffer::live
