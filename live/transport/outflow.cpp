#include "live/transport/outflow.hpp"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstddef>
#include <optional>

#include "live/transport/on_the_wire.hpp"

namespace proffer::live {
namespace {

/// Returns the bytes that this process has given to the kernel: those that the peer has acknowledged, and
/// those that still wait. Asked in this order: what is acknowledged between the two questions counts as not
/// given.
std::optional<std::uint64_t> bytes_written(int fd) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (fd < 0 || ::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  if (size < offsetof(tcp_info, tcpi_bytes_acked) + sizeof info.tcpi_bytes_acked) return {};
  int waiting = 0;
  if (::ioctl(fd, SIOCOUTQ, &waiting) != 0) return {};
  return static_cast<std::uint64_t>(info.tcpi_bytes_acked) + static_cast<std::uint64_t>(waiting);
}

}  // namespace

Outflow::Outflow(int fd) : fd_(fd), begun_at_(bytes_written(fd).value_or(0)) {}

bool Outflow::has_room(std::size_t bytes, std::size_t most) {
  if (pushed_ - written_ + bytes <= most) return true;
  look();
  return pushed_ == written_ || pushed_ - written_ + bytes <= most;
}

void Outflow::pushed(std::size_t bytes) { pushed_ += on_the_wire(bytes); }

/// More than was pushed can only be the protocol's own, such as answers to a peer's PING: else a peer could
/// save them up, and have as many bytes of messages held unseen.
void Outflow::look() {
  const auto written = bytes_written(fd_);
  if (!written) {
    written_ = pushed_;
    return;
  }
  if (*written < begun_at_ + written_) return;
  if (*written > begun_at_ + pushed_) begun_at_ = *written - pushed_;
  written_ = *written - begun_at_;
}

}  // namespace proffer::live
