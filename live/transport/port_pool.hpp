// Connections to data ports, kept from one request to the next. One pool a process, from which its threads
// borrow: however many agents there are, the process has a bounded number of sockets, and none that is no
// longer used.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "proffer/limits.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {

class PortPool {
 public:
  explicit PortPool(Context& context, std::size_t most = limits::kDataPorts)
      : context_(context), most_(most) {}

  /// A connection that the calling thread has for itself while this lives. Must not outlive the pool.
  class Lease {
   public:
    Lease(Lease&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)),
          endpoint_(std::move(other.endpoint_)),
          port_(std::move(other.port_)) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    ConnectedPort& operator*() const { return *port_; }
    ConnectedPort* operator->() const { return port_.get(); }
    /// Lets the port be closed at the end, and not kept: answers that are still under way there are of no
    /// interest any more. A port that is kept must have none.
    void spoil() { spoilt_ = true; }

   private:
    friend class PortPool;
    Lease(PortPool& pool, std::string endpoint, std::unique_ptr<ConnectedPort> port)
        : pool_(&pool), endpoint_(std::move(endpoint)), port_(std::move(port)) {}
    PortPool* pool_;
    std::string endpoint_;
    std::unique_ptr<ConnectedPort> port_;
    bool spoilt_ = false;
  };

  /// Lends a port that is there already, or a new one, for which the one that was used longest ago is closed
  /// when there are too many. `slow_down` when all are lent, or no socket can be made; `invalid`.
  Result<Lease> borrow(const std::string& endpoint);
  /// Closes connections that nobody has used for limits::kIdlePort. borrow() does as well.
  void close_idle(Time now);
  /// Returns the number of connections, lent ones included.
  std::size_t size() const;

 private:
  struct Idle {
    std::string endpoint;
    std::unique_ptr<ConnectedPort> port;
    Time since{};
  };
  std::unique_ptr<ConnectedPort> take_idle(const std::string& endpoint);
  void give_back(std::string endpoint, std::unique_ptr<ConnectedPort> port, bool spoilt);

  Context& context_;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::size_t lent_ = 0;
  std::list<Idle> idle_;  // the one that was used longest ago first
};

/// A port that has had something to send for so long, without a connection, will not get one.
inline constexpr Duration kConnectPatience = std::chrono::seconds(3);

}  // namespace proffer::live
