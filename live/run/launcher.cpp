#include "live/run/launcher.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include "live/os/descriptor_limit.hpp"
#include "live/run/local_socket.hpp"
#include "live/run/process_facts.hpp"
#include "live/run/shim.hpp"
#include "proffer/check.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

using Clock = std::chrono::steady_clock;

/// Shims that do not end their runs within this time are killed.
constexpr auto kShimPatience = std::chrono::seconds(3);
/// The time between two tries to reach a shim that is there and takes no connection.
constexpr auto kAgain = std::chrono::seconds(1);

// The tokens of epoll beside the numbers of peers.
constexpr std::uint64_t kListener = 0;
constexpr std::uint64_t kSignals = 1;

bool is_shim(pid_t pid) {
  std::string name;
  std::ifstream("/proc/" + std::to_string(pid) + "/comm") >> name;
  return pid > 1 && name == kShimName;
}

/// Whoever is at the other end of a connection.
struct Peer {
  enum class Kind : std::uint8_t { unknown, agent, shim };
  Kind kind = Kind::unknown;
  PacketChannel channel = {};
  bool waits = false;      // for room in its socket
  LaunchId launch = {};    // of a shim
  pid_t pid = -1;          // of a shim
  bool exited = false;     // a shim that has told the end of its run
  std::uint64_t told = 0;  // the agent that it was passed on to
  bool settled = false;    // a shim whose folder goes with it
};

