// Each of these is a way in which ZeroMQ loses, hoards or aborts unless it is told not to.
#include "proffer/limits.hpp"
#include "tests/live_transport/ports.hpp"
#include "tests/live_transport/raw.hpp"

namespace proffer::live::test {
namespace {

struct TrapTest : testing::Test {
  Context context;
  std::unique_ptr<BoundPort> server = bind_free(context);
  std::unique_ptr<ConnectedPort> connect() { return connect_to(context, server->endpoint()); }
};

/// All that is there now.
int drain(Port& port) {
  int count = 0;
  while (port.receive()) ++count;
  return count;
}

TEST_F(TrapTest, SendingToNobodyIsToldToTheSender) {
  EXPECT_EQ(server->send(PeerId{1}, "x"), Sent::peer_gone);
  auto client = connect();
  introduce(*client, *server);
  EXPECT_EQ(server->send(PeerId{2}, "x"), Sent::peer_gone);
}

TEST_F(TrapTest, EverythingTakenForAConnectedPeerArrives) {
  auto client = connect();
  const auto peer = introduce(*client, *server);
  constexpr int kMessages = 100000;
  int received = 0;
  for (int sent = 0; sent < kMessages;) {
    ASSERT_EQ(server->send(peer, std::to_string(sent)), Sent::yes);
    ++sent;
    if (sent % 512 != 0) continue;  // half of what the peer's own queue holds
    ASSERT_TRUE(turn_until({server.get(), client.get()}, [&] {
      received += drain(*client);
      return !server->pending();
    }));
  }
  ASSERT_TRUE(turn_until({server.get(), client.get()}, [&] {
    received += drain(*client);
    return received >= kMessages;
  }));
  EXPECT_EQ(received, kMessages);
}

TEST_F(TrapTest, SendsOfAClientAreReceivesPlusRefusals) {
  auto client = connect();
  introduce(*client, *server);
  const std::string text(200, 'x');
  int taken = 0;
  int refused = 0;
  while (taken + refused < 50'000) ++(client->send({}, text) == Sent::yes ? taken : refused);
  EXPECT_GE(taken, static_cast<int>(limits::kPeerQueueMessages));
  int received = 0;
  ASSERT_TRUE(turn_until({client.get(), server.get()}, [&] {
    received += drain(*server);
    return received >= taken && !client->pending();
  }));
  EXPECT_EQ(received, taken);
}

TEST_F(TrapTest, NothingMeantForOneServerReachesTheNext) {
  auto client = connect();
  introduce(*client, *server);
  const std::string stale(1000, 's');
  while (client->send({}, stale) == Sent::yes) {
  }
  EXPECT_TRUE(client->pending());
  const auto endpoint = server->endpoint();
  server.reset();
  ASSERT_TRUE(turn_until({client.get()}, [&] { return client->take_lost(); }));
  EXPECT_FALSE(client->pending());
  ASSERT_TRUE(turn_until({client.get()}, [&] {
    auto again = BoundPort::bind(context, endpoint);
    if (again.ok()) server = std::move(again).value();
    return again.ok();
  }));
  EXPECT_EQ(client->send({}, "fresh"), Sent::yes);
  EXPECT_EQ(next_frame(*server, {client.get()}).bytes, "fresh");
}

TEST_F(TrapTest, MessagesOfManyFramesAreDroppedAndCounted) {
  RawPeer rude(server->endpoint());
  ASSERT_TRUE(rude.send({"one", "two"}));
  ASSERT_TRUE(rude.send(std::vector<std::string>(5000, "part")));
  ASSERT_TRUE(rude.send({"", "as a REQ socket does it"}));
  ASSERT_TRUE(rude.send({"proper"}));
  EXPECT_EQ(next_frame(*server).bytes, "proper");
  EXPECT_EQ(server->dropped(), 3u);
}

TEST(RudeServer, AnswersOfManyFramesAreDropped) {
  RawServer rude;
  Context context;
  auto client = connect_to(context, rude.endpoint());
  EXPECT_EQ(client->send({}, "hello"), Sent::yes);
  ASSERT_TRUE(turn_until({client.get()}, [&] { return !client->pending(); }));
  ASSERT_TRUE(rude.answer_next({{"one", "two"}, {"proper"}}));
  EXPECT_EQ(next_frame(*client).bytes, "proper");
}

TEST_F(TrapTest, RoutingIdsThatAPeerMadeUpAreDroppedAndCounted) {
  RawPeer named(server->endpoint(), "agent-1");
  RawPeer nearly(server->endpoint(), std::string("\0abcdef", 7));
  RawPeer proper(server->endpoint());
  ASSERT_TRUE(named.send({"let me in"}));
  ASSERT_TRUE(nearly.send({"let me in"}));
  ASSERT_TRUE(turn_until({server.get()}, [&] {
    EXPECT_FALSE(server->receive().has_value());
    return server->dropped() == 2;
  }));
  ASSERT_TRUE(proper.send({"hello"}));
  EXPECT_EQ(next_frame(*server).bytes, "hello");
}

TEST_F(TrapTest, AMessageOfTheGreatestSizePassesAndALargerOneEndsTheConnection) {
  RawPeer large(server->endpoint());
  ASSERT_TRUE(large.send({std::string(limits::kFrameBytes, 'x')}));
  EXPECT_EQ(next_frame(*server).bytes.size(), limits::kFrameBytes);
  ASSERT_TRUE(large.send({std::string(limits::kFrameBytes + 1, 'x')}));
  std::vector<PeerId> lost;
  ASSERT_TRUE(turn_until({server.get()}, [&] {
    EXPECT_FALSE(server->receive().has_value());
    lost = server->take_lost();
    return !lost.empty();
  }));
  EXPECT_EQ(lost, std::vector{PeerId{1}});
}

TEST(Squatting, KillsARouterWhoseIdsCanBeForetold) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(replay_squatting_on_an_unseeded_router(), "");
}

TEST(Squatting, DoesNotReachOurs) {
  const auto foretold = coming_routing_ids(1, 4);
  Context context;
  const auto server = bind_free(context);
  std::vector<std::unique_ptr<RawPeer>> squatters;
  for (const auto& id : foretold) {
    squatters.push_back(std::make_unique<RawPeer>(server->endpoint(), id));
    ASSERT_TRUE(squatters.back()->send({"mine"}));
    EXPECT_EQ(next_frame(*server).bytes, "mine");
  }
  for (std::size_t i = 0; i < foretold.size(); ++i) {
    auto client = connect_to(context, server->endpoint());
    introduce(*client, *server);
  }
}

}  // namespace
}  // namespace proffer::live::test
