#include <algorithm>

#include "tests/live_transport/ports.hpp"

namespace proffer::live::test {
namespace {

struct PortTest : testing::Test {
  Context context;
  std::unique_ptr<BoundPort> server = bind_free(context);
  std::unique_ptr<ConnectedPort> connect() { return connect_to(context, server->endpoint()); }
};

TEST_F(PortTest, AMessageAndItsAnswerPass) {
  auto client = connect();
  const auto peer = introduce(*client, *server, "question");
  EXPECT_EQ(server->send(peer, "answer"), Sent::yes);
  EXPECT_EQ(next_frame(*client, {server.get()}).bytes, "answer");
}

TEST_F(PortTest, AnEmptyMessageIsAMessage) {
  auto client = connect();
  introduce(*client, *server, "");
}

TEST_F(PortTest, PeersAreNumberedInOrderOfTheirFirstMessage) {
  auto first = connect();
  auto second = connect();
  EXPECT_EQ(introduce(*second, *server), PeerId{1});
  EXPECT_EQ(introduce(*first, *server), PeerId{2});
  EXPECT_EQ(introduce(*second, *server), PeerId{1});
}

TEST_F(PortTest, AConnectionThatEndsIsLostOnceAndItsSuccessorIsANewPeer) {
  auto client = connect();
  const auto former = introduce(*client, *server);
  client.reset();
  std::vector<PeerId> lost;
  ASSERT_TRUE(turn_until({server.get()}, [&] {
    EXPECT_FALSE(server->receive().has_value());
    lost = server->take_lost();
    return !lost.empty();
  }));
  EXPECT_EQ(lost, std::vector{former});
  EXPECT_EQ(server->send(former, "too late"), Sent::peer_gone);
  EXPECT_TRUE(server->take_lost().empty());
  client = connect();
  EXPECT_NE(introduce(*client, *server), former);
}

TEST_F(PortTest, LastWordsComeBeforeTheNewsOfTheLoss) {
  auto client = connect();
  const auto peer = introduce(*client, *server);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client->send({}, std::to_string(i)), Sent::yes);
  client.reset();
  int words = 0;
  ASSERT_TRUE(turn_until({server.get()}, [&] {
    while (const auto frame = server->receive()) EXPECT_EQ(frame->bytes, std::to_string(words++));
    const auto lost = server->take_lost();
    return std::find(lost.begin(), lost.end(), peer) != lost.end();
  }));
  EXPECT_EQ(words, 100);
}

TEST_F(PortTest, LastWordsCountAlsoWhenSomethingIsSentToThePeerBeforeTheyAreRead) {
  auto client = connect();
  const auto peer = introduce(*client, *server);
  EXPECT_EQ(client->send({}, "farewell"), Sent::yes);
  client.reset();
  ASSERT_TRUE(turn_until({}, [&] { return server->send(peer, "x") == Sent::peer_gone; }));
  EXPECT_TRUE(server->take_lost().empty()) << "there is something to read from it";
  const auto farewell = server->receive();
  ASSERT_TRUE(farewell);
  EXPECT_EQ(farewell->peer, peer);
  EXPECT_EQ(farewell->bytes, "farewell");
  EXPECT_EQ(server->send(peer, "x"), Sent::peer_gone);
  EXPECT_FALSE(server->receive());
  EXPECT_EQ(server->take_lost(), std::vector{peer});
}

TEST_F(PortTest, AClosedPeerHasLostItsConnectionAndIsAnotherWhenItComesAgain) {
  auto client = connect();
  const auto peer = introduce(*client, *server);
  server->close_peer(peer);
  EXPECT_EQ(server->send(peer, "x"), Sent::peer_gone);
  EXPECT_TRUE(server->take_lost().empty());
  ASSERT_TRUE(turn_until({client.get()}, [&] { return client->take_lost(); }));
  EXPECT_NE(introduce(*client, *server), peer);
}

TEST_F(PortTest, AClientLearnsOnceThatItsServerIsGone) {
  auto client = connect();
  introduce(*client, *server);
  server.reset();
  ASSERT_TRUE(turn_until({client.get()}, [&] { return client->take_lost(); }));
  EXPECT_FALSE(client->take_lost());
}

TEST_F(PortTest, WhatIsSaidBeforeTheServerIsThereArrivesOnceItIs) {
  FreePort place;
  auto client = connect_to(context, place.endpoint());
  EXPECT_EQ(client->send({}, "early"), Sent::yes);
  EXPECT_TRUE(client->pending());
  server = bind_free(context, place.give_up());
  EXPECT_EQ(next_frame(*server, {client.get()}).bytes, "early");
}

TEST_F(PortTest, WhatCannotBeSentForWantOfAServerIsGivenUpAsALoss) {
  FreePort place;
  auto client = connect_to(context, place.endpoint());
  const auto begin = steady_now();
  EXPECT_EQ(client->send({}, "in vain"), Sent::yes);
  ASSERT_TRUE(turn_until({client.get()}, [&] { return client->take_lost(); }));
  EXPECT_GE(steady_now() - begin, std::chrono::seconds(5));
  EXPECT_FALSE(client->pending());
}

TEST(Bind, AnAddressInUseIsOneClearSentence) {
  Context context;
  const auto first = bind_free(context);
  const auto second = BoundPort::bind(context, first->endpoint());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::exists);
  EXPECT_EQ(second.error().message, "the address " + first->endpoint() + " is in use by another program");
}

