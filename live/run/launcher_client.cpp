#include "live/run/launcher_client.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <utility>

#include "live/os/io_error.hpp"
#include "live/os/replace_file.hpp"
#include "live/os/spawning.hpp"
#include "live/run/launcher.hpp"
#include "live/run/local_socket.hpp"
#include "live/run/run_folders.hpp"
#include "proffer/check.hpp"
#include "proffer/live/entropy.hpp"

namespace proffer::live {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSocketOfLauncher = 3;
constexpr std::uint32_t kBeatsOfSilence = 10;
constexpr time_t kBeat_s = 1;
constexpr int kTries = 3;
constexpr auto kEndPatience = std::chrono::seconds(15);

std::optional<Error> failure_of(const Result<>& result) {
  return result ? std::nullopt : std::optional(result.error());
}

}  // namespace

LauncherClient::~LauncherClient() {
  for (const auto child : children_) ::waitpid(child, nullptr, WNOHANG);
}

Result<> LauncherClient::open() {
  poll_ = Descriptor(::epoll_create1(EPOLL_CLOEXEC));
  timer_ = Descriptor(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  epoll_event readable{};
  readable.events = EPOLLIN;
  const itimerspec beat{{kBeat_s, 0}, {kBeat_s, 0}};
  if (!poll_.open() || !timer_.open() || ::timerfd_settime(timer_.get(), 0, &beat, nullptr) != 0 ||
      ::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, timer_.get(), &readable) != 0) {
    return io_error("the executor has no event queue");
  }
  return ensure();
}

Result<> LauncherClient::ensure() {
  if (!channel_.open() && may_retry_ && !refused_) missing_ = failure_of(connect());
  const auto why = missing();
  return why ? Result<>(*why) : Result<>();
}

/// Returns the token that launcher and agent share, made where it is missing.
Result<std::string> LauncherClient::token() const {
  const auto path = plan_.dir + "/" + kLauncherToken;
  std::string token;
  std::ifstream(path) >> token;
  if (!token.empty()) return token;
  token = random_token();
  if (auto written = replace_file(path, token); !written) return written.error();
  return token;
}

Result<> LauncherClient::connect() {
  may_retry_ = false;
  auto connection = connect_to(plan_.dir, kLauncherSocket);
  if (!connection) return start();
  const auto pid = listener_of(*connection);
  greet(std::move(*connection), pid);
  return {};
}

Result<> LauncherClient::start() {
  if (auto known = token(); !known) return known.error();
  auto ends = SocketPair::make();
  if (!ends) return ends.error();
  // An end that has the wanted number already would be closed by exec.
  const Descriptor theirs(::fcntl(ends->theirs.get(), F_DUPFD_CLOEXEC, kSocketOfLauncher + 1));
  if (!theirs.open()) return io_error("no socket for the launcher");
  SpawnActions actions;
  // None of the agent's own streams: whoever reads those waits for the end of all that hold them.
  actions.empty_stdin();
  actions.write_to("/dev/null", 1);
  actions.append_to(plan_.dir + "/" + kLauncherLog, 2);
  actions.give(theirs, kSocketOfLauncher);
  // Signals of the agent's terminal, and its end, are not for the launcher.
  const SpawnAttributes attributes(SpawnAttributes::Leads::session);
  const std::vector<std::string> argv{plan_.program, plan_.dir, std::to_string(plan_.idle.count())};
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, plan_.program.c_str(), actions.get(), attributes.get(),
                                  spawn_words(argv).data(), ::environ);
  if (error != 0) return io_error("cannot start " + plan_.program, error);
  children_.push_back(pid);
  greet(std::move(ends->ours), pid);
  return {};
}

void LauncherClient::greet(Descriptor socket, pid_t pid) {
  channel_ = PacketChannel(std::move(socket));
  process_ = watch_process(pid);
  silent_ = 0;
  welcomed_ = false;
  wants_room_ = false;
  epoll_event readable{};
  readable.events = EPOLLIN;
  PROFFER_CHECK(::epoll_ctl(poll_.get(), EPOLL_CTL_ADD, channel_.fd(), &readable) == 0,
                "the launcher's socket cannot be watched");
  auto hello = packet_of(PacketType::hello);
  if (auto known = token()) hello.bytes = *known;
  hello.seq = plan_.run;
  channel_.send(hello);
}

