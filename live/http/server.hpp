// The HTTP server of an allocator: pages for browsers, answers for programs, metrics for Prometheus. It only
// reads, and only the board.
#pragma once

#include <memory>
#include <string>

#include "live/http/board.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// Serves in threads of its own, of which there are a fixed number. A connection is heard for a bounded time
/// and a bounded number of bytes; those for which there is no thread wait, and the kernel holds them.
class HttpServer {
 public:
  /// Binds HOST:PORT and begins to serve; port 0 is a free one. `board` must outlive the server. `invalid`
  /// for no address, `exists` when it is in use or not this machine's.
  static Result<std::unique_ptr<HttpServer>> start(const std::string& address, Board& board);
  /// Ends all connections, at once.
  ~HttpServer();
  /// HOST:PORT, with the port that it has.
  const std::string& address() const;

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
