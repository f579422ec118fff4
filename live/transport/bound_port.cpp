// A ROUTER that binds. Its peers are the connections that have said something; a connection that ends is
// noticed by its descriptor, as ZeroMQ does not say which routing id has gone.
#include <sys/socket.h>

#include <algorithm>
#include <set>

#include "live/transport/held_bytes.hpp"
#include "live/transport/peer_table.hpp"
#include "live/transport/pollable.hpp"
#include "live/transport/zmq_socket.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

/// Automatic routing ids are a zero byte and a counter of four; all others were made up by the peer.
bool is_automatic(std::string_view route) { return route.size() == 5 && route.front() == '\0'; }

std::uint32_t number_of(std::string_view route) {
  std::uint32_t number = 0;
  for (const char byte : route.substr(1)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

/// Returns whether the connection with that automatic route was there before the other: their numbers rise,
/// and may wrap.
bool is_older(std::string_view route, std::string_view other) {
  return number_of(other) - number_of(route) < 1u << 31;
}

/// The frames of an oversized multipart message that one call throws away before others have their turn.
constexpr int kDrainFrames = 1024;

/// ROUTER sockets are "writable" as long as any one peer is, so a blocked peer is tried again after a while,
/// which doubles as long as it takes nothing: it may stand still for long, and there may be many.
constexpr Duration kRetryBlocked = std::chrono::milliseconds(5);
constexpr Duration kRetryBlockedLongest = std::chrono::milliseconds(80);

/// The period of looks at peers that lag and for which nothing waits.
constexpr Duration kLookAtLag = std::chrono::milliseconds(100);

/// The period of the search for connections of which too much is held.
constexpr Duration kLookEvery = std::chrono::milliseconds(50);

class RouterPort final : public BoundPort, private Pollable {
 public:
  RouterPort(QueueRoom& room, std::size_t flight) : flight_(flight), peers_(room) {}

  Result<> bind_to(Context& context, const std::string& endpoint) {
    if (auto opened = socket_.open(context, ZmqSocket::Role::router); !opened) return opened;
    auto bound = socket_.bind(endpoint);
    if (bound.ok()) endpoint_ = socket_.last_endpoint();
    return bound;
  }

  std::optional<PortFrame> receive() override;
  Sent send(PeerId peer, std::string bytes) override {
    return send_as(Traffic::control, peer, std::move(bytes));
  }
  Sent send_as(Traffic traffic, PeerId id, std::string bytes) override;
  void flush() override;
  bool pending() const override { return !blocked_.empty(); }
  void* native() const override {
    return const_cast<Pollable*>(static_cast<const Pollable*>(this));  // the Poller only asks it things
  }
  const std::string& endpoint() const override { return endpoint_; }
  void close_peer(PeerId peer) override;
  std::vector<PeerId> take_lost() override;
  std::vector<PeerLag> take_lags() override;
  std::uint64_t dropped() const override { return dropped_; }

 private:
  void* socket() const override { return socket_.socket(); }
  void* monitor() const override { return socket_.monitor(); }
  bool wants_writable() const override { return false; }
  std::optional<Duration> retry_after() const override;

  void note_connections();
  void end_greedy(bool nothing_waits);
  std::optional<ZmqFrame> pull_payload();
  void disconnected(PeerId id, Peer& peer);
  void lose_disconnected();
  void forget(PeerId peer);
  void lose(PeerId peer);
  std::optional<PeerId> meet(const std::string& route, int fd);
  std::optional<PortFrame> accept(ZmqFrame route, ZmqFrame payload);
  bool drain_rest();
  Pushed push(Peer& peer, std::string_view bytes);
  bool push_queued(PeerId id, Peer& peer, Time now);

  const std::size_t flight_;
  ZmqSocket socket_;
  std::string endpoint_;
  PeerTable peers_;
  HeldBytes held_;
  Time next_look_{};
  std::set<PeerId> blocked_;  // peers with something queued
  std::set<PeerId> lagging_;  // peers that take_lags() has named, and that have not caught up
  std::vector<PeerId> lost_;
  std::uint64_t dropped_ = 0;
  bool draining_ = false;  // inside a message of too many frames
  bool any_disconnected_ = false;
};

std::optional<PortFrame> RouterPort::receive() {
  note_connections();
  end_greedy(false);
  while (drain_rest()) {
    auto route = socket_.pull();
    if (!route) {
      lose_disconnected();
      end_greedy(true);
      if (any_disconnected_) continue;  // noticed just now: there may be last words
      return {};
    }
    PROFFER_CHECK(route->more, "a message from a ROUTER begins with its routing id");
    auto payload = pull_payload();
    PROFFER_CHECK(payload, "frames of a message arrive together");
    draining_ = payload->more;
    if (auto frame = accept(std::move(*route), std::move(*payload))) return frame;
  }
  return {};
}

/// False when more than a turn's worth was thrown away, and there is still more.
bool RouterPort::drain_rest() {
  for (int i = 0; draining_; ++i) {
    if (i == kDrainFrames) return false;
    const auto frame = pull_payload();
    draining_ = frame && frame->more;
  }
  return true;
}

/// A frame that came over a connection, unlike routing ids.
std::optional<ZmqFrame> RouterPort::pull_payload() {
  auto frame = socket_.pull();
  if (frame) held_.taken(frame->fd, frame->bytes.size(), !frame->more);
  return frame;
}

/// A look while nothing waits is worth more, so a look at another time waits for twice as long.
void RouterPort::end_greedy(bool nothing_waits) {
  if (!held_.any()) return;
  const auto now = steady_now();
  if (now < next_look_ + (nothing_waits ? Duration::zero() : kLookEvery)) return;
  next_look_ = now + kLookEvery;
  note_connections();  // done while descriptors are still those of the connections
  dropped_ += held_.end_greedy(nothing_waits);
}

std::optional<PortFrame> RouterPort::accept(ZmqFrame route, ZmqFrame payload) {
  if (draining_ || !is_automatic(route.bytes)) {
    ++dropped_;
    return {};
  }
  const auto known = peers_.by_route(route.bytes);
  const auto peer = known ? known : meet(route.bytes, payload.fd);
  if (!peer) {
    ++dropped_;
    return {};
  }
  return PortFrame{*peer, std::move(payload.bytes)};
}

/// The end of the connection that had this descriptor before was announced before the descriptor could be
/// used again, so it is noted first. None: the route is of such a former connection, whose last words come
/// after the first ones of the connection that has the descriptor now.
std::optional<PeerId> RouterPort::meet(const std::string& route, int fd) {
  note_connections();
  if (const auto former = peers_.by_fd(fd)) {
    if (is_older(route, peers_.find(*former)->route)) return {};
    lose(*former);
  }
  return peers_.add(route, fd);
}

void RouterPort::note_connections() {
  while (const auto event = socket_.next_event()) {
    if (event->what == ConnectionEvent::What::accepted) held_.accepted(event->fd);
    if (event->what != ConnectionEvent::What::gone) continue;
    held_.gone(event->fd);
    if (const auto id = peers_.by_fd(event->fd)) disconnected(*id, *peers_.find(*id));
  }
}

/// Nothing more is sent to the peer, but its last words may still wait to be received.
void RouterPort::disconnected(PeerId id, Peer& peer) {
  peer.disconnected = true;
  any_disconnected_ = true;
  blocked_.erase(id);
  lagging_.erase(id);
}

/// Called when nothing is left to receive: so a peer's last words come before the news of its loss.
void RouterPort::lose_disconnected() {
  if (!any_disconnected_) return;
  any_disconnected_ = false;
  for (const auto id : peers_.disconnected()) lose(id);
}

void RouterPort::lose(PeerId peer) {
  forget(peer);
  lost_.push_back(peer);
}

void RouterPort::forget(PeerId peer) {
  blocked_.erase(peer);
  lagging_.erase(peer);
  peers_.remove(peer);
}

/// The connection ends as well: what ZeroMQ holds for it is freed, and whoever is behind it cannot come again
/// as another peer without connecting anew.
void RouterPort::close_peer(PeerId id) {
  note_connections();
  const auto* peer = peers_.find(id);
  if (peer == nullptr) return;
  if (!peer->disconnected && peer->fd >= 0) ::shutdown(peer->fd, SHUT_RDWR);
  forget(id);
}

/// Gives ZeroMQ no more than it may hold, unless it holds nothing.
Pushed RouterPort::push(Peer& peer, std::string_view bytes) {
  if (!peer.outflow.has_room(bytes.size(), flight_)) return Pushed::would_block;
  const auto pushed = socket_.push(peer.route, bytes);
  if (pushed == Pushed::taken) peer.outflow.pushed(bytes.size());
  return pushed;
}

/// Pushes queued messages in order, as far as they are taken. False when the peer is gone.
bool RouterPort::push_queued(PeerId id, Peer& peer, Time now) {
  bool any = false;
  while (!peer.queue.empty()) {
    const auto pushed = push(peer, peer.queue.front());
    if (pushed == Pushed::no_route) {
      disconnected(id, peer);
      return false;
    }
    if (pushed == Pushed::would_block) break;
    peer.queue.pop();
    any = true;
  }
  if (peer.queue.empty()) blocked_.erase(id);
  peer.try_every = any ? kRetryBlocked : std::clamp(peer.try_every * 2, kRetryBlocked, kRetryBlockedLongest);
  peer.try_at = now + peer.try_every;
  return true;
}

Sent RouterPort::send_as(Traffic traffic, PeerId id, std::string bytes) {
  auto* peer = peers_.find(id);
  if (peer == nullptr || peer->disconnected) return Sent::peer_gone;
  if (peer->queue.empty()) {
    const auto pushed = push(*peer, bytes);
    if (pushed == Pushed::taken) return Sent::yes;
    if (pushed == Pushed::no_route) {
      disconnected(id, *peer);
      return Sent::peer_gone;
    }
  }
  const auto now = steady_now();
  if (peer->queue.add(bytes, traffic, now)) {
    if (blocked_.insert(id).second) peer->try_at = now + kRetryBlocked;
    return Sent::yes;
  }
  if (traffic != Traffic::control) {
    if (traffic == Traffic::update) lagging_.insert(id);
    return Sent::too_slow;
  }
  // A burst may be over before the next flush, though the peer reads all the time.
  if (!push_queued(id, *peer, now)) return Sent::peer_gone;
  if (peer->queue.add(std::move(bytes), traffic, now)) {
    blocked_.insert(id);
    return Sent::yes;
  }
  close_peer(id);  // the peer would miss a message and never know; a new session is the cure
  lost_.push_back(id);
  return Sent::full;
}

void RouterPort::flush() {
  if (blocked_.empty()) return;
  const auto now = steady_now();
  for (const auto id : std::vector<PeerId>(blocked_.begin(), blocked_.end())) {
    auto* peer = peers_.find(id);
    if (peer->try_at <= now) push_queued(id, *peer, now);
  }
}

std::optional<Duration> RouterPort::retry_after() const {
  std::optional<Duration> after;
  const auto within = [&](Duration most) { after = after ? std::min(*after, most) : most; };
  if (any_disconnected_) within(Duration::zero());  // the event that would wake the loop may have been read
  if (held_.any()) within(kLookEvery);
  if (!lagging_.empty()) within(kLookAtLag);
  for (const auto id : blocked_) {
    within(std::max(peers_.find(id)->try_at - steady_now(), Duration::zero()));
  }
  return after;
}

std::vector<PeerLag> RouterPort::take_lags() {
  std::vector<PeerLag> changed;
  if (blocked_.empty() && lagging_.empty()) return changed;
  const auto now = steady_now();
  auto looked_at = lagging_;
  looked_at.insert(blocked_.begin(), blocked_.end());
  for (const auto id : looked_at) {
    auto& peer = *peers_.find(id);
    const auto lag = peer.queue.lag(now);
    if (lag == Lag::none) {
      lagging_.erase(id);
    } else {
      lagging_.insert(id);
    }
    if (lag != std::exchange(peer.told, lag)) changed.push_back({id, lag});
  }
  return changed;
}

std::vector<PeerId> RouterPort::take_lost() { return std::exchange(lost_, {}); }

}  // namespace

Result<std::unique_ptr<BoundPort>> BoundPort::bind(Context& context, const std::string& endpoint,
                                                   std::size_t flight) {
  auto port = std::make_unique<RouterPort>(context.queue_room(), flight);
  if (auto bound = port->bind_to(context, endpoint); !bound) return bound.error();
  return std::unique_ptr<BoundPort>(std::move(port));
}

}  // namespace proffer::live
