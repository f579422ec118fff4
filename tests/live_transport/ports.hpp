// Ports on loopback, and waits that end as soon as what they wait for is there.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "proffer/live/port.hpp"

namespace proffer::live::test {

inline constexpr Duration kPatience = std::chrono::seconds(20);

/// A port at which nobody listens, and nobody else can.
class FreePort {
 public:
  FreePort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const int yes = 1;  // as a server that takes it over sets it
    EXPECT_EQ(::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes), 0);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    endpoint_ = "tcp://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  ~FreePort() { give_up(); }
  FreePort(const FreePort&) = delete;
  FreePort& operator=(const FreePort&) = delete;
  const std::string& endpoint() const { return endpoint_; }
  /// Gives the port up, so that a server may listen there.
  const std::string& give_up() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
    return endpoint_;
  }

 private:
  int socket_;
  std::string endpoint_;
};

inline std::unique_ptr<BoundPort> bind_free(Context& context, std::string endpoint = "tcp://127.0.0.1:0") {
  auto port = BoundPort::bind(context, endpoint);
  EXPECT_TRUE(port.ok()) << (port.ok() ? "" : port.error().message);
  return std::move(port).value();
}

inline std::unique_ptr<ConnectedPort> connect_to(Context& context, const std::string& endpoint) {
  auto port = ConnectedPort::connect(context, endpoint);
  EXPECT_TRUE(port.ok()) << (port.ok() ? "" : port.error().message);
  return std::move(port).value();
}

/// Turns the loop of these ports until `done` says so, or fails.
inline bool turn_until(const std::vector<Port*>& ports, const std::function<bool()>& done,
                       Duration patience = kPatience) {
  Poller poller;
  std::vector<Poller::Wanted> wanted;
  for (auto* port : ports) wanted.push_back({port, -1});
  const auto deadline = steady_now() + patience;
  while (!done()) {
    if (steady_now() >= deadline) return false;
    for (auto* port : ports) port->flush();
    poller.wait(wanted, std::chrono::milliseconds(50));
  }
  return true;
}

/// The next message at `port`; fails the test when none comes.
inline PortFrame next_frame(Port& port, std::vector<Port*> others = {}) {
  PortFrame got;
  others.push_back(&port);
  const bool came = turn_until(others, [&] {
    auto frame = port.receive();
    if (frame) got = std::move(*frame);
    return frame.has_value();
  });
  EXPECT_TRUE(came) << "no message came";
  return got;
}

/// Says `text` and returns the peer as which it arrived.
inline PeerId introduce(ConnectedPort& client, BoundPort& server, const std::string& text = "hello") {
  EXPECT_EQ(client.send({}, text), Sent::yes);
  const auto frame = next_frame(server, {&client});
  EXPECT_EQ(frame.bytes, text);
  return frame.peer;
}

}  // namespace proffer::live::test
