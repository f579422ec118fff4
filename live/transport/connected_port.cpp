// A DEALER that connects, and reconnects by itself. What was meant for one incarnation of its peer never
// reaches the next.
#include "live/transport/peer_queue.hpp"
#include "live/transport/pollable.hpp"
#include "live/transport/zmq_socket.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

/// Messages that are queued for so long without a connection are given up, and count as a loss.
constexpr Duration kGiveUpAfter = std::chrono::seconds(5);

constexpr int kFramesAtOnce = 1024;

class DealerPort final : public ConnectedPort, private Pollable {
 public:
  explicit DealerPort(QueueRoom& room) : queue_(room) {}

  Result<> connect_to(Context& context, const std::string& endpoint) {
    if (auto opened = socket_.open(context, ZmqSocket::Role::dealer); !opened) return opened;
    return socket_.connect(endpoint);
  }

  std::optional<PortFrame> receive() override;
  Sent send(PeerId peer, std::string bytes) override;
  void flush() override;
  bool pending() const override { return !queue_.empty(); }
  void* native() const override {
    return const_cast<Pollable*>(static_cast<const Pollable*>(this));  // the Poller only asks it things
  }
  bool take_lost() override;

 private:
  void* socket() const override { return socket_.socket(); }
  void* monitor() const override { return socket_.monitor(); }
  bool wants_writable() const override { return pending() && connected_; }
  std::optional<Duration> retry_after() const override;

  void note_connection();
  bool push(std::string_view bytes);
  void lose();

  ZmqSocket socket_;
  PeerQueue queue_;
  Time queued_since_{};
  bool connected_ = false;
  bool lost_ = false;
  bool draining_ = false;
};

std::optional<PortFrame> DealerPort::receive() {
  flush();
  for (int i = 0; i < kFramesAtOnce; ++i) {
    auto frame = socket_.pull();
    if (!frame) return {};
    const bool is_part = draining_ || frame->more;
    draining_ = frame->more;
    if (!is_part) return PortFrame{PeerId{0}, std::move(frame->bytes)};
  }
  return {};
}

void DealerPort::note_connection() {
  while (const auto event = socket_.next_event()) {
    const bool was_connected = std::exchange(connected_, event->what == ConnectionEvent::What::ready);
    if (was_connected && !connected_) lose();
  }
  if (pending() && !connected_ && steady_now() - queued_since_ >= kGiveUpAfter) lose();
}

void DealerPort::lose() {
  lost_ = true;
  queue_.clear();
}

Sent DealerPort::send(PeerId, std::string bytes) {
  note_connection();
  if (queue_.empty()) {
    if (push(bytes)) return Sent::yes;
    queued_since_ = steady_now();
  }
  return queue_.add(std::move(bytes), Traffic::control, steady_now()) ? Sent::yes : Sent::full;
}

/// Pushes only while there is a connection: for a moment after a loss ZeroMQ still takes messages, and throws
/// them away with the old connection.
bool DealerPort::push(std::string_view bytes) {
  return connected_ && socket_.push({}, bytes) == Pushed::taken;
}

void DealerPort::flush() {
  note_connection();
  while (!queue_.empty() && push(queue_.front())) queue_.pop();
}

std::optional<Duration> DealerPort::retry_after() const {
  if (!pending() || connected_) return {};
  const auto left = queued_since_ + kGiveUpAfter - steady_now();
  return left > Duration::zero() ? left : Duration::zero();
}

bool DealerPort::take_lost() {
  note_connection();
  return std::exchange(lost_, false);
}

}  // namespace

Result<std::unique_ptr<ConnectedPort>> ConnectedPort::connect(Context& context, const std::string& endpoint) {
  auto port = std::make_unique<DealerPort>(context.queue_room());
  if (auto connected = port->connect_to(context, endpoint); !connected) return connected.error();
  return std::unique_ptr<ConnectedPort>(std::move(port));
}

}  // namespace proffer::live