void LauncherClient::refuse(Error why) {
  refused_ = true;
  missing_ = std::move(why);
}

void LauncherClient::lose() {
  if (!welcomed_ && !refused_) note_unanswered();
  channel_.close();
  process_.reset();
  welcomed_ = false;
}

/// One that ends before its answer may have been killed, or was about to end when it was met: another is
/// tried at once. If several do, that is why there is none.
void LauncherClient::note_unanswered() {
  may_retry_ = ++unanswered_ < kTries;
  if (may_retry_) return;
  missing_ = Error{ErrorCode::io, "the launcher ended at its start: see " + plan_.dir + "/" + kLauncherLog};
}

void LauncherClient::send(const Packet& packet) {
  if (!welcomed_) return;
  channel_.send(packet);
  update_interest();
}

void LauncherClient::update_interest() {
  const bool behind = channel_.queued() > 0;
  if (!channel_.open() || std::exchange(wants_room_, behind) == behind) return;
  epoll_event wanted{};
  wanted.events = behind ? EPOLLIN | EPOLLOUT : EPOLLIN;
  PROFFER_CHECK(::epoll_ctl(poll_.get(), EPOLL_CTL_MOD, channel_.fd(), &wanted) == 0,
                "the launcher's socket cannot be watched");
}

std::vector<Packet> LauncherClient::receive() {
  std::vector<Packet> packets;
  take(packets);
  // Only after it was listened to: an agent that was away itself must not take that for silence of the other.
  std::uint64_t expired = 0;
  if (::read(timer_.get(), &expired, sizeof expired) == sizeof expired) tick();
  static_cast<void>(ensure());
  return packets;
}

void LauncherClient::take(std::vector<Packet>& packets) {
  if (!channel_.open()) return;
  channel_.flush();
  for (auto& one : channel_.receive()) {
    silent_ = 0;
    if (one.type == PacketType::refused) refuse({ErrorCode::exists, one.text});
    if (one.type == PacketType::welcome) {
      welcomed_ = true;
      unanswered_ = 0;
      missing_.reset();
    }
    if (one.type != PacketType::beat) packets.push_back(std::move(one));
  }
  if (!channel_.open()) return lose();
  update_interest();
}

void LauncherClient::tick() {
  std::erase_if(children_, [](pid_t child) { return ::waitpid(child, nullptr, WNOHANG) != 0; });
  may_retry_ = true;
  if (!channel_.open()) return;
  if (++silent_ > kBeatsOfSilence) {
    kill_it();
    return lose();
  }
  channel_.send(packet_of(PacketType::beat));
  update_interest();
}

void LauncherClient::kill_it() {
  // The connection still stands, so it was the launcher that the descriptor was opened for.
  if (process_.open()) ::syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
}

bool LauncherClient::wait_readable(Clock::time_point until) const {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  pollfd wanted{poll_.get(), POLLIN, 0};
  return left > 0 && (::poll(&wanted, 1, static_cast<int>(left)) >= 0 || errno == EINTR);
}

Result<> LauncherClient::end_all() {
  const auto give_up_at = Clock::now() + kEndPatience;
  while (!welcomed_) {
    if (auto there = ensure(); !there) return there;
    if (!wait_readable(give_up_at)) return Error{ErrorCode::timed_out, "the launcher does not answer"};
    static_cast<void>(receive());
  }
  send(packet_of(PacketType::end_all));
  while (channel_.open()) {
    if (!wait_readable(give_up_at)) return Error{ErrorCode::timed_out, "the launcher does not end"};
    std::vector<Packet> ignored;
    take(ignored);
    std::uint64_t expired = 0;
    static_cast<void>(::read(timer_.get(), &expired, sizeof expired));
  }
  refuse({ErrorCode::refused, "the launcher has been told to end"});
  return {};
}

}  // namespace proffer::live
