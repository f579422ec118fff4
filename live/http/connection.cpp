#include "live/http/connection.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "proffer/live/port.hpp"

namespace proffer::live {

Connection::Connection(int socket, int stop) : socket_(socket), stop_(stop) {
  ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
}

bool Connection::wait(short events, Time until, int others) const {
  for (;;) {
    std::array<pollfd, 3> wanted{{{socket_, events, 0}, {stop_, POLLIN, 0}, {others, POLLIN, 0}}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - steady_now()).count();
    if (left < 0) return false;
    const int ready = ::poll(wanted.data(), wanted.size(), static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 || wanted[1].revents != 0) return false;
    return (wanted[0].revents & (events | POLLHUP | POLLERR)) != 0;
  }
}

bool Connection::next_request(int others) {
  if (begin_ == end_ && !wait(POLLIN, steady_now() + kIdleTime, others)) return false;
  read_ = 0;
  until_ = steady_now() + kRequestTime;
  return true;
}

bool Connection::readable() { return begin_ != end_ || wait(POLLIN, until_); }

ssize_t Connection::read(char* into, std::size_t size) {
  // What is beyond the bound is not read, and the request is never whole.
  const auto most = std::min(size, kRequestBytes - std::min(read_, kRequestBytes));
  if (most == 0) return -1;
  if (begin_ == end_) {
    if (!wait(POLLIN, until_)) return -1;
    const auto got = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
    if (got <= 0) return got;
    begin_ = 0;
    end_ = static_cast<std::size_t>(got);
  }
  const auto taken = std::min(most, end_ - begin_);
  std::copy_n(buffer_.data() + begin_, taken, into);
  begin_ += taken;
  read_ += taken;
  return static_cast<ssize_t>(taken);
}

bool Connection::writable() {
  if (!wait(POLLOUT, steady_now() + kWriteTime)) return false;
  // A client that is gone shows as the end of what it says.
  char byte = 0;
  const auto got = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
}

bool Connection::quiet(Duration time) const {
  const auto until = steady_now() + time;
  return !wait(POLLIN, until) && steady_now() >= until;
}

ssize_t Connection::write(const char* from, std::size_t size) {
  const auto until = steady_now() + kWriteTime;
  while (wait(POLLOUT, until)) {
    const auto sent = ::send(socket_, from, size, MSG_NOSIGNAL);
    if (sent >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return sent;
  }
  return -1;
}

}  // namespace proffer::live
