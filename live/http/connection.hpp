// One connection of a client of the HTTP server, within bounds that the library does not set by itself: it
// would read headers without end, and wait for each byte of a slow client anew.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "proffer/time.hpp"

namespace proffer::live {

/// Bytes of a socket, until a client has said too much, has taken too long, or `stop` is readable.
class Connection {
 public:
  static constexpr std::size_t kRequestBytes = 16 * 1024;            ///< of a request, its headers included
  static constexpr Duration kRequestTime = std::chrono::seconds(2);  ///< from its first byte to its last
  static constexpr Duration kWriteTime = std::chrono::seconds(5);  ///< for a client to take some of an answer
  static constexpr Duration kIdleTime = std::chrono::seconds(2);   ///< between two requests

  static constexpr int kNobody = -1;

  /// Neither descriptor is owned. `socket` is made to block nobody.
  Connection(int socket, int stop);
  /// Waits for the first byte of a request, and begins to count its bytes and its time. False: none came,
  /// or the descriptor `others` became readable before.
  bool next_request(int others);
  /// Returns 0 at the end of what the client says, and -1 where it is heard no further.
  ssize_t read(char* into, std::size_t size);
  /// Writes some of it; -1 when the client does not take it.
  ssize_t write(const char* from, std::size_t size);
  /// Returns whether there is something to read, or the request's time or bytes are used up.
  bool readable();
  /// Returns whether the client is still there and takes more.
  bool writable();
  /// Lets that time pass; returns false, at once, when the client says something or goes, or all stops.
  bool quiet(Duration time) const;
  int socket() const { return socket_; }

 private:
  /// Waits for `events` of the socket; false when they did not come until then, when everything stops, or
  /// when `others` is readable and they are not there.
  bool wait(short events, Time until, int others = kNobody) const;

  int socket_;
  int stop_;
  std::array<char, 4096> buffer_{};  // the library asks for one byte at a time
  std::size_t begin_ = 0;            // of what is in the buffer and was not handed out yet
  std::size_t end_ = 0;
  std::size_t read_ = 0;  // bytes of this request
  Time until_ = Time::max();
};

}  // namespace proffer::live
