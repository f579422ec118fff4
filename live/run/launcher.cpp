#include "live/run/launcher.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>

#include "live/run/launched_run.hpp"
#include "proffer/check.hpp"

namespace proffer::live {
namespace {

using Clock = std::chrono::steady_clock;

/// What a killed group may still hold in its pipes is read for so long. Only a process that has left its
/// group can keep them open longer.
constexpr auto kDrain = std::chrono::milliseconds(500);

class Launcher {
 public:
  Launcher(int socket, int children) : socket_(socket), children_(children) {}

  void serve() {
    while (open_) {
      wait();
      read_agent();
      pump_ready();
      reap();
      finish_ended();
    }
    for (const auto& [launch, run] : runs_) ::kill(-run.pid(), SIGKILL);
  }

 private:
  void wait() {
    polled_.clear();
    polled_.push_back({socket_, POLLIN, 0});
    polled_.push_back({children_, POLLIN, 0});
    for (const auto& [launch, run] : runs_) {
      for (const int fd : run.readable()) polled_.push_back({fd, POLLIN, 0});
      if (run.writable() >= 0) polled_.push_back({run.writable(), POLLOUT, 0});
    }
    int timeout_ms = -1;
    if (!draining_.empty()) {
      const auto left = draining_.begin()->first - Clock::now();
      timeout_ms = static_cast<int>(
          std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(left).count()));
    }
    if (::poll(polled_.data(), polled_.size(), timeout_ms) < 0) {
      PROFFER_CHECK(errno == EINTR, "poll failed");
      polled_.clear();
    }
  }

  bool ready(int fd) const {
    return std::any_of(polled_.begin(), polled_.end(),
                       [fd](const pollfd& p) { return p.fd == fd && p.revents != 0; });
  }

  void read_agent() {
    if (!ready(socket_)) return;
    std::array<char, 65536> chunk;
    const auto n = ::read(socket_, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) {
      open_ = false;
      return;
    }
    reader_.feed({chunk.data(), static_cast<std::size_t>(n)});
    while (auto packet = reader_.next()) obey(*packet);
  }

  void obey(const Packet& packet) {
    if (packet.type == PacketType::spawn) return spawn(packet);
    const auto run = runs_.find(packet.launch);
    if (run == runs_.end() || run->second.exit()) return;
    if (packet.type == PacketType::signal) ::kill(-run->second.pid(), packet.number);
    if (packet.type == PacketType::deliver) run->second.deliver(packet.bytes);
  }

  void spawn(const Packet& packet) {
    Packet answer;
    answer.type = PacketType::started;
    answer.launch = packet.launch;
    auto run = LaunchedRun::start(packet);
    if (run) {
      by_pid_[run->pid()] = packet.launch;
      runs_.emplace(packet.launch, std::move(*run));
    } else {
      answer.type = PacketType::exited;
      answer.text = run.error().message;
    }
    tell(answer);
  }

  void pump(LaunchedRun& run, int fd) {
    for (auto& bytes : run.pump(fd)) {
      Packet packet;
      packet.type = PacketType::said;
      packet.launch = run.launch();
      packet.bytes = std::move(bytes);
      tell(packet);
    }
  }

  void pump_ready() {
    std::map<int, LaunchedRun*> owners;
    for (auto& [launch, run] : runs_) {
      for (const int fd : run.readable()) owners[fd] = &run;
      if (run.writable() >= 0 && ready(run.writable())) run.push();
    }
    for (const auto& p : polled_) {
      const auto owner = owners.find(p.fd);
      if (p.revents != 0 && owner != owners.end()) pump(*owner->second, p.fd);
    }
  }

  /// Also reaps what runs have left behind: orphans become our children.
  void reap() {
    if (!ready(children_)) return;
    std::array<signalfd_siginfo, 16> seen;
    while (::read(children_, seen.data(), sizeof seen) > 0) {
    }
    while (true) {
      siginfo_t info{};
      if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
      const auto run = by_pid_.find(info.si_pid);
      // While its leader is not reaped, a group's number belongs to no other.
      if (run != by_pid_.end()) ::kill(-info.si_pid, SIGKILL);
      int status = 0;
      ::waitpid(info.si_pid, &status, 0);
      if (run == by_pid_.end()) continue;
      const ExitStatus exit =
          WIFSIGNALED(status) ? ExitStatus{0, WTERMSIG(status)} : ExitStatus{WEXITSTATUS(status), 0};
      runs_.at(run->second).ended(exit);
      draining_.emplace(Clock::now() + kDrain, run->second);
      by_pid_.erase(run);
    }
  }

  void finish_ended() {
    for (auto it = draining_.begin(); it != draining_.end();) {
      auto& run = runs_.at(it->second);
      for (const int fd : run.readable()) pump(run, fd);
      if (run.pipes_open() && Clock::now() < it->first) {
        ++it;
        continue;
      }
      run.close_pipes();
      Packet packet;
      packet.type = PacketType::exited;
      packet.launch = run.launch();
      packet.exit = *run.exit();
      packet.has_result = run.has_result();
      packet.bytes = run.take_result();
      tell(packet);
      runs_.erase(it->second);
      it = draining_.erase(it);
    }
  }

  /// The agent always reads; waiting for it is the back-pressure.
  void tell(const Packet& packet) {
    const auto bytes = to_wire(packet);
    for (std::size_t at = 0; at < bytes.size() && open_;) {
      const auto n = ::send(socket_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      if (n > 0) at += static_cast<std::size_t>(n);
      if (n < 0 && errno != EINTR) open_ = false;
    }
  }

  int socket_;
  int children_;
  bool open_ = true;
  PacketReader reader_;
  std::map<LaunchId, LaunchedRun> runs_;
  std::map<pid_t, LaunchId> by_pid_;
  std::multimap<Clock::time_point, LaunchId> draining_;
  std::vector<pollfd> polled_;
};

}  // namespace

int run_launcher(int socket) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::signal(SIGPIPE, SIG_IGN);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child, nullptr);
  const int children = ::signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
  if (children < 0) return 1;
  Launcher(socket, children).serve();
  return 0;
}

}  // namespace proffer::live
