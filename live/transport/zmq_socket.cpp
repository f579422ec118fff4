#include "live/transport/zmq_socket.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <zmq.hpp>

#include "live/os/descriptor_limit.hpp"
#include "live/transport/port_pool.hpp"
#include "live/transport/queue_room.hpp"
#include "proffer/check.hpp"
#include "proffer/limits.hpp"
#include "proffer/live/entropy.hpp"

#if defined(__SANITIZE_THREAD__)
/// The distribution's ZeroMQ is not instrumented, so ThreadSanitizer cannot see how its threads hand over,
/// nor that they accepted, or close, the descriptors that are looked at here.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "called_from_lib:libzmq.so\nrace:proffer::live::HeldBytes::\nrace:proffer::live::Outflow::\n";
}
#endif

namespace proffer::live {
namespace {

// ---- addresses, as people write them: tcp://HOST:PORT, or ipc://PATH ----

enum class Side : std::uint8_t { listen, connect };

bool is_port(std::string_view text, Side side) {
  if (text == "*") return side == Side::listen;
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port > 65535) return false;
  return port > 0 || side == Side::listen;
}

bool is_tcp(std::string_view rest, Side side) {
  const auto colon = rest.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  return is_port(rest.substr(colon + 1), side);
}

/// Returns HOST of tcp://HOST:PORT; brackets around an IPv6 address are part of it.
std::string_view host_of(std::string_view endpoint) {
  if (!endpoint.starts_with("tcp://")) return {};
  endpoint.remove_prefix(6);
  return endpoint.substr(0, endpoint.rfind(':'));
}

bool is_bracketed(std::string_view host) { return host.starts_with('[') && host.ends_with(']'); }

/// Checks an address before ZeroMQ sees it, which takes ports past 65535 (and wraps them) and half-readable
/// ones. To listen, port 0 or * means a free one. `invalid` with one clear sentence.
Result<> check_endpoint(const std::string& endpoint, Side side) {
  const std::string_view text = endpoint;
  const bool is_short = text.size() <= limits::kPathBytes;
  const auto host = host_of(text);
  if (is_short && host.find(':') != std::string_view::npos && !is_bracketed(host)) {
    return Error{ErrorCode::invalid, "\"" + endpoint.substr(0, 100) +
                                         "\" is no address: an address of IPv6 stands in brackets, as in "
                                         "tcp://[::1]:5150"};
  }
  if (is_short && text.starts_with("tcp://") && is_tcp(text.substr(6), side)) return {};
  if (is_short && text.starts_with("ipc://") && text.size() > 6) return {};
  const auto shown = endpoint.substr(0, 100);
  return Error{ErrorCode::invalid, "\"" + shown + "\" is no address: it should look like tcp://HOST:PORT"};
}

// ---- calls of ZeroMQ ----

constexpr int kSendHighWaterMark = 256;  // ZeroMQ's queues are not the buffer; those of the ports are
constexpr int kNoMark = 0;
constexpr int kHandshakeMs = 5000;
constexpr int kProbeAfterS = 5;
constexpr int kProbeEveryS = 2;
constexpr int kProbes = 5;
constexpr int kUnacknowledgedMs = 30000;
constexpr int kBacklog = 512;
constexpr int kReconnectMs = 100;
constexpr int kReconnectMaxMs = 5000;
constexpr int kConnectTimeoutMs = 5000;
constexpr int kLingerOnCloseMs = 500;

void must(bool done, const char* what) {
  PROFFER_CHECK(done, std::string(what) + ": " + zmq_strerror(zmq_errno()));
}

void set(void* socket, int option, int value) {
  must(zmq_setsockopt(socket, option, &value, sizeof value) == 0, "setting an option of a socket");
}

/// ZeroMQ draws its automatic routing ids and reconnect jitter from rand() but never seeds it. A peer that
/// guesses a coming id can abort the process, so nothing may be made before this.
void seed_rand() { std::srand(static_cast<unsigned>(entropy())); }

/// The system, or ZeroMQ, has no room for another one; this is no mistake of ours, and may be otherwise
/// later.
bool is_shortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM || error == ENOBUFS || error == EAGAIN;
}

Error shortage(int error) {
  return {ErrorCode::slow_down, std::string("no further connection can be opened: ") + zmq_strerror(error)};
}

Error cannot(const char* verb, const std::string& endpoint, int error) {
  if (is_shortage(error)) return shortage(error);
  switch (error) {
    case EADDRINUSE:
      return {ErrorCode::exists, "the address " + endpoint + " is in use by another program"};
    case EACCES:
      return {ErrorCode::refused, "this user may not listen on " + endpoint};
    case EADDRNOTAVAIL:
    case ENODEV:
      return {ErrorCode::invalid, "this machine has no address " + endpoint};
    default:
      return {ErrorCode::invalid,
              "cannot " + std::string(verb) + " " + endpoint + ": " + zmq_strerror(error)};
  }
}

}  // namespace

