#include "proffer/live/executor.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <utility>

#include "live/run/descriptor.hpp"
#include "live/run/packet.hpp"
#include "live/run/sandbox.hpp"
#include "proffer/formats/codec.hpp"

extern char** environ;  // NOLINT: POSIX says so

namespace proffer::live {
namespace {

constexpr int kLauncherFd = 3;
/// A launcher that takes nothing for so long is given up. It has nothing to do but read.
constexpr int kPatience_ms = 5000;

Error failed(const std::string& what) { return {ErrorCode::io, what + ": " + std::strerror(errno)}; }

/// In a process group of its own, so that a Ctrl-C for the agent leaves it to the agent to end it.
int spawn_launcher(const std::string& path, int socket, pid_t& pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, socket, kLauncherFd);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::array<char*, 2> argv{const_cast<char*>(path.c_str()), nullptr};
  const int error = ::posix_spawn(&pid, path.c_str(), &files, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

ResultPtr result_of(const Packet& packet) {
  if (!packet.has_result) return nullptr;
  auto result = decode_result(packet.bytes);
  return result ? std::make_shared<const TaskResult>(std::move(*result)) : nullptr;
}

}  // namespace

struct Executor::Impl {
  ExecutorConfig config;
  pid_t launcher = -1;
  Descriptor socket;
  Descriptor wake;  // readable while there are events that did not come from the socket
  Descriptor poll;  // epoll over both
  PacketReader reader;
  std::vector<Event> events;
  std::map<LaunchId, std::string> sandboxes;  // of what runs
  std::deque<std::string> finished;           // sandboxes, oldest first

  Result<> open_launcher() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      return failed("no socket for the launcher");
    socket = Descriptor(::fcntl(ends[0], F_DUPFD_CLOEXEC, 16));
    ::close(ends[0]);
    // The launcher's end must not be its descriptor 3 already, or it would be closed on exec.
    const Descriptor theirs(::fcntl(ends[1], F_DUPFD_CLOEXEC, 16));
    ::close(ends[1]);
    ::fcntl(socket.get(), F_SETFL, O_NONBLOCK);
    if (const int error = spawn_launcher(config.launcher_path, theirs.get(), launcher); error != 0) {
      errno = error;
      return failed("cannot start " + config.launcher_path);
    }
    wake = Descriptor(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
    poll = Descriptor(::epoll_create1(EPOLL_CLOEXEC));
    for (const int fd : {socket.get(), wake.get()}) {
      epoll_event wanted{};
      wanted.events = EPOLLIN;
      wanted.data.fd = fd;
      if (::epoll_ctl(poll.get(), EPOLL_CTL_ADD, fd, &wanted) != 0)
        return failed("no event queue for the launcher");
    }
    return {};
  }

  void push(Event event) {
    events.push_back(std::move(event));
    const std::uint64_t one = 1;
    (void)!::write(wake.get(), &one, sizeof one);
  }

  /// False when the launcher is gone.
  bool send(const Packet& packet) {
    const auto bytes = to_wire(packet);
    for (std::size_t at = 0; at < bytes.size() && socket.open();) {
      const auto n = ::send(socket.get(), bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (n > 0) {
        at += static_cast<std::size_t>(n);
      } else if (errno == EAGAIN) {
        // It may itself wait for us to take what it tells.
        read_launcher();
        pollfd room{socket.get(), POLLOUT | POLLIN, 0};
        if (::poll(&room, 1, kPatience_ms) == 0) lose_launcher();
      } else if (errno != EINTR) {
        lose_launcher();
      }
    }
    return socket.open();
  }

  void start(const StartRun& run) {
    auto packet = prepare_run(config, run);
    if (!packet) return push(RunExited{run.launch, {}, nullptr, packet.error().message});
    sandboxes[run.launch] = packet->text;
    if (!send(*packet) && sandboxes.erase(run.launch) > 0) {
      push(RunExited{run.launch, {}, nullptr, "the launcher is gone"});
    }
  }

  void read_launcher() {
    std::array<char, 65536> chunk;
    while (socket.open()) {
      const auto n = ::read(socket.get(), chunk.data(), chunk.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) break;
      if (n <= 0) return lose_launcher();
      reader.feed({chunk.data(), static_cast<std::size_t>(n)});
      while (auto packet = reader.next()) hear(*packet);
    }
  }

  void hear(const Packet& packet) {
    if (packet.type == PacketType::started) push(RunStarted{packet.launch});
    if (packet.type == PacketType::said) push(RunSaid{packet.launch, packet.bytes});
    if (packet.type != PacketType::exited) return;
    push(RunExited{packet.launch, packet.exit, result_of(packet), packet.text});
    const auto sandbox = sandboxes.find(packet.launch);
    if (sandbox == sandboxes.end()) return;
    finished.push_back(sandbox->second);
    sandboxes.erase(sandbox);
    for (; finished.size() > config.keep_sandboxes; finished.pop_front()) {
      std::error_code ignored;
      std::filesystem::remove_all(finished.front(), ignored);
    }
  }

  /// Its tasks are gone with it: it kills them when it sees our end closed, and the kernel tells us of its
  /// own end.
  void lose_launcher() {
    socket.reset();
    for (const auto& [launch, sandbox] : std::exchange(sandboxes, {})) {
      push(RunExited{launch, {0, SIGKILL}, nullptr, ""});
    }
  }
};

Executor::Executor() : impl_(std::make_unique<Impl>()) {}

Executor::~Executor() {
  impl_->socket.reset();
  if (impl_->launcher <= 0) return;
  int status = 0;
  while (::waitpid(impl_->launcher, &status, 0) < 0 && errno == EINTR) {
  }
}

Result<std::unique_ptr<Executor>> Executor::start(ExecutorConfig config) {
  std::unique_ptr<Executor> executor(new Executor);
  executor->impl_->config = std::move(config);
  if (auto opened = executor->impl_->open_launcher(); !opened) return opened.error();
  return executor;
}

void Executor::set_agent(AgentId agent) { impl_->config.agent = agent; }

void Executor::carry_out(const Action& action) {
  if (const auto* start = std::get_if<StartRun>(&action)) return impl_->start(*start);
  Packet packet;
  if (const auto* signal = std::get_if<SignalRun>(&action)) {
    packet.type = PacketType::signal;
    packet.launch = signal->launch;
    packet.number = signal->signal == RunSignal::kill ? SIGKILL : SIGTERM;
  } else {
    const auto* deliver = std::get_if<DeliverToRun>(&action);
    PROFFER_CHECK(deliver != nullptr, "an executor starts, signals and delivers, nothing else");
    packet.type = PacketType::deliver;
    packet.launch = deliver->launch;
    packet.bytes = deliver->payload;
  }
  impl_->send(packet);
}

int Executor::event_fd() const { return impl_->poll.get(); }

std::vector<Event> Executor::take_events() {
  impl_->read_launcher();
  std::uint64_t count = 0;
  (void)!::read(impl_->wake.get(), &count, sizeof count);
  return std::exchange(impl_->events, {});
}

}  // namespace proffer::live
