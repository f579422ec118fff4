// What one connection can make a server hold.
#include "live/transport/held_bytes.hpp"

#include <algorithm>

#include "proffer/limits.hpp"
#include "tests/live_transport/ports.hpp"
#include "tests/live_transport/zmtp_peer.hpp"

namespace proffer::live::test {
namespace {

constexpr std::size_t kMiB = 1 << 20;

/// A TCP connection, of which the test reads one end as ZeroMQ would.
struct Watched : testing::Test {
  Watched() {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener, any, size), 0);
    EXPECT_EQ(::listen(listener, 1), 0);
    EXPECT_EQ(::getsockname(listener, any, &size), 0);
    client = ::socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(::connect(client, any, size), 0);
    server = ::accept(listener, nullptr, nullptr);
    ::close(listener);
    held.accepted(server);
  }
  ~Watched() override {
    ::close(client);
    ::close(server);
  }
  void send(std::size_t bytes, bool read = true) {
    std::string text(64 << 10, 'x');
    for (std::size_t done = 0; done < bytes; done += text.size()) {
      ASSERT_EQ(::send(client, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
      if (!read) continue;
      ASSERT_EQ(::recv(server, text.data(), text.size(), MSG_WAITALL), static_cast<ssize_t>(text.size()));
    }
  }
  /// It is ended by a look, and its other end sees so.
  bool is_ended() {
    char byte = 0;
    return held.end_greedy(true) > 0 && ::recv(client, &byte, 1, 0) == 0;
  }
  HeldBytes held;
  int client = -1;
  int server = -1;
};

TEST_F(Watched, MoreThanTheBoundThatNobodyIsHandedEndsTheConnection) {
  send(limits::kPeerHeldBytes);
  EXPECT_EQ(held.end_greedy(true), 0u);
  send(kMiB);
  EXPECT_TRUE(is_ended());
}

TEST_F(Watched, WhatWasHandedOverDoesNotCount) {
  for (int i = 0; i < 100; ++i) {
    send(kMiB);
    held.taken(server, kMiB - 9, true);
    ASSERT_EQ(held.end_greedy(true), 0u) << i;
  }
}

TEST_F(Watched, WhatStillWaitsInTheKernelDoesNotCount) {
  send(limits::kPeerHeldBytes);
  send(64 << 10, false);
  EXPECT_EQ(held.end_greedy(true), 0u);
}

TEST_F(Watched, CommandsOfTheProtocolAreForgivenOnceAMessageHasComeAfterThem) {
  for (int i = 0; i < 100; ++i) {
    send(kMiB);  // which is no message
    ASSERT_EQ(held.end_greedy(true), 0u) << i;
    held.taken(server, 1, true);
  }
}

TEST_F(Watched, PartsOfAMessageWithoutAnEndAreNotForgiven) {
  send(limits::kPeerHeldBytes);
  ASSERT_EQ(held.end_greedy(true), 0u);
  held.taken(server, 1, false);
  send(kMiB);
  EXPECT_TRUE(is_ended());
}

struct HeldByAServer : testing::Test {
  Context context;
  std::unique_ptr<BoundPort> server = bind_free(context);
};

TEST_F(HeldByAServer, AMessageThatNeverEndsEndsItsConnectionAndOthersAreServed) {
  constexpr std::size_t kFarTooMuch = 1024 * kMiB;
  ZmtpPeer rude(server->endpoint());
  const std::string part(kMiB, 'x');
  const auto deadline = steady_now() + kPatience;
  while (rude.open() && rude.sent() < kFarTooMuch && steady_now() < deadline) {
    if (!rude.waiting()) rude.add_frame(part, true);
    rude.push();
    EXPECT_FALSE(server->receive().has_value());
  }
  EXPECT_FALSE(rude.open());
  EXPECT_EQ(server->dropped(), 1u);
  auto honest = connect_to(context, server->endpoint());
  introduce(*honest, *server);
}

TEST_F(HeldByAServer, APeerThatSendsFarFasterThanItIsHeardLosesItsConnection) {
  constexpr std::size_t kFarTooMuch = 1024 * kMiB;
  ZmtpPeer busy(server->endpoint());
  const std::string message(kMiB, 'x');
  const auto deadline = steady_now() + kPatience;
  std::uint64_t heard = 0;
  while (busy.open() && busy.sent() < kFarTooMuch && steady_now() < deadline) {
    if (!busy.waiting()) busy.add_frame(message, false);
    busy.push();
    // One message of eight is heard.
    if (busy.sent() < 8 * kMiB * (heard + 1)) continue;
    ++heard;
    server->receive();
  }
  EXPECT_FALSE(busy.open());
}

TEST_F(HeldByAServer, AllLargeMessagesOfAPeerThatWaitsForItsServerArrive) {
  constexpr int kMessages = 300;
  constexpr int kUnderWay = 16;
  auto client = connect_to(context, server->endpoint());
  const std::string message(kMiB, 'x');
  int sent = 0;
  int received = 0;
  ASSERT_TRUE(turn_until({client.get(), server.get()}, [&] {
    while (sent < std::min(kMessages, received + kUnderWay) && client->send({}, message) == Sent::yes) ++sent;
    received += server->receive().has_value() ? 1 : 0;  // one a turn
    return received == kMessages || !server->take_lost().empty();
  }));
  EXPECT_EQ(received, kMessages);
}

}  // namespace
}  // namespace proffer::live::test
