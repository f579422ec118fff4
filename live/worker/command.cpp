#include "live/worker/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "live/os/io_error.hpp"
#include "live/os/spawning.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kReadBytes = 256 << 10;
constexpr int kPipeBytes = 1 << 20;

Result<Pipe> make_pipe() {
  auto pipe = Pipe::make("cannot make a pipe");
  if (pipe)
    ::fcntl(pipe->write.get(), F_SETPIPE_SZ, kPipeBytes);  // fewer turns; a smaller one will do as well
  return pipe;
}

std::vector<std::string> assignments(const Environment& env) {
  std::vector<std::string> all;
  for (const auto& [name, value] : env) all.push_back(name + "=" + value);
  return all;
}

/// Returns 0, or an errno.
int spawn_shell(const std::string& text, const Environment& env, const Pipe& in, const Pipe& out,
                const Pipe& err, pid_t& pid) {
  SpawnActions files;
  files.give(in.read, 0);
  files.give(out.write, 1);
  files.give(err.write, 2);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t usual;
  ::sigemptyset(&usual);
  ::sigaddset(&usual, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const std::vector<std::string> words{"sh", "-c", text};
  const auto variables = assignments(env);
  const int error = ::posix_spawn(&pid, "/bin/sh", files.get(), &attributes, spawn_words(words).data(),
                                  spawn_words(variables).data());
  ::posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

Result<std::unique_ptr<Command>> Command::start(const std::string& text, const Environment& env,
                                                Sinks sinks) {
  std::array<Pipe, 3> pipes;
  for (auto& pipe : pipes) {
    auto made = make_pipe();
    if (!made) return made.error();
    pipe = std::move(*made);
  }
  auto& [in, out, err] = pipes;
  std::unique_ptr<Command> command(new Command(std::move(sinks)));
  const int error = spawn_shell(text, env, in, out, err, command->pid_);
  if (error != 0) return io_error("cannot start a shell", error);
  command->in_ = std::move(in.write);
  command->out_ = std::move(out.read);
  command->err_ = std::move(err.read);
  ::fcntl(command->in_.get(), F_SETFL, O_NONBLOCK);
  command->buffer_.resize(kReadBytes);
  return command;
}

Command::~Command() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  wait_for_end(pid_);
}

Result<> Command::feed(std::string_view bytes) {
  while (!bytes.empty() && wants_input()) {
    if (auto turned = turn(bytes); !turned) return turned;
  }
  return {};
}

Result<ExitStatus> Command::finish() {
  in_.reset();
  std::string_view nothing;
  while (out_.open() || err_.open()) {
    if (auto turned = turn(nothing); !turned) return turned.error();
  }
  const auto status = wait_for_end(pid_);
  if (!status) return io_error("cannot wait for a command");
  pid_ = -1;
  return exit_status(*status);
}

/// Waits until something can be done, and does it.
Result<> Command::turn(std::string_view& bytes) {
  // Closed ones are -1, which poll passes over.
  std::array<pollfd, 3> polled{pollfd{bytes.empty() ? -1 : in_.get(), POLLOUT, 0},
                               pollfd{out_.get(), POLLIN, 0}, pollfd{err_.get(), POLLIN, 0}};
  if (::poll(polled.data(), polled.size(), -1) < 0) {
    return errno == EINTR ? Result<>() : io_error("cannot wait for a command");
  }
  if (polled[2].revents != 0) {
    if (auto drained = drain(err_, false); !drained) return drained;
  }
  if (polled[1].revents != 0) {
    if (auto drained = drain(out_, true); !drained) return drained;
  }
  if (polled[0].revents != 0) write_some(bytes);
  return {};
}

Result<> Command::drain(Descriptor& from, bool is_out) {
  const auto got = ::read(from.get(), buffer_.data(), buffer_.size());
  if (got < 0 && errno == EINTR) return {};
  if (got < 0) return io_error("cannot read what a command writes");
  if (got == 0) {
    from.reset();
    return {};
  }
  const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(got));
  if (is_out) return sinks_.out(bytes);
  sinks_.err(bytes);
  return {};
}

void Command::write_some(std::string_view& bytes) {
  const auto put = ::write(in_.get(), bytes.data(), bytes.size());
  if (put >= 0) {
    bytes.remove_prefix(static_cast<std::size_t>(put));
  } else if (errno != EAGAIN && errno != EINTR) {
    in_.reset();  // EPIPE: it reads no more
  }
}

std::string describe_exit(const ExitStatus& exit) {
  if (exit.signal == 0) return "exit code " + std::to_string(exit.code);
  return "signal " + std::to_string(exit.signal) + " (" + ::strsignal(exit.signal) + ")";
}

int shell_code(const ExitStatus& exit) { return exit.signal != 0 ? 128 + exit.signal : exit.code; }

}  // namespace proffer::live
