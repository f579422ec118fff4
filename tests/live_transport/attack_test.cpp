// Whoever can open a connection may do with it what they like: the process stays, and the others are served.
#include <atomic>
#include <functional>
#include <thread>

#include "tests/live_transport/ports.hpp"
#include "tests/live_transport/raw.hpp"
#include "tests/live_transport/zmtp_peer.hpp"

namespace proffer::live::test {
namespace {

/// Sends more than any high-water mark of messages that fits into what ZeroMQ reads at once, and a PING
/// behind them; ends the connection with a reset after `then`. False when a step of this failed.
bool flood_and_ping(const std::string& endpoint, const std::function<bool()>& then) {
  ZmtpPeer attacker(endpoint);
  attacker.reset_at_end();
  if (!attacker.shake_hands()) return false;
  for (int i = 0; i < 3000; ++i) attacker.add_frame("", false);
  for (int i = 0; i < 50; ++i) attacker.add_ping();
  return attacker.push_all() && then();
}

/// Reads all that comes, on some ports, and sends it back.
class EchoServer {
 public:
  explicit EchoServer(int ports) {
    for (int i = 0; i < ports; ++i) ports_.push_back(bind_free(context_));
    thread_ = std::thread([this] { run(); });
  }
  ~EchoServer() {
    done_ = true;
    thread_.join();
  }
  std::string endpoint(std::size_t port) const { return ports_[port % ports_.size()]->endpoint(); }

 private:
  void run() {
    Poller poller;
    std::vector<Poller::Wanted> wanted;
    for (const auto& port : ports_) wanted.push_back({port.get(), -1});
    while (!done_) {
      for (const auto& port : ports_) turn(*port);
      poller.wait(wanted, std::chrono::milliseconds(50));
    }
  }
  static void turn(BoundPort& port) {
    for (int i = 0; i < 64; ++i) {
      auto frame = port.receive();
      if (!frame) break;
      port.send(frame->peer, std::move(frame->bytes));
    }
    port.flush();
    port.take_lost();
  }

  Context context_;
  std::vector<std::unique_ptr<BoundPort>> ports_;
  std::thread thread_;
  std::atomic<bool> done_ = false;
};

/// An honest client asks again, as frameworks and agents do: its connection may have been lost with its first
/// words.
bool is_served(Context& context, const std::string& endpoint) {
  auto client = connect_to(context, endpoint);
  for (int attempt = 0; attempt < 20; ++attempt) {
    client->send({}, "honest");
    if (turn_until(
            {client.get()}, [&] { return client->receive().has_value(); }, std::chrono::seconds(2)))
      return true;
  }
  return false;
}

TEST(Attack, APingBehindAFloodBeforeAResetEndsNothing) {
  Context context;
  auto server = bind_free(context);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(flood_and_ping(server->endpoint(), [&] {
      return turn_until({server.get()}, [&] { return server->receive().has_value(); });
    }));
    ASSERT_TRUE(turn_until({server.get()}, [&] {
      while (server->receive()) {
      }
      return !server->take_lost().empty();
    }));
  }
}

TEST(Attack, AMinuteOfConnectionsThatComeAndGoEndsNothingAndOthersAreServed) {
  EchoServer server(4);
  const auto deadline = steady_now() + std::chrono::seconds(60);
  std::atomic<std::size_t> connections = 0;
  std::thread resets([&] {
    for (std::size_t i = 0; steady_now() < deadline; ++i, ++connections) {
      flood_and_ping(server.endpoint(i), [] { return true; });
    }
  });
  std::thread bursts([&] {
    for (std::size_t i = 0; steady_now() < deadline; ++i, connections += 11) {
      std::vector<std::unique_ptr<RawPeer>> peers;
      for (int j = 0; j < 11; ++j) peers.push_back(std::make_unique<RawPeer>(server.endpoint(i)));
      for (const auto& peer : peers) {
        for (int n = 0; n < 20; ++n) peer->send({"burst"});
      }
    }
  });
  Context context;
  bool served = true;
  for (std::size_t i = 0; served && steady_now() < deadline; ++i)
    served = is_served(context, server.endpoint(i));
  resets.join();
  bursts.join();
  EXPECT_TRUE(served);
  EXPECT_GT(connections, 11u);
}

}  // namespace
}  // namespace proffer::live::test
