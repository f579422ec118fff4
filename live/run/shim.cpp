#include "live/run/shim.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "live/os/io_error.hpp"
#include "live/run/launched_run.hpp"
#include "live/run/leftovers.hpp"
#include "live/run/local_socket.hpp"
#include "live/run/outbox.hpp"
#include "live/run/process_facts.hpp"
#include "proffer/check.hpp"

namespace proffer::live {
namespace {

// A shim that waits to be asked for the end looks so often whether its folder is still there.
constexpr int kLookAtFolder_ms = 5000;

/// Reports wait in the task's pipe while so much of them has not been heard.
constexpr std::size_t kUnheardBytes = 64 << 10;

class Shim {
 public:
  Shim(const RunFolders& folders, const Packet& spawn, Descriptor listener, Descriptor launcher)
      : folders_(folders),
        launch_(spawn.launch),
        listener_(std::move(listener)),
        launcher_(std::move(launcher)),
        signals_(signals_as_events({SIGCHLD, SIGTERM, SIGINT, SIGHUP})) {}

  void start(const Packet& spawn, const std::string& boot) {
    auto run = LaunchedRun::start(spawn, [&](pid_t pid) { return record_start(spawn, boot, pid); });
    if (!run) return end(never_started(run.error()));
    run_ = std::move(*run);
    auto answer = packet_of(PacketType::started, launch_);
    answer.number = run_->pid();
    launcher_.send(answer);
  }

  void serve() {
    while (!done()) wait();
  }

 private:
  Result<> record_start(const Packet& spawn, const std::string& boot, pid_t pid) const {
    auto record = spawn;
    record.type = PacketType::started;
    record.number = pid;
    record.start_time = start_time_of(pid);
    record.boot = boot;
    record.argv.clear();
    record.env.clear();
    return folders_.write_started(record);
  }

  Packet never_started(const Error& error) const {
    auto last = packet_of(PacketType::exited, launch_);
    last.text = error.message;
    last.of_agent = error.code != ErrorCode::invalid;
    return last;
  }

  /// A shim whose record could not be written is itself the record, until the end is settled.
  bool done() const {
    const bool told = said_.kept().empty() && (!launcher_.open() || launcher_.queued() == 0);
    return settled_ || (ended_ && recorded_ && told) || abandoned();
  }

  /// Returns whether the run has ended and its folder is gone: no launcher will ever ask for the end.
  bool abandoned() const {
    return ended_ && ::access(folders_.of(launch_).c_str(), F_OK) != 0 && errno == ENOENT;
  }

  // ---- waiting ----

  int fd(Channel channel) const { return run_ ? run_->fd(channel) : -1; }

  void wait() {
    const auto reports = said_.bytes() < kUnheardBytes ? fd(Channel::reports) : -1;
    const auto deliver = run_ && run_->writing() ? fd(Channel::deliver) : -1;
    const auto to_launcher = static_cast<short>(launcher_.queued() > 0 ? POLLIN | POLLOUT : POLLIN);
    std::array<pollfd, 7> wanted{{{launcher_.fd(), to_launcher, 0},
                                  {listener_.get(), POLLIN, 0},
                                  {signals_.get(), POLLIN, 0},
                                  {fd(Channel::out), POLLIN, 0},
                                  {fd(Channel::err), POLLIN, 0},
                                  {reports, POLLIN, 0},
                                  {deliver, POLLOUT, 0}}};
    const int count = ::poll(wanted.data(), wanted.size(), ended_ ? kLookAtFolder_ms : -1);
    PROFFER_CHECK(count >= 0 || errno == EINTR, "poll failed");
    const auto ready = [&wanted](std::size_t i) { return wanted[i].revents != 0; };
    if (ready(3)) run_->read(Channel::out);
    if (ready(4)) run_->read(Channel::err);
    if (ready(5)) say(run_->read(Channel::reports));
    if (ready(6)) run_->push();
    if (ready(2)) on_signals();
    if (ready(0)) on_launcher();
    if (ready(1)) on_connection();
  }

  /// A launcher that connects takes the place of the former one, which must have died.
  void on_connection() {
    if (auto connection = accept_from(listener_); connection.open()) {
      launcher_ = PacketChannel(std::move(connection));
    }
  }

  // ---- the launcher ----

  void on_launcher() {
    const auto before = heard_;
    for (const auto& one : launcher_.receive()) execute(one);
    launcher_.flush();
    if (heard_ == before) return;
    auto answer = packet_of(PacketType::heard, launch_);
    answer.seq = heard_;
    launcher_.send(answer);
  }