class Launcher {
 public:
  Launcher(const std::string& dir, std::string token, Descriptor listener, Descriptor signals)
      : folders_(dir),
        token_(std::move(token)),
        boot_(boot_of_host()),
        listener_(std::move(listener)),
        signals_(std::move(signals)),
        epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    PROFFER_CHECK(epoll_.open(), "no epoll");
    watch(EPOLL_CTL_ADD, listener_.get(), EPOLLIN, kListener);
    watch(EPOLL_CTL_ADD, signals_.get(), EPOLLIN, kSignals);
  }

  void serve(Descriptor first, std::chrono::milliseconds idle) {
    run(std::move(first), idle);
    // Before the connections: who sees the end of one, and connects again, must not come here.
    listener_.reset();
  }

 private:
  void run(Descriptor first, std::chrono::milliseconds idle) {
    for (const auto launch : folders_.all()) reach(launch);
    add(Peer{.channel = PacketChannel(std::move(first))});
    auto used = Clock::now();
    while (!stopped_ && !(ending_since_ && shims_.empty())) {
      const bool in_use = agent_ != 0 || !shims_.empty();
      if (in_use) used = Clock::now();
      if (Clock::now() - used >= idle) return;
      wait(in_use ? std::chrono::milliseconds(-1)
                  : std::chrono::duration_cast<std::chrono::milliseconds>(used + idle - Clock::now()));
      for (const auto launch : std::exchange(unreached_, {})) reach(launch);
      if (ending_since_ && Clock::now() - *ending_since_ >= kShimPatience) kill_shims();
    }
  }

  // ---- waiting ----

  void watch(int what, int fd, std::uint32_t wanted, std::uint64_t as) const {
    epoll_event event{};
    event.events = wanted;
    event.data.u64 = as;
    PROFFER_CHECK(::epoll_ctl(epoll_.get(), what, fd, &event) == 0, "epoll_ctl failed");
  }

  void wait(std::chrono::milliseconds at_most) {
    if (!unreached_.empty() || ending_since_) at_most = kAgain;
    std::array<epoll_event, 64> events;
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                   static_cast<int>(at_most.count()) + (at_most.count() > 0 ? 1 : 0));
    PROFFER_CHECK(count >= 0 || errno == EINTR, "epoll_wait failed");
    for (int i = 0; i < count; ++i) {
      const auto token = events[static_cast<std::size_t>(i)].data.u64;
      if (token == kListener) {
        add(Peer{.channel = PacketChannel(accept_from(listener_))});
      } else if (token == kSignals) {
        on_signals();
      } else {
        on_peer(token);
      }
    }
  }

  void on_signals() {
    signalfd_siginfo seen{};
    while (::read(signals_.get(), &seen, sizeof seen) == sizeof seen) {
      stopped_ = stopped_ || seen.ssi_signo != SIGCHLD;
    }
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }

  // ---- peers ----

  std::uint64_t add(Peer peer) {
    if (!peer.channel.open()) return 0;
    const auto number = ++newest_;
    watch(EPOLL_CTL_ADD, peer.channel.fd(), EPOLLIN, number);
    peers_.emplace(number, std::move(peer));
    return number;
  }

  void send(std::uint64_t number, const Packet& what) {
    const auto found = peers_.find(number);
    if (found == peers_.end()) return;
    found->second.channel.send(what);
    note_room(number, found->second);
  }
  void to_agent(const Packet& what) { send(agent_, what); }

  void note_room(std::uint64_t number, Peer& peer) const {
    const bool behind = peer.channel.queued() > 0;
    if (!peer.channel.open() || std::exchange(peer.waits, behind) == behind) return;
    watch(EPOLL_CTL_MOD, peer.channel.fd(), behind ? EPOLLIN | EPOLLOUT : EPOLLIN, number);
  }

  void on_peer(std::uint64_t number) {
    const auto found = peers_.find(number);
    if (found == peers_.end()) return;
    auto& peer = found->second;
    peer.channel.flush();
    note_room(number, peer);
    for (const auto& one : peer.channel.receive()) {
      if (peer.kind == Peer::Kind::shim) {
        from_shim(peer, one);
      } else if (peer.kind == Peer::Kind::agent) {
        from_agent(one);
      } else if (!welcome(number, peer, one)) {
        peer.channel.close();
        break;
      }
    }
    if (!peer.channel.open()) lose(number);
  }

  void lose(std::uint64_t number) {
    const auto node = peers_.extract(number);
    if (node.empty()) return;
    const auto& peer = node.mapped();
    if (number == agent_) agent_ = 0;
    if (peer.kind != Peer::Kind::shim) return;
    shims_.erase(peer.launch);
    if (peer.settled) return folders_.remove(peer.launch);
    if (!peer.exited) bury(peer.launch);
    if (peer.exited && peer.told != agent_) tell_end(peer.launch);  // the former agent's was it
    ended_.insert(peer.launch);
  }

  // ---- the agent ----

  /// Makes the peer the agent. False when it is none that may be.
  bool welcome(std::uint64_t number, Peer& peer, const Packet& hello) {
    if (hello.type != PacketType::hello || hello.bytes != token_) return false;
    if (hello.seq < newest_start_) {
      auto refusal = packet_of(PacketType::refused);
      refusal.text = "a later start of this agent has its runs";
      peer.channel.send(refusal);
      return false;
    }
    newest_start_ = hello.seq;
    const auto former = std::exchange(agent_, number);
    peer.kind = Peer::Kind::agent;
    if (former != 0) lose(former);
    auto answer = packet_of(PacketType::welcome);
    for (const auto& [launch, shim] : shims_) answer.argv.push_back(name_of(launch));
    for (const auto launch : unreached_) answer.argv.push_back(name_of(launch));
    for (const auto launch : ended_) answer.argv.push_back(name_of(launch));
    to_agent(answer);
    for (const auto& [launch, shim] : shims_) send(shim, packet_of(PacketType::attach, launch));
    for (const auto launch : ended_) tell_end(launch);
    return true;
  }

  void from_agent(const Packet& order) {
    if (order.type == PacketType::beat) return to_agent(order);
    if (order.type == PacketType::spawn) return spawn(order);
    if (order.type == PacketType::settle) return settle(order.launch);
    if (order.type == PacketType::end_all) return end_all();
    if (const auto shim = shims_.find(order.launch); shim != shims_.end()) send(shim->second, order);
  }

  void spawn(const Packet& order) {
    if (ended_.contains(order.launch)) return tell_end(order.launch);
    if (const auto shim = shims_.find(order.launch); shim != shims_.end()) {
      return send(shim->second, packet_of(PacketType::attach, order.launch));
    }
    auto made = folders_.make(order.launch);
    auto shim = made ? start_shim(folders_, order, boot_) : made.error();
    if (shim) return add_shim(order.launch, std::move(shim->channel), shim->pid);
    auto failed = packet_of(PacketType::exited, order.launch);
    failed.text = shim.error().message;
    failed.of_agent = true;
    to_agent(failed);
    folders_.remove(order.launch);
  }

  void settle(LaunchId launch) {
    if (const auto shim = shims_.find(launch); shim != shims_.end()) {
      peers_.at(shim->second).settled = true;
      return send(shim->second, packet_of(PacketType::settle, launch));
    }
    ended_.erase(launch);
    folders_.remove(launch);
  }

  void end_all() {
    ending_since_ = Clock::now();
    for (const auto& [launch, shim] : shims_) send(shim, packet_of(PacketType::end_all, launch));
  }

  // ---- shims ----

  void add_shim(LaunchId launch, PacketChannel channel, pid_t pid) {
    shims_[launch] =
        add(Peer{.kind = Peer::Kind::shim, .channel = std::move(channel), .launch = launch, .pid = pid});
  }

  void from_shim(Peer& shim, const Packet& word) {
    if (word.type == PacketType::exited) {
      shim.exited = true;
      shim.told = agent_;
    }
    to_agent(word);
  }

  /// Connects to the shim of a run of an earlier launcher, or finds out how the run ended.
  void reach(LaunchId launch) {
    auto connection = connect_to(folders_.of(launch), kShimSocket);
    if (connection) {
      const auto pid = listener_of(*connection);
      add_shim(launch, PacketChannel(std::move(*connection)), pid);
      if (agent_ != 0) send(shims_.at(launch), packet_of(PacketType::attach, launch));
    } else if (connection.error().code != ErrorCode::not_found) {
      unreached_.insert(launch);
    } else if (was_of_this_boot(launch)) {
      bury(launch);
      ended_.insert(launch);
    } else if (folders_.exit(launch)) {
      ended_.insert(launch);
    } else {
      folders_.remove(launch);  // nothing of it has ever run, or the host was started anew
    }
  }

  bool was_of_this_boot(LaunchId launch) const {
    const auto record = folders_.started(launch);
    return record && record->boot == boot_;
  }

  /// Sees to it that the end of a run without a shim is on record, and that nothing of it lives, and tells it.
  void bury(LaunchId launch) {
    if (!folders_.exit(launch)) {
      auto end = packet_of(PacketType::exited, launch);
      if (folders_.started(launch)) {
        kill_marked(folders_.mark_of(launch));
        end.exit = {0, SIGKILL};
        end.ran = "the process that watched over it has died";
      } else {
        end.text = "the process that was to start it has died";
        end.of_agent = true;
      }
      // Where no record can be written the next launcher comes to the same end.
      static_cast<void>(folders_.write_exit(end));
      return to_agent(end);
    }
    tell_end(launch);
  }

  void tell_end(LaunchId launch) {
    if (const auto record = folders_.exit(launch)) to_agent(*record);
  }

  void kill_shims() {
    for (const auto& [launch, shim] : shims_) {
      if (const auto pid = peers_.at(shim).pid; is_shim(pid)) ::kill(pid, SIGKILL);
    }
  }

  RunFolders folders_;
  std::string token_;
  std::string boot_;
  Descriptor listener_;
  Descriptor signals_;
  Descriptor epoll_;
  bool stopped_ = false;
  std::optional<Clock::time_point> ending_since_;
  std::uint64_t newest_ = kSignals;
  std::map<std::uint64_t, Peer> peers_;
  std::uint64_t agent_ = 0;                  // 0: there is none
  std::uint64_t newest_start_ = 0;           // of the agent
  std::map<LaunchId, std::uint64_t> shims_;  // those that are connected
  std::set<LaunchId> unreached_;             // runs whose shims took no connection yet
  std::set<LaunchId> ended_;                 // runs without a shim, whose ends are on record
};

