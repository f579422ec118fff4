#include "tests/live_transport/raw.hpp"

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