  void execute(const Packet& order) {
    if (order.type == PacketType::attach) return introduce();
    if (order.type == PacketType::heard) return said_.heard(order.seq);
    settled_ = settled_ || order.type == PacketType::settle;
    const bool runs = run_ && !run_->ended();
    if (order.type == PacketType::end_all && runs) run_->signal(SIGKILL);
    // What has come before was sent again over another connection.
    const bool numbered = order.type == PacketType::signal || order.type == PacketType::deliver;
    if (!numbered || order.seq <= heard_) return;
    heard_ = order.seq;
    if (!runs) return;
    if (order.type == PacketType::signal) return run_->signal(order.number);
    run_->deliver(static_cast<TaskFrameKind>(order.number), order.bytes);
    run_->push();
  }

  void introduce() {
    if (!ended_) {
      auto listed = packet_of(PacketType::listed, launch_);
      listed.number = run_->pid();
      listed.seq = heard_;
      listed.asked = asked_;
      launcher_.send(listed);
    }
    for (const auto& said : said_.kept()) launcher_.send(said);
    if (ended_) launcher_.send(*ended_);
  }

  void say(std::vector<TaskFrame> frames) {
    for (auto& frame : frames) {
      const bool asks = frame.kind == TaskFrameKind::ask_permit;
      asked_ = asked_ || asks;
      auto said = packet_of(asks ? PacketType::permit_asked : PacketType::message, launch_);
      said.bytes = std::move(frame.bytes);
      launcher_.send(said_.add(std::move(said)));
    }
  }

  // ---- the end ----

  void on_signals() {
    signalfd_siginfo seen{};
    while (::read(signals_.get(), &seen, sizeof seen) == sizeof seen) {
    }
    reap_children([this](pid_t pid) {
      if (!run_ || run_->ended() || pid != run_->pid()) return false;
      say(run_->end());
      end(run_->last_packet());
      return true;
    });
  }

  void end(Packet last) {
    recorded_ = folders_.write_exit(last).ok();
    ended_ = std::move(last);
    launcher_.send(*ended_);
  }

  const RunFolders& folders_;
  LaunchId launch_;
  Descriptor listener_;
  PacketChannel launcher_;
  Descriptor signals_;
  std::optional<LaunchedRun> run_;  // none: it was never started
  Outbox said_;                     // reports that the agent has not heard
  std::uint64_t heard_ = 0;         // the newest order of the agent
  bool asked_ = false;
  std::optional<Packet> ended_;
  bool recorded_ = false;
  bool settled_ = false;
};

/// Closes what the launcher has open; what tasks get is below.
void close_all_but(int one, int other) {
  const auto low = static_cast<unsigned>(std::min(one, other));
  const auto high = static_cast<unsigned>(std::max(one, other));
  if (low > kFirstOwnDescriptor) ::close_range(kFirstOwnDescriptor, low - 1, 0);
  if (high > low + 1) ::close_range(low + 1, high - 1, 0);
  ::close_range(high + 1, ~0u, 0);
}

}  // namespace

Descriptor signals_as_events(std::initializer_list<int> numbers) {
  sigset_t wanted;
  ::sigemptyset(&wanted);
  for (const int number : numbers) ::sigaddset(&wanted, number);
  ::sigprocmask(SIG_SETMASK, &wanted, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return Descriptor(::signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC));
}

Result<ShimEnd> start_shim(const RunFolders& folders, const Packet& spawn, const std::string& boot) {
  // The socket listens before there is a shim: whoever finds nobody there knows that there is none.
  auto listener = listen_at(folders.of(spawn.launch), kShimSocket);
  if (!listener) return listener.error();
  auto ends = SocketPair::make();
  if (!ends) return ends.error();
  const auto pid = ::fork();
  if (pid < 0) return io_error("no process for a run");
  if (pid > 0) return ShimEnd{PacketChannel(std::move(ends->ours)), pid};
  ::setsid();
  ::prctl(PR_SET_NAME, kShimName);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::listen(listener->get(), SOMAXCONN);  // again, so that listener_of() names us
  close_all_but(listener->get(), ends->theirs.get());
  Shim shim(folders, spawn, std::move(*listener), std::move(ends->theirs));
  shim.start(spawn, boot);
  shim.serve();
  ::_exit(0);
}

}  // namespace proffer::live
