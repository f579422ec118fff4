#include "live/run/launcher_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "live/os/io_error.hpp"
#include "live/os/spawning.hpp"

namespace proffer::live {
namespace {

constexpr int kLauncherSocket = 3;
constexpr int kPatience_ms = 5000;

}  // namespace

Result<std::unique_ptr<LauncherProcess>> LauncherProcess::start(const std::string& program) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return io_error("no socket for the launcher");
  }
  Descriptor ours(ends[0]);
  const Descriptor low(ends[1]);
  // An end that has the wanted number already would be closed by exec.
  const Descriptor theirs(::fcntl(low.get(), F_DUPFD_CLOEXEC, kLauncherSocket + 1));
  if (!theirs.open()) return io_error("no socket for the launcher");
  SpawnActions actions;
  actions.give(theirs, kLauncherSocket);
  const SpawnAttributes attributes;
  const std::vector<std::string> argv{program};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, program.c_str(), actions.get(), attributes.get(),
                                  spawn_words(argv).data(), ::environ);
  if (error != 0) return io_error("cannot start " + program, error);
  return std::unique_ptr<LauncherProcess>(new LauncherProcess(pid, std::move(ours)));
}

LauncherProcess::~LauncherProcess() {
  channel_.close();
  const auto ended = watch_process(pid_);
  pollfd wanted{ended.get(), POLLIN, 0};
  int ready = 0;
  do {
    ready = ended.open() ? ::poll(&wanted, 1, kPatience_ms) : 0;
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) ::kill(pid_, SIGKILL);
  wait_for_end(pid_);
}

}  // namespace proffer::live