struct Context::Impl {
  explicit Impl(Context& owner) : data_ports(owner) {}
  zmq::context_t context;
  QueueRoom queue_room;
  PortPool data_ports;
};

namespace {

/// Returns the sockets for which there are descriptors: one each, and one for each port's connection. ZeroMQ
/// aborts where it finds none for a connection's own needs, so some are left in any case.
int affordable_sockets(std::uint64_t descriptors) {
  const auto left = descriptors - std::min(descriptors / 2, limits::kOtherDescriptors);
  return static_cast<int>(std::min<std::uint64_t>(left / 4 * 3, limits::kSockets));
}

}  // namespace

Context::Context(int sockets) {
  seed_rand();
  raise_descriptor_limit(limits::kDescriptors);
  impl_ = std::make_unique<Impl>(*this);
  if (sockets == 0) sockets = affordable_sockets(descriptor_limit());
  must(zmq_ctx_set(native(), ZMQ_MAX_SOCKETS, sockets) == 0, "allowing many sockets");
}
Context::~Context() = default;
QueueRoom& Context::queue_room() const { return impl_->queue_room; }
void* Context::native() const { return impl_->context.handle(); }
PortPool& Context::data_ports() const { return impl_->data_ports; }

Result<> ZmqSocket::open(Context& context, Role role) {
  socket_ = zmq_socket(context.native(), role == Role::router ? ZMQ_ROUTER : ZMQ_DEALER);
  if (socket_ == nullptr) {
    const int error = zmq_errno();
    must(is_shortage(error), "making a socket");
    return shortage(error);
  }
  set_options(role);
  return open_monitor(context.native());
}

ZmqSocket::~ZmqSocket() {
  if (socket_ == nullptr) return;
  zmq_socket_monitor(socket_, nullptr, 0);
  if (monitor_ != nullptr) zmq_close(monitor_);
  set(socket_, ZMQ_LINGER, kLingerOnCloseMs);
  zmq_close(socket_);
}

void ZmqSocket::set_options(Role role) {
  const std::int64_t max_bytes = limits::kFrameBytes;
  must(zmq_setsockopt(socket_, ZMQ_MAXMSGSIZE, &max_bytes, sizeof max_bytes) == 0, "limiting frames");
  set(socket_, ZMQ_SNDHWM, kSendHighWaterMark);
  // libzmq 4.3.4 aborts when it has something to write for a connection that was reset while its input stood
  // still at the mark: a heartbeat of its own, or the answer to the peer's PING, of which any peer may send
  // one. So input never stands still, and there are no heartbeats
  // (https://github.com/zeromq/libzmq/issues/4364).
  set(socket_, ZMQ_RCVHWM, kNoMark);
  set(socket_, ZMQ_HANDSHAKE_IVL, kHandshakeMs);
  set(socket_, ZMQ_LINGER, 0);
  // Half-open connections are reaped by TCP, and only these: the kernel answers for a peer that is merely
  // paused.
  set(socket_, ZMQ_TCP_KEEPALIVE, 1);
  set(socket_, ZMQ_TCP_KEEPALIVE_IDLE, kProbeAfterS);
  set(socket_, ZMQ_TCP_KEEPALIVE_INTVL, kProbeEveryS);
  set(socket_, ZMQ_TCP_KEEPALIVE_CNT, kProbes);
  set(socket_, ZMQ_TCP_MAXRT, kUnacknowledgedMs);
  if (role == Role::router) {
    set(socket_, ZMQ_ROUTER_MANDATORY, 1);  // else messages to nobody, and those past the mark, vanish
    set(socket_, ZMQ_ROUTER_HANDOVER, 0);   // else anybody may take over another's routing id
    set(socket_, ZMQ_BACKLOG, kBacklog);
  } else {
    set(socket_, ZMQ_IMMEDIATE, 1);  // else what was meant for a dead peer reaches its successor
    set(socket_, ZMQ_RECONNECT_IVL, kReconnectMs);
    set(socket_, ZMQ_RECONNECT_IVL_MAX, kReconnectMaxMs);
    set(socket_, ZMQ_CONNECT_TIMEOUT, kConnectTimeoutMs);
  }
}

/// Takes two sockets more: ZeroMQ's own end of the pair, and ours.
Result<> ZmqSocket::open_monitor(void* context) {
  static std::atomic<std::uint64_t> count{0};
  const auto name = "inproc://connections-" + std::to_string(++count);
  constexpr int kWatched = ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_ACCEPTED;
  const bool watched = zmq_socket_monitor(socket_, name.c_str(), kWatched) == 0;
  if (watched) monitor_ = zmq_socket(context, ZMQ_PAIR);
  if (monitor_ == nullptr) {
    const int error = zmq_errno();
    must(is_shortage(error), "watching connections");
    return shortage(error);
  }
  set(monitor_, ZMQ_LINGER, 0);
  set(monitor_, ZMQ_RCVHWM, kNoMark);  // a full pipe would block ZeroMQ's own thread
  must(zmq_connect(monitor_, name.c_str()) == 0, "connecting a monitor");
  return {};
}

