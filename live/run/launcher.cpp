#include "live/run/launcher.hpp"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "live/os/descriptor_limit.hpp"
#include "live/run/launched_run.hpp"
#include "live/run/leftovers.hpp"
#include "live/run/packet_channel.hpp"
#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

using Clock = LaunchedRun::Clock;

/// Reports of tasks wait in their pipes while the agent has so much to read.
constexpr std::size_t kAgentIsBehind = 1 << 20;

// The tokens of epoll: a run by its number, and which of its channels; number 0 is the launcher's own.
constexpr std::uint64_t kAgent = 0;
constexpr std::uint64_t kSignals = 1;
std::uint64_t token(std::uint64_t run, Channel channel) {
  return run << 3 | static_cast<std::uint64_t>(channel);
}

class Launcher {
 public:
  Launcher(Descriptor socket, Descriptor signals)
      : agent_(std::move(socket)), signals_(std::move(signals)), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    PROFFER_CHECK(epoll_.open(), "no epoll");
    watch(agent_.fd(), EPOLLIN, kAgent);
    watch(signals_.get(), EPOLLIN, kSignals);
  }

  void serve() {
    while (agent_.open() && !stopped_) {
      wait();
      finish_gone();
      agent_.flush();
      const bool behind = agent_.queued() > 0;
      if (std::exchange(waits_for_agent_, behind) != behind) {
        rewatch(agent_.fd(), behind ? EPOLLIN | EPOLLOUT : EPOLLIN, kAgent);
      }
      if (!behind) resume_reading();
    }
    for (const auto& [number, run] : runs_) run.signal(SIGKILL);
  }

 private:
  // ---- waiting ----

  void watch(int fd, std::uint32_t wanted, std::uint64_t as) { control(EPOLL_CTL_ADD, fd, wanted, as); }
  void rewatch(int fd, std::uint32_t wanted, std::uint64_t as) { control(EPOLL_CTL_MOD, fd, wanted, as); }
  void control(int what, int fd, std::uint32_t wanted, std::uint64_t as) {
    epoll_event event{};
    event.events = wanted;
    event.data.u64 = as;
    if (fd >= 0) PROFFER_CHECK(::epoll_ctl(epoll_.get(), what, fd, &event) == 0, "epoll_ctl failed");
  }

  int timeout_ms() const {
    auto first = Clock::time_point::max();
    for (const auto number : ending_) first = std::min(first, runs_.at(number).give_up_at());
    if (ending_.empty()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now()).count();
    return static_cast<int>(std::max<std::int64_t>(0, left));
  }

  void wait() {
    std::array<epoll_event, 64> events;
    // An agent that is far behind delays the end of runs, too; its taking something wakes us.
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                   agent_.queued() >= kAgentIsBehind ? -1 : timeout_ms());
    PROFFER_CHECK(count >= 0 || errno == EINTR, "epoll_wait failed");
    for (int i = 0; i < count; ++i) {
      const auto& event = events[static_cast<std::size_t>(i)];
      if (event.data.u64 == kAgent) {
        on_agent_readable();
      } else if (event.data.u64 == kSignals) {
        on_signals_readable();
      } else {
        on_run_readable(event.data.u64 >> 3, static_cast<Channel>(event.data.u64 & 7));
      }
    }
  }

  // ---- the agent ----

  void on_agent_readable() {
    for (const auto& packet : agent_.receive()) execute(packet);
  }

  void execute(const Packet& packet) {
    if (packet.type == PacketType::spawn) return spawn(packet);
    const auto number = numbers_.find(packet.launch);
    if (number == numbers_.end()) return;
    auto& run = runs_.at(number->second);
    if (packet.type == PacketType::signal) run.signal(packet.number);
    if (packet.type != PacketType::deliver) return;
    run.deliver(static_cast<TaskFrameKind>(packet.number), packet.bytes);
    if (run.push()) expect_room(number->second, run);
  }

  void spawn(const Packet& packet) {
    Packet answer;
    answer.launch = packet.launch;
    auto run = LaunchedRun::start(packet);
    if (run) {
      answer.type = PacketType::started;
      answer.number = run->pid();
    } else {
      answer.type = PacketType::exited;
      answer.text = run.error().message;
      answer.of_agent = run.error().code != ErrorCode::invalid;
    }
    agent_.send(answer);
    if (run) add(std::move(*run));
  }

  // ---- runs ----

  void add(LaunchedRun run) {
    const auto number = ++newest_;
    for (const auto channel : {Channel::out, Channel::err, Channel::reports, Channel::ended}) {
      watch(run.fd(channel), EPOLLIN, token(number, channel));
    }
    numbers_[run.launch()] = number;
    leaders_[run.pid()] = number;
    runs_.emplace(number, std::move(run));
  }

  void on_run_readable(std::uint64_t number, Channel channel) {
    const auto found = runs_.find(number);
    if (found == runs_.end()) return;
    auto& run = found->second;
    if (channel == Channel::ended && !run.ended()) end(number, run);
    if (channel == Channel::deliver && run.fd(channel) >= 0 && !run.push()) stop_expecting_room(number, run);
    if (channel == Channel::out || channel == Channel::err) run.read(channel);
    if (channel == Channel::reports) forward_reports(number, run);
  }

  void forward_reports(std::uint64_t number, LaunchedRun& run) {
    if (agent_.queued() >= kAgentIsBehind) {
      // The pipe is taken out of epoll, and not merely left without interest: epoll tells of its end in any
      // case, again and again.
      if (run.fd(Channel::reports) >= 0 && paused_.insert(number).second) {
        control(EPOLL_CTL_DEL, run.fd(Channel::reports), 0, 0);
      }
      return;
    }
    for (auto& frame : run.read(Channel::reports)) {
      Packet packet;
      packet.type = frame.kind == TaskFrameKind::ask_permit ? PacketType::permit_asked : PacketType::message;
      packet.launch = run.launch();
      packet.bytes = std::move(frame.bytes);
      agent_.send(packet);
    }
  }

  void resume_reading() {
    for (const auto number : std::exchange(paused_, {})) {
      const auto run = runs_.find(number);
      if (run == runs_.end()) continue;
      watch(run->second.fd(Channel::reports), EPOLLIN, token(number, Channel::reports));
    }
  }

  void expect_room(std::uint64_t number, const LaunchedRun& run) {
    if (writing_.insert(number).second) {
      watch(run.fd(Channel::deliver), EPOLLOUT, token(number, Channel::deliver));
    }
  }
  void stop_expecting_room(std::uint64_t number, const LaunchedRun& run) {
    if (writing_.erase(number) == 0 || run.fd(Channel::deliver) < 0) return;
    control(EPOLL_CTL_DEL, run.fd(Channel::deliver), 0, 0);
  }

  // ---- ends ----

  void on_signals_readable() {
    signalfd_siginfo seen{};
    while (::read(signals_.get(), &seen, sizeof seen) == sizeof seen) {
      stopped_ |= seen.ssi_signo != SIGCHLD;
    }
    reap_children([this](pid_t pid) {
      const auto leader = leaders_.find(pid);
      if (leader == leaders_.end()) return false;
      end(leader->second, runs_.at(leader->second));
      return true;
    });
  }

  void end(std::uint64_t number, LaunchedRun& run) {
    writing_.erase(number);
    leaders_.erase(run.pid());
    run.end(Clock::now());
    ending_.insert(number);
  }

  void finish_gone() {
    for (auto it = ending_.begin(); it != ending_.end();) {
      auto& run = runs_.at(*it);
      run.read(Channel::out);
      run.read(Channel::err);
      forward_reports(*it, run);
      if (agent_.queued() >= kAgentIsBehind || !run.gone(Clock::now())) {
        ++it;
        continue;
      }
      agent_.send(run.last_packet());
      paused_.erase(*it);
      numbers_.erase(run.launch());
      runs_.erase(*it);
      it = ending_.erase(it);
    }
  }

  PacketChannel agent_;
  Descriptor signals_;
  Descriptor epoll_;
  bool stopped_ = false;
  bool waits_for_agent_ = false;
  std::uint64_t newest_ = 0;
  std::map<std::uint64_t, LaunchedRun> runs_;
  std::map<LaunchId, std::uint64_t> numbers_;
  std::map<pid_t, std::uint64_t> leaders_;  // leaders that have not ended
  std::set<std::uint64_t> ending_;
  std::set<std::uint64_t> writing_;  // runs with something for their tasks
  std::set<std::uint64_t> paused_;   // runs whose reports wait for the agent
};

/// Returns a descriptor that tells of signals. SIGCHLD tells of orphans; the others, of which one comes when
/// the agent dies, ask us to end.
Descriptor signals_as_events() {
  sigset_t wanted;
  ::sigemptyset(&wanted);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&wanted, number);
  ::sigprocmask(SIG_SETMASK, &wanted, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return Descriptor(::signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC));
}

}  // namespace

int run_launcher(Descriptor socket) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  // Seven descriptors a run are more than the usual 1024 allow for as many runs as an agent may have.
  raise_descriptor_limit(8 * limits::kTasksPerAgent);
  auto signals = signals_as_events();
  if (!signals.open()) return 1;
  Launcher(std::move(socket), std::move(signals)).serve();
  end_all_children();
  return 0;
}

}  // namespace proffer::live
