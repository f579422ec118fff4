// Sockets with exactly the options and rules that keep ZeroMQ from losing, hoarding or aborting; the only
// place that knows ZeroMQ. A port belongs to one thread at a time; a mutex lies between two. Messages are
// single frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/limits.hpp"
#include "proffer/live/limits.hpp"
#include "proffer/machine.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

class PortPool;
class QueueRoom;

/// The ZeroMQ context: one a process, made before anything else. Seeds rand() (automatic routing ids come
/// from it) before the ZeroMQ context. The process may have more descriptors from then on.
class Context {
 public:
  /// `sockets`: the most sockets that there can be; a port takes three. 0: limits::kSockets, or fewer where
  /// there are too few descriptors for them and their connections.
  explicit Context(int sockets = 0);
  ~Context();
  void* native() const;
  /// Returns the process's connections to data ports.
  PortPool& data_ports() const;
  /// Returns the room that is left for the queues of all peers.
  QueueRoom& queue_room() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The fate of a message given to send().
enum class Sent : std::uint8_t {
  yes,   ///< accepted: on its way or in the peer's own bounded queue
  full,  ///< refused, since the queue is full; a BoundPort closes that peer, and take_lost() will name it
  peer_gone,  ///< refused, since nobody is there; take_lost() will name it once its last words are received
  too_slow,   ///< refused, since the peer is behind and the message can wait, or be lost; the peer stays
};

/// The classes of messages to a peer that is behind with reading them.
enum class Traffic : std::uint8_t {
  control,  ///< must reach the peer: one that does not fit any more ends the connection
  update,   ///< counted on, and said again as long as it is not answered
  loose,    ///< useful now or never: may be lost
  sign,     ///< a mere sign of life
};

struct PortFrame {
  PeerId peer;  ///< always PeerId{0} from a ConnectedPort
  std::string bytes;
};

/// A socket. A loop's turn: flush(), Poller::wait, receive() until it has nothing, take_lost(). Losses are
/// noticed by receive() and send(); a peer's last messages come before the news of its loss. When a port is
/// destroyed, messages that ZeroMQ has taken get 500 ms to leave; pending() ones are dropped.
class Port {
 public:
  virtual ~Port() = default;
  /// Returns the next message, or none when there is none now. Never blocks.
  virtual std::optional<PortFrame> receive() = 0;
  virtual Sent send(PeerId peer, std::string bytes) = 0;
  /// Pushes queued messages on as far as peers take them.
  virtual void flush() = 0;
  /// Returns whether flush() has something to do.
  virtual bool pending() const = 0;
  /// A Pollable of this room; for Poller only.
  virtual void* native() const = 0;
};

/// A ROUTER socket, which binds; PeerIds are minted in order of first message, never reused.
class BoundPort : public Port {
 public:
  /// Binds. tcp://127.0.0.1:0 and tcp://127.0.0.1:* choose a free port. `exists` when the address is taken,
  /// `invalid` when it is no address, `slow_down` when the process can have no more sockets.
  /// `flight`: bytes for one peer that ZeroMQ may hold, below the queue that classes of traffic share.
  static Result<std::unique_ptr<BoundPort>> bind(Context& context, const std::string& endpoint,
                                                 std::size_t flight = limits::kFlightBytes);
  /// send() of a message that is not control. `too_slow` when the peer has no room for its class.
  virtual Sent send_as(Traffic traffic, PeerId peer, std::string bytes) = 0;
  /// Returns the address with the port that was chosen.
  virtual const std::string& endpoint() const = 0;
  /// Ends the connection. Sent messages that have not left are dropped; messages that still arrive from the
  /// peer come as a new peer's, which is then lost.
  virtual void close_peer(PeerId peer) = 0;
  /// Returns the peers found gone (or past their queue's bound) since the last call.
  virtual std::vector<PeerId> take_lost() = 0;
  /// Returns the peers that lag more, or less, than at the last call.
  virtual std::vector<PeerLag> take_lags() = 0;
  /// The number of malformed arrivals dropped so far (not one frame, forged routing id, ...).
  virtual std::uint64_t dropped() const = 0;
};

/// A DEALER socket, which connects, and reconnects by itself. It queues (bounded) while there is no
/// connection. Messages queued or under way when a connection ends are dropped, so that nothing stale reaches
/// the peer's next incarnation.
class ConnectedPort : public Port {
 public:
  /// Connects. `invalid` when it is no address, `slow_down` when the process can have no more sockets.
  static Result<std::unique_ptr<ConnectedPort>> connect(Context& context, const std::string& endpoint);
  /// True once after each loss of the connection; also when something could not be sent for 5 s because there
  /// was none (it is dropped then).
  virtual bool take_lost() = 0;
};

/// Waits for ports and file descriptors.
class Poller {
 public:
  struct Wanted {
    Port* port = nullptr;  ///< either a port or a descriptor
    int fd = -1;
  };
  /// Waits until something is readable (or, for ports with pending(), writable) or `timeout` (none: no limit)
  /// has passed. ready(i) is the result for wanted[i]. Interrupted waits return early.
  void wait(const std::vector<Wanted>& wanted, std::optional<Duration> timeout);
  bool ready(std::size_t index) const { return index < ready_.size() && ready_[index]; }

 private:
  std::vector<bool> ready_;
};

/// Returns the steady clock's time, as machines know it.
Time steady_now();

}  // namespace proffer::live