/// Only for addresses of IPv6: with it, ZeroMQ looks names up as such first, and shows addresses of IPv4 as
/// mapped ones.
void ZmqSocket::allow_ipv6(const std::string& endpoint) {
  if (is_bracketed(host_of(endpoint))) set(socket_, ZMQ_IPV6, 1);
}

Result<> ZmqSocket::bind(const std::string& endpoint) {
  if (auto checked = check_endpoint(endpoint, Side::listen); !checked) return checked;
  allow_ipv6(endpoint);
  if (zmq_bind(socket_, endpoint.c_str()) == 0) return {};
  return cannot("listen on", endpoint, zmq_errno());
}

Result<> ZmqSocket::connect(const std::string& endpoint) {
  if (auto checked = check_endpoint(endpoint, Side::connect); !checked) return checked;
  allow_ipv6(endpoint);
  if (zmq_connect(socket_, endpoint.c_str()) == 0) return {};
  return cannot("connect to", endpoint, zmq_errno());
}

std::string ZmqSocket::last_endpoint() const {
  char text[limits::kPathBytes];
  std::size_t size = sizeof text;
  must(zmq_getsockopt(socket_, ZMQ_LAST_ENDPOINT, text, &size) == 0, "asking for an address");
  return std::string(text);
}

std::optional<ZmqFrame> ZmqSocket::pull() {
  zmq::message_t message;
  if (zmq_msg_recv(message.handle(), socket_, ZMQ_DONTWAIT) < 0) {
    must(zmq_errno() == EAGAIN || zmq_errno() == EINTR, "receiving");
    return {};
  }
  return ZmqFrame{message.to_string(), message.more(), zmq_msg_get(message.handle(), ZMQ_SRCFD)};
}

Pushed ZmqSocket::push_frame(std::string_view bytes, bool more) {
  const int flags = ZMQ_DONTWAIT | (more ? ZMQ_SNDMORE : 0);
  while (zmq_send(socket_, bytes.data(), bytes.size(), flags) < 0) {
    if (zmq_errno() == EAGAIN) return Pushed::would_block;
    if (zmq_errno() == EHOSTUNREACH) return Pushed::no_route;
    must(zmq_errno() == EINTR, "sending");
  }
  return Pushed::taken;
}

Pushed ZmqSocket::push(std::string_view route, std::string_view bytes) {
  PROFFER_CHECK(bytes.size() <= limits::kFrameBytes, "a message past the limit would close the connection");
  if (!route.empty()) {
    if (const auto pushed = push_frame(route, true); pushed != Pushed::taken) return pushed;
  }
  return push_frame(bytes, false);
}

std::optional<ConnectionEvent> ZmqSocket::next_event() {
  zmq::message_t event;
  if (zmq_msg_recv(event.handle(), monitor_, ZMQ_DONTWAIT) < 0) return {};
  zmq::message_t address;  // the second frame, of no use here
  must(zmq_msg_recv(address.handle(), monitor_, 0) >= 0, "reading a connection's event");
  std::uint16_t kind = 0;
  std::uint32_t fd = 0;
  PROFFER_CHECK(event.size() == sizeof kind + sizeof fd, "an event of an unknown format");
  std::memcpy(&kind, event.data(), sizeof kind);
  std::memcpy(&fd, static_cast<const char*>(event.data()) + sizeof kind, sizeof fd);
  auto what = ConnectionEvent::What::ready;
  if (kind == ZMQ_EVENT_DISCONNECTED) what = ConnectionEvent::What::gone;
  if (kind == ZMQ_EVENT_ACCEPTED) what = ConnectionEvent::What::accepted;
  return ConnectionEvent{what, static_cast<int>(fd)};
}

void zmq_wait(std::vector<ZmqPollItem>& items, long timeout_ms) {
  std::vector<zmq::pollitem_t> polled;
  polled.reserve(items.size());
  for (const auto& item : items) {
    const auto events = static_cast<short>(item.writable ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN);
    polled.push_back({item.socket, item.fd, events, 0});
  }
  const int count = zmq_poll(polled.data(), static_cast<int>(polled.size()), timeout_ms);
  must(count >= 0 || zmq_errno() == EINTR, "waiting for sockets");
  for (std::size_t i = 0; i < items.size(); ++i) items[i].ready = count > 0 && polled[i].revents != 0;
}

}  // namespace proffer::live
