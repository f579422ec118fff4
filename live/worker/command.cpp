#include "live/worker/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "live/host/io_error.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kReadBytes = 256 << 10;
constexpr int kPipeBytes = 1 << 20;

struct Pipe {
  int read = -1;
  int write = -1;
  ~Pipe() {
    if (read >= 0) ::close(read);
    if (write >= 0) ::close(write);
  }
  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    ::fcntl(write, F_SETPIPE_SZ, kPipeBytes);  // fewer turns; a smaller one will do as well
    return true;
  }
};

void close_end(int& fd) {
  if (fd >= 0) ::close(std::exchange(fd, -1));
}

std::vector<std::string> assignments(const Environment& env) {
  std::vector<std::string> all;
  for (const auto& [name, value] : env) all.push_back(name + "=" + value);
  return all;
}

/// 0, or the error number.
int spawn_shell(const std::string& text, const Environment& env, const Pipe& in, const Pipe& out,
                const Pipe& err, pid_t& pid) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, in.read, 0);
  ::posix_spawn_file_actions_adddup2(&files, out.write, 1);
  ::posix_spawn_file_actions_adddup2(&files, err.write, 2);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t usual;
  ::sigemptyset(&usual);
  ::sigaddset(&usual, SIGPIPE);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::array<std::string, 3> words{"sh", "-c", text};
  std::array<char*, 4> argv{words[0].data(), words[1].data(), words[2].data(), nullptr};
  auto variables = assignments(env);
  std::vector<char*> envp;
  for (auto& variable : variables) envp.push_back(variable.data());
  envp.push_back(nullptr);
  const int error = ::posix_spawn(&pid, "/bin/sh", &files, &attributes, argv.data(), envp.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace

Result<std::unique_ptr<Command>> Command::start(const std::string& text, const Environment& env,
                                                Sinks sinks) {
  Pipe in;
  Pipe out;
  Pipe err;
  if (!in.open() || !out.open() || !err.open()) return io_error("cannot make a pipe");
  std::unique_ptr<Command> command(new Command(std::move(sinks)));
  const int error = spawn_shell(text, env, in, out, err, command->pid_);
  if (error != 0) return io_error("cannot start a shell", error);
  command->in_ = std::exchange(in.write, -1);
  command->out_ = std::exchange(out.read, -1);
  command->err_ = std::exchange(err.read, -1);
  ::fcntl(command->in_, F_SETFL, O_NONBLOCK);
  command->buffer_.resize(kReadBytes);
  return command;
}

Command::~Command() {
  close_end(in_);
  close_end(out_);
  close_end(err_);
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Result<> Command::feed(std::string_view bytes) {
  while (!bytes.empty() && wants_input()) {
    if (auto turned = turn(bytes); !turned) return turned;
  }
  return {};
}

Result<ExitStatus> Command::finish() {
  close_end(in_);
  std::string_view nothing;
  while (out_ >= 0 || err_ >= 0) {
    if (auto turned = turn(nothing); !turned) return turned.error();
  }
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) return io_error("cannot wait for a command");
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) return ExitStatus{0, WTERMSIG(status)};
  return ExitStatus{WEXITSTATUS(status), 0};
}

/// Waits until something can be done, and does it.
Result<> Command::turn(std::string_view& bytes) {
  // Closed ones are -1, which poll passes over.
  std::array<pollfd, 3> polled{pollfd{bytes.empty() ? -1 : in_, POLLOUT, 0}, pollfd{out_, POLLIN, 0},
                               pollfd{err_, POLLIN, 0}};
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

Result<> Command::drain(int& fd, bool is_out) {
  const auto got = ::read(fd, buffer_.data(), buffer_.size());
  if (got < 0 && errno == EINTR) return {};
  if (got < 0) return io_error("cannot read what a command writes");
  if (got == 0) {
    close_end(fd);
    return {};
  }
  const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(got));
  if (is_out) return sinks_.out(bytes);
  sinks_.err(bytes);
  return {};
}

void Command::write_some(std::string_view& bytes) {
  const auto put = ::write(in_, bytes.data(), bytes.size());
  if (put >= 0) {
    bytes.remove_prefix(static_cast<std::size_t>(put));
  } else if (errno != EAGAIN && errno != EINTR) {
    close_end(in_);  // EPIPE: it reads no more
  }
}

std::string describe_exit(const ExitStatus& exit) {
  if (exit.signal == 0) return "exit code " + std::to_string(exit.code);
  return "signal " + std::to_string(exit.signal) + " (" + ::strsignal(exit.signal) + ")";
}

int shell_code(const ExitStatus& exit) { return exit.signal != 0 ? 128 + exit.signal : exit.code; }

}  // namespace proffer::live
