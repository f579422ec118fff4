// A client of HTTP over a plain socket, which can also be rude.
#pragma once

#include <string>

#include "live/os/descriptor.hpp"
#include "proffer/time.hpp"

namespace proffer::live::test {

/// A connection to HOST:PORT of this machine.
class HttpConnection {
 public:
  explicit HttpConnection(const std::string& address);
  /// Sends bytes as they are. False: the server does not take them any more.
  bool say(const std::string& bytes) const;
  /// Returns what has come when `end` is in it, when the server closes, or after so long.
  std::string hear(Duration at_most, const std::string& end = "") const;
  /// Returns whether the server has closed within that time; what it says is thrown away.
  bool closes(Duration within) const;

 private:
  Descriptor socket_;
};

struct HttpAnswer {
  int status = 0;
  std::string head;  ///< status line and headers
  std::string body;
};

/// Asks for a path with one request on a connection of its own. `headers`: further lines, each with its end.
HttpAnswer get(const std::string& address, const std::string& path, const std::string& method = "GET",
               const std::string& headers = "Host: localhost\r\n");

}  // namespace proffer::live::test
