// A peer that speaks ZMTP over a bare TCP connection, so that it can send what ZeroMQ would not.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

namespace proffer::live::test {

class ZmtpPeer {
 public:
  /// `endpoint`: tcp://127.0.0.1:PORT.
  explicit ZmtpPeer(const std::string& endpoint) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
    open_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    queue_ = std::string("\xff\0\0\0\0\0\0\0\1\x7f\3\0NULL", 16) + std::string(48, '\0');
    queue_ += std::string("\x04\x1c\5READY\x0bSocket-Type\0\0\0\6DEALER", 30);
  }
  ~ZmtpPeer() { ::close(socket_); }
  /// Lets the end be a reset, which drops what the other side has not read.
  void reset_at_end() const {
    const linger none{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  }
  ZmtpPeer(const ZmtpPeer&) = delete;
  ZmtpPeer& operator=(const ZmtpPeer&) = delete;

  /// Puts a frame behind what waits to be sent.
  void add_frame(const std::string& bytes, bool more) {
    if (bytes.size() < 256) {
      queue_ += {static_cast<char>(more ? 1 : 0), static_cast<char>(bytes.size())};
      queue_ += bytes;
      return;
    }
    queue_ += static_cast<char>(2 | (more ? 1 : 0));
    for (int shift = 56; shift >= 0; shift -= 8) queue_ += static_cast<char>(bytes.size() >> shift & 0xff);
    queue_ += bytes;
  }
  void add_ping() { queue_ += std::string("\x04\x07\x04PING\0\0", 9); }
  /// Sends all that waits. False when the connection ends before, or after 20 s.
  bool push_all() {
    return push_until([this] { return !waiting(); });
  }
  /// Sends until the server has shaken hands. False when the connection ends before, or after 20 s.
  bool shake_hands() {
    return push_until([this] { return ready(); });
  }
  /// Sends as much as goes without waiting, and throws away what has come. Returns how many bytes were sent.
  std::size_t push() {
    char answer[4096];
    const auto came = ::recv(socket_, answer, sizeof answer, MSG_DONTWAIT);
    if (came == 0) open_ = false;
    if (came > 0) received_ += static_cast<std::size_t>(came);
    if (!open_) return 0;
    const auto sent = ::send(socket_, queue_.data(), queue_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) {
      open_ = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
      return 0;
    }
    queue_.erase(0, static_cast<std::size_t>(sent));
    sent_ += static_cast<std::size_t>(sent);
    return static_cast<std::size_t>(sent);
  }
  bool waiting() const { return !queue_.empty(); }
  bool open() const { return open_; }  ///< as far as push() has seen
  std::size_t sent() const { return sent_; }
  /// The server has sent its greeting and READY; it ends a connection on which messages come before.
  bool ready() const { return received_ > 64; }

 private:
  template <class Done>
  bool push_until(const Done& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!done() && open_ && std::chrono::steady_clock::now() < deadline) {
      if (push() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return done();
  }

  int socket_;
  bool open_ = false;
  std::string queue_;
  std::size_t sent_ = 0;
  std::size_t received_ = 0;
};

}  // namespace proffer::live::test
