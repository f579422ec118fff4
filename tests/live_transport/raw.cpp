#include "tests/live_transport/raw.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <zmq.hpp>

namespace proffer::live::test {
namespace {

constexpr int kPatienceMs = 20000;

bool send_all(zmq::socket_t& socket, const std::vector<std::string>& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto flags = i + 1 < frames.size() ? zmq::send_flags::sndmore : zmq::send_flags::none;
    if (!socket.send(zmq::buffer(frames[i]), flags)) return false;
  }
  return true;
}

/// The first frame.
std::string receive_one(zmq::socket_t& socket) {
  zmq::message_t message;
  if (!socket.recv(message)) return {};
  auto first = message.to_string();
  while (message.more() && socket.recv(message)) {
  }
  return first;
}

}  // namespace

struct RawPeer::Impl {
  zmq::context_t context;
  zmq::socket_t socket{context, ZMQ_DEALER};
};

RawPeer::RawPeer(const std::string& endpoint, const std::string& routing_id)
    : impl_(std::make_unique<Impl>()) {
  auto& socket = impl_->socket;
  if (!routing_id.empty()) socket.set(zmq::sockopt::routing_id, routing_id);
  socket.set(zmq::sockopt::linger, 0);
  socket.set(zmq::sockopt::sndtimeo, kPatienceMs);
  socket.set(zmq::sockopt::rcvtimeo, kPatienceMs);
  socket.connect(endpoint);
}

RawPeer::~RawPeer() = default;

bool RawPeer::send(const std::vector<std::string>& frames) { return send_all(impl_->socket, frames); }

std::optional<std::string> RawPeer::receive() {
  zmq::message_t message;
  if (!impl_->socket.recv(message)) return {};
  return message.to_string();
}

// ---- bytes ----

namespace {

/// Bytes of a ZMTP 3.1 greeting without security: signature, version, mechanism, as a client.
std::string greeting() {
  std::string bytes = "\xff" + std::string(8, '\0') + "\x7f\x03\x01" + "NULL";
  bytes.resize(64, '\0');
  return bytes;
}

std::string frame(char flags, const std::string& body) {
  return std::string{flags, static_cast<char>(body.size())} + body;
}

std::string property(const std::string& name, const std::string& value) {
  return static_cast<char>(name.size()) + name + std::string(3, '\0') + static_cast<char>(value.size()) +
         value;
}

std::uint16_t port_of(const std::string& endpoint) {
  return static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
}

constexpr char kCommand = 4;

}  // namespace

RawConnection::RawConnection(const std::string& endpoint)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval patience{kPatienceMs / 1000, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_of(endpoint));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return;
  ready_ =
      write(greeting()) && read(greeting().size()) &&
      write(frame(kCommand, "\x05READY" + property("Socket-Type", "DEALER") + property("Identity", ""))) &&
      read(1);
}

RawConnection::~RawConnection() {
  const linger none{1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &none, sizeof none);
  ::close(socket_);
}

bool RawConnection::write(const std::string& bytes) {
  return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

bool RawConnection::read(std::size_t size) {
  std::string bytes(size, '\0');
  return ::recv(socket_, bytes.data(), size, MSG_WAITALL) == static_cast<ssize_t>(size);
}

std::string RawConnection::message(const std::string& body) { return frame(0, body); }
std::string RawConnection::ping() { return frame(kCommand, std::string("\x04PING\0\0", 7)); }

struct RawServer::Impl {
  zmq::context_t context;
  zmq::socket_t socket{context, ZMQ_ROUTER};
};

RawServer::RawServer() : impl_(std::make_unique<Impl>()) {
  impl_->socket.set(zmq::sockopt::rcvtimeo, kPatienceMs);
  impl_->socket.bind("tcp://127.0.0.1:*");
}

RawServer::~RawServer() = default;
std::string RawServer::endpoint() const { return impl_->socket.get(zmq::sockopt::last_endpoint); }

bool RawServer::answer_next(const std::vector<std::vector<std::string>>& answers) {
  const auto peer = receive_one(impl_->socket);
  if (peer.empty()) return false;
  for (auto frames : answers) {
    frames.insert(frames.begin(), peer);
    if (!send_all(impl_->socket, frames)) return false;
  }
  return true;
}

std::vector<std::string> coming_routing_ids(unsigned seed, int count) {
  std::srand(seed);
  const auto low = static_cast<std::uint32_t>(std::rand());
  const auto high = static_cast<std::uint32_t>(std::rand());
  std::srand(seed);
  std::vector<std::string> ids;
  for (int i = 0; i < count; ++i) {
    const auto n = (low | (high << 31)) + static_cast<std::uint32_t>(i);
    std::string id(1, '\0');
    for (const int shift : {24, 16, 8, 0}) id += static_cast<char>((n >> shift) & 0xff);
    ids.push_back(id);
  }
  return ids;
}

void replay_squatting_on_an_unseeded_router() {
  const auto ids = coming_routing_ids(1, 1);
  zmq::context_t context;
  zmq::socket_t router(context, ZMQ_ROUTER);
  router.set(zmq::sockopt::rcvtimeo, kPatienceMs);
  router.bind("tcp://127.0.0.1:*");
  const auto endpoint = router.get(zmq::sockopt::last_endpoint);
  RawPeer squatter(endpoint, ids.front());
  squatter.send({"mine"});
  receive_one(router);
  RawPeer ordinary(endpoint);
  ordinary.send({"hello"});
  receive_one(router);
}

}  // namespace proffer::live::test
