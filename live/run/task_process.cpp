#include "live/run/task_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "live/os/io_error.hpp"
#include "live/os/spawning.hpp"
#include "live/run/find_program.hpp"

namespace proffer::live {
namespace {

/// Returns the error of a program that cannot be started: the fault of whoever asked for it, unless it is the
/// agent's own program.
Error not_startable(const Packet& spawn, const std::string& why) {
  return {spawn.of_agent ? ErrorCode::not_found : ErrorCode::invalid,
          "cannot start \"" + spawn.argv.at(0) + "\": " + why};
}

/// Returns whether a start failed for what this machine lacks, rather than for what the program is. Its
/// errno is that of whichever step failed: a folder that is gone is no program that is missing.
bool is_of_machine(int error, const std::string& folder) {
  switch (error) {
    case EAGAIN:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT:
    case EIO:
    case EROFS:
      return true;
    default:
      return ::access(folder.c_str(), X_OK) != 0 || ::access("/dev/null", R_OK) != 0;
  }
}

Descriptor unblocked(Descriptor& end) {
  ::fcntl(end.get(), F_SETFL, O_NONBLOCK);
  return std::move(end);
}

/// The ends that a task gets, and two pipes to its process before its program begins.
struct Start {
  std::array<Pipe, 4> pipes;  // out, err, reports, deliver
  Pipe gate;                  // a byte for the process: go on
  Pipe failed;                // an errno from it; closed when its program begins

  static Result<Start> make() {
    Start start;
    for (auto* pipe :
         {&start.pipes[0], &start.pipes[1], &start.pipes[2], &start.pipes[3], &start.gate, &start.failed}) {
      auto made = Pipe::make("no pipe for a task");
      if (!made) return made.error();
      *pipe = std::move(*made);
    }
    return start;
  }
};

bool take_descriptors(const Start& start) {
  const auto& [out, err, said, deliver] = start.pipes;
  // Ours lie above those that tasks get, so none is overwritten before its turn.
  const int empty = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  return empty >= 0 && ::dup2(empty, 0) == 0 && ::dup2(out.write.get(), 1) == 1 &&
         ::dup2(err.write.get(), 2) == 2 && ::dup2(said.write.get(), kResultFd) == kResultFd &&
         ::dup2(deliver.read.get(), kDeliverFd) == kDeliverFd &&
         ::close_range(kDeliverFd + 1, ~0u, CLOSE_RANGE_CLOEXEC) == 0;
}

void reset_signals() {
  // SIGKILL, SIGSTOP and two of the C library's cannot be set, nor need they.
  for (int number = 1; number <= SIGRTMAX; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// The process of a task up to its program.
[[noreturn]] void become(const std::string& program, const Packet& spawn, const Start& start, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  char go = 0;
  // A parent that died before the line above closes the gate.
  if (::getppid() != parent || ::read(start.gate.read.get(), &go, 1) != 1) ::_exit(1);
  const auto argv = spawn_words(spawn.argv);
  const auto env = spawn_words(spawn.env);
  if (::setpgid(0, 0) == 0 && take_descriptors(start) && ::chdir(spawn.text.c_str()) == 0) {
    reset_signals();
    ::execve(program.c_str(), argv.data(), env.data());
  }
  const int error = errno;
  [[maybe_unused]] const auto told = ::write(start.failed.write.get(), &error, sizeof error);
  ::_exit(1);
}

/// Lets the program begin. Returns the errno for which it does not; 0: it has begun.
int let_begin(Start& start) {
  start.gate.read.reset();
  start.failed.write.reset();
  if (::write(start.gate.write.get(), "", 1) != 1) return errno;
  int error = 0;
  ssize_t got = 0;
  do {
    got = ::read(start.failed.read.get(), &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

}  // namespace

Result<TaskProcess> start_process(const Packet& spawn, const BeforeProgram& before) {
  const auto& name = spawn.argv.at(0);
  const auto program = find_program(name, spawn.env, spawn.text);
  if (!program) return not_startable(spawn, "no such program is on PATH");
  auto start = Start::make();
  if (!start) return start.error();
  const auto parent = ::getpid();
  TaskProcess process;
  process.pid = ::fork();
  if (process.pid < 0) return io_error("no process for a task");
  if (process.pid == 0) become(*program, spawn, *start, parent);
  ::setpgid(process.pid, process.pid);  // as the process does: whoever is first
  auto ready = before(process.pid);
  // Without a byte the process ends.
  const int error = ready ? let_begin(*start) : 0;
  if (!ready) start->gate.write.reset();
  if (!ready || error != 0) {
    wait_for_end(process.pid);
    if (!ready) return ready.error();
    if (is_of_machine(error, spawn.text)) return io_error("cannot start \"" + name + "\"", error);
    return not_startable(spawn, std::strerror(error));
  }
  auto& [out, err, said, deliver] = start->pipes;
  process.at(Channel::out) = unblocked(out.read);
  process.at(Channel::err) = unblocked(err.read);
  process.at(Channel::reports) = unblocked(said.read);
  process.at(Channel::deliver) = unblocked(deliver.write);
  return process;
}

}  // namespace proffer::live