TEST(Bind, WhatIsNoAddressIsInvalid) {
  Context context;
  for (const auto* text : {"", "127.0.0.1:5150", "tcp://127.0.0.1", "tcp://127.0.0.1:70000",
                           "tcp://127.0.0.1:x", "carrier-pigeon://roof", "tcp://203.0.113.7:5150"}) {
    const auto bound = BoundPort::bind(context, text);
    ASSERT_FALSE(bound.ok()) << text;
    EXPECT_EQ(bound.error().code, ErrorCode::invalid) << bound.error().message;
  }
}

TEST(Bind, StarChoosesAFreePort) {
  Context context;
  const auto server = bind_free(context, "tcp://127.0.0.1:*");
  auto client = connect_to(context, server->endpoint());
  introduce(*client, *server);
}

TEST(Bind, AnAddressOfIPv6StandsInBrackets) {
  Context context;
  const auto bare = BoundPort::bind(context, "tcp://::1:5150");
  ASSERT_FALSE(bare.ok());
  EXPECT_EQ(bare.error().code, ErrorCode::invalid);
  EXPECT_EQ(
      bare.error().message,
      "\"tcp://::1:5150\" is no address: an address of IPv6 stands in brackets, as in tcp://[::1]:5150");
  EXPECT_EQ(ConnectedPort::connect(context, "tcp://::1:5150").error().message, bare.error().message);
}

TEST(Bind, AMessageAndItsAnswerPassOverIPv6) {
  Context context;
  auto server = BoundPort::bind(context, "tcp://[::1]:0");
  if (!server.ok() && server.error().code == ErrorCode::invalid) GTEST_SKIP() << server.error().message;
  ASSERT_TRUE(server.ok()) << server.error().message;
  EXPECT_TRUE((*server)->endpoint().starts_with("tcp://[::1]:")) << (*server)->endpoint();
  auto client = connect_to(context, (*server)->endpoint());
  const auto peer = introduce(*client, **server, "question");
  EXPECT_EQ((*server)->send(peer, "answer"), Sent::yes);
  EXPECT_EQ(next_frame(*client, {server->get()}).bytes, "answer");
}

TEST(Connect, WhatIsNoAddressIsInvalid) {
  Context context;
  for (const auto* text : {"", "localhost", "tcp://", "tcp://127.0.0.1:0x", "tcp://127.0.0.1:0",
                           "tcp://127.0.0.1:*", "smoke://signal"}) {
    const auto connected = ConnectedPort::connect(context, text);
    ASSERT_FALSE(connected.ok()) << text;
    EXPECT_EQ(connected.error().code, ErrorCode::invalid) << connected.error().message;
  }
}

TEST(PollerWait, NeverEndsBeforeItsTime) {
  Poller poller;
  for (const auto us : {1, 999, 1001, 2500}) {
    const auto begin = steady_now();
    poller.wait({}, Duration(us));
    EXPECT_GE(steady_now() - begin, Duration(us));
  }
}

}  // namespace
}  // namespace proffer::live::test
