// The thin wall around ZeroMQ: one socket with its monitor, and the wait for many. zmq_socket.cpp is the only
// source that includes its headers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/live/port.hpp"

namespace proffer::live {

struct ZmqFrame {
  std::string bytes;
  bool more = false;  ///< another frame of the same message follows, and is there already
  int fd = -1;        ///< the connection it came over; -1: unknown
};

enum class Pushed : std::uint8_t { taken, would_block, no_route };

struct ConnectionEvent {
  enum class What : std::uint8_t { ready, gone, accepted } what = What::gone;
  int fd = -1;
};

/// A ROUTER or DEALER with every option of our list set. Never blocks.
class ZmqSocket {
 public:
  enum class Role : std::uint8_t { router, dealer };
  ZmqSocket() = default;
  /// Makes the socket; must be called first of all. `slow_down` when the process has as many sockets, or
  /// descriptors, as it may have.
  Result<> open(Context& context, Role role);
  /// Messages that were taken for sending get 500 ms to leave; see Context.
  ~ZmqSocket();
  ZmqSocket(const ZmqSocket&) = delete;
  ZmqSocket& operator=(const ZmqSocket&) = delete;

  /// Binds the socket. `exists`, `refused`, `invalid` or `slow_down`.
  Result<> bind(const std::string& endpoint);
  /// Connects the socket. `invalid` or `slow_down`.
  Result<> connect(const std::string& endpoint);
  std::string last_endpoint() const;

  std::optional<ZmqFrame> pull();
  /// Sends a whole message; `route` is empty for a dealer.
  Pushed push(std::string_view route, std::string_view bytes);
  /// Returns the next change of a connection, in order; none when there was none since.
  std::optional<ConnectionEvent> next_event();

  void* socket() const { return socket_; }
  void* monitor() const { return monitor_; }

 private:
  void set_options(Role role);
  void allow_ipv6(const std::string& endpoint);
  Result<> open_monitor(void* context);
  Pushed push_frame(std::string_view bytes, bool more);

  void* socket_ = nullptr;
  void* monitor_ = nullptr;
};

struct ZmqPollItem {
  void* socket = nullptr;  // a socket, or a descriptor
  int fd = -1;
  bool writable = false;  ///< wake for writing, too
  bool ready = false;     ///< the answer
};

/// Waits for any of `items`, at most `timeout_ms` (-1: for ever). A signal ends the wait early.
void zmq_wait(std::vector<ZmqPollItem>& items, long timeout_ms);

}  // namespace proffer::live