/// Returns a lock on the runs of the folder; none when another launcher will not go. One that was killed holds
/// it until it is gone.
Descriptor lock_in(const std::string& dir) {
  Descriptor lock(::open((dir + "/launcher.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  const auto give_up_at = Clock::now() + kShimPatience;
  while (lock.open() && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (Clock::now() >= give_up_at) return {};
    const timespec moment{0, 2'000'000};
    ::nanosleep(&moment, nullptr);
  }
  return lock;
}

std::string token_in(const std::string& dir) {
  std::string token;
  std::ifstream(dir + "/" + kLauncherToken) >> token;
  return token;
}

}  // namespace

int run_launcher(const std::string& dir, Descriptor first, std::chrono::milliseconds idle) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // otherwise what a dead shim leaves is for init to reap
  raise_descriptor_limit(4 * limits::kTasksPerAgent);
  auto signals = signals_as_events({SIGCHLD, SIGTERM, SIGINT, SIGHUP});
  const auto lock = lock_in(dir);
  auto listener = listen_at(dir, kLauncherSocket);
  if (!signals.open() || !lock.open() || !listener) return 1;
  Launcher launcher(dir, token_in(dir), std::move(*listener), std::move(signals));
  launcher.serve(std::move(first), idle);
  return 0;
}

}  // namespace proffer::live
