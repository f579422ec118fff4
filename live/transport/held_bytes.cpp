#include "live/transport/held_bytes.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "live/transport/on_the_wire.hpp"
#include "proffer/limits.hpp"

namespace proffer::live {
namespace {

constexpr int kEventsAtOnce = 256;
constexpr std::size_t kTurnsAtOnce = 16;

/// Returns the bytes that left the kernel for this process. What arrives between the two questions counts as
/// unread.
std::optional<std::uint64_t> bytes_read(int fd) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  if (size < offsetof(tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received) return {};
  int unread = 0;
  if (::ioctl(fd, FIONREAD, &unread) != 0) return {};
  const auto received = static_cast<std::uint64_t>(info.tcpi_bytes_received);
  return received - std::min(received, static_cast<std::uint64_t>(unread));
}

/// Ends a connection. ZeroMQ reads the end, closes the descriptor, and frees what it holds of the connection;
/// then the peer, which may wait for a window that never opens, is told by a reset.
void end_connection(int fd) {
  const linger reset{1, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  ::shutdown(fd, SHUT_RDWR);
}

}  // namespace

// Connections are looked at in turn only, where no descriptor is left for epoll.
HeldBytes::HeldBytes() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}

void HeldBytes::accepted(int fd) {
  connections_[fd] = {};
  epoll_event wanted{};
  // Writable is asked for, too: what has been read already is no longer readable, and would not be named.
  wanted.events = EPOLLIN | EPOLLOUT | EPOLLET;
  wanted.data.fd = fd;
  // Adding fails where the connection has ended already, of which its end will tell.
  static_cast<void>(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &wanted));
}

void HeldBytes::gone(int fd) { connections_.erase(fd); }

void HeldBytes::taken(int fd, std::size_t bytes, bool last) {
  const auto found = connections_.find(fd);
  if (found == connections_.end()) return;
  auto& connection = found->second;
  connection.taken += on_the_wire(bytes);
  if (last) connection.taken = std::max(connection.taken, connection.read_when_idle);
}

bool HeldBytes::look(int fd, Connection& connection, bool nothing_waits) const {
  const auto read = connection.ended ? std::nullopt : bytes_read(fd);
  if (!read) return false;
  connection.taken = std::min(connection.taken, *read);
  if (nothing_waits) connection.read_when_idle = *read;
  if (*read - connection.taken <= limits::kPeerHeldBytes) return false;
  end_connection(fd);
  connection.ended = true;
  return true;
}

std::size_t HeldBytes::end_greedy(bool nothing_waits) {
  return look_at_busy(nothing_waits) + look_at_some(nothing_waits);
}

std::size_t HeldBytes::look_at_busy(bool nothing_waits) {
  std::size_t ended = 0;
  std::array<epoll_event, kEventsAtOnce> events;
  for (int count = kEventsAtOnce; count == kEventsAtOnce;) {
    count = ::epoll_wait(epoll_.get(), events.data(), kEventsAtOnce, 0);
    for (int i = 0; i < count; ++i) {
      const auto found = connections_.find(events[static_cast<std::size_t>(i)].data.fd);
      if (found == connections_.end()) continue;
      ended += look(found->first, found->second, nothing_waits) ? 1 : 0;
    }
  }
  return ended;
}

std::size_t HeldBytes::look_at_some(bool nothing_waits) {
  std::size_t ended = 0;
  auto next = connections_.upper_bound(looked_at_);
  for (std::size_t n = std::min(kTurnsAtOnce, connections_.size()); n > 0; --n, ++next) {
    if (next == connections_.end()) next = connections_.begin();
    looked_at_ = next->first;
    ended += look(next->first, next->second, nothing_waits) ? 1 : 0;
  }
  return ended;
}

}  // namespace proffer::live
