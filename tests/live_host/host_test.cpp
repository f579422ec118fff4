#include <gmock/gmock.h>

#include "live/transport/envelope.hpp"
#include "tests/live_host/fake_world.hpp"
#include "tests/live_transport/zmtp_peer.hpp"

namespace proffer::live::test {
namespace {

using testing::ElementsAre;

struct HostTest : testing::Test, FakeWorld {
  /// The next message at a client, while the world turns.
  std::optional<Envelope> answer(ConnectedPort& client) {
    std::optional<PortFrame> frame;
    EXPECT_TRUE(turn_until([&] {
      client.flush();
      frame = client.receive();
      return frame.has_value();
    }));
    if (!frame) return {};
    auto envelope = decode(frame->bytes);
    EXPECT_TRUE(envelope.ok());
    return envelope.ok() ? std::optional(*envelope) : std::nullopt;
  }
  bool arrive(ConnectedPort& client, std::size_t messages) {
    return turn_until([&] {
      client.flush();
      return machine.all<MessageReceived>().size() >= messages;
    });
  }
  /// Answers every message with a heartbeat.
  void echo() {
    machine.react = [](const Event& event, Actions& actions, Time) {
      if (const auto* got = std::get_if<MessageReceived>(&event)) {
        actions.push_back(Send{got->peer, bare_envelope(Heartbeat{7, {}})});
      }
    };
  }
};

TEST_F(HostTest, AMessageReachesTheMachineAndItsAnswerReturns) {
  echo();
  auto client = this->client(serve());
  client->send({}, frame_of(Describe{5}));
  const auto back = answer(*client);
  ASSERT_TRUE(back);
  EXPECT_EQ(std::get<Heartbeat>(back->message).beat, 7u);
  EXPECT_EQ(std::get<Describe>(machine.all<MessageReceived>().at(0).envelope.message).request, 5u);
}

TEST_F(HostTest, PeersOfTwoPortsAreTwoPeers) {
  const auto one = serve();
  const auto other = serve();
  auto first = client(one);
  auto second = client(other);
  first->send({}, frame_of(Describe{1}));
  ASSERT_TRUE(arrive(*first, 1));
  second->send({}, frame_of(Describe{2}));
  ASSERT_TRUE(arrive(*second, 2));
  const auto all = machine.all<MessageReceived>();
  EXPECT_NE(all[0].peer, all[1].peer);
  EXPECT_EQ(all[0].peer.value >> 56, 1u);
  EXPECT_EQ(all[1].peer.value >> 56, 2u);
}

TEST_F(HostTest, WhatIsNoMessageIsAnsweredWithItsErrorAndHasNoEffect) {
  auto client = this->client(serve());
  client->send({}, "\xc1 certainly no message");
  const auto back = answer(*client);
  ASSERT_TRUE(back);
  EXPECT_EQ(std::get<ErrorMessage>(back->message).error.code, ErrorCode::invalid);
  EXPECT_EQ(back->cluster, (ClusterId{{1, 2}}));
  EXPECT_EQ(back->epoch, Epoch{3});
  EXPECT_TRUE(machine.all<MessageReceived>().empty());
  EXPECT_EQ(host.counters().undecodable, 1u);
}

TEST_F(HostTest, AFloodOfSuchIsAnsweredAtABoundedRate) {
  auto client = this->client(serve());
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(client->send({}, "garbage"), Sent::yes);
  int answers = 0;
  const auto begin = steady_now();
  ASSERT_TRUE(turn_until([&] {
    client->flush();
    while (client->receive()) ++answers;
    return host.counters().undecodable == 1000;
  }));
  const auto whole_seconds = std::chrono::ceil<std::chrono::seconds>(steady_now() - begin).count();
  EXPECT_LE(answers, 100 * (whole_seconds + 1));
}

TEST_F(HostTest, AServerThatCannotBeUnderstoodGetsNoAnswer) {
  auto server = BoundPort::bind(context, "tcp://127.0.0.1:0").value();
  ASSERT_TRUE(host.connect(kAllocatorPeer, server->endpoint()).ok());
  machine.deadline = Time{};
  machine.react = [&](const Event&, Actions& actions, Time) {
    if (machine.deadline) actions.push_back(Send{kAllocatorPeer, bare_envelope(Describe{1})});
    machine.deadline.reset();
  };
  std::optional<PortFrame> hello;
  ASSERT_TRUE(turn_until([&] { return (hello = server->receive()).has_value(); }));
  server->send(hello->peer, "garbage");
  ASSERT_TRUE(turn_until([&] { return host.counters().undecodable == 1; }));
  EXPECT_EQ(host.counters().sent, 1u);
}

TEST_F(HostTest, AClientThatLeavesIsLost) {
  auto client = this->client(serve());
  client->send({}, frame_of(Describe{1}));
  ASSERT_TRUE(arrive(*client, 1));
  client.reset();
  ASSERT_TRUE(turn_until([&] { return !machine.all<PeerLost>().empty(); }));
  EXPECT_EQ(machine.all<PeerLost>().at(0).peer, machine.all<MessageReceived>().at(0).peer);
}

TEST_F(HostTest, AClosedPeerThatSpeaksAgainIsAnother) {
  auto client = this->client(serve());
  machine.react = [](const Event& event, Actions& actions, Time) {
    if (const auto* got = std::get_if<MessageReceived>(&event)) actions.push_back(ClosePeer{got->peer});
  };
  client->send({}, frame_of(Describe{1}));
  ASSERT_TRUE(arrive(*client, 1));
  ASSERT_TRUE(turn_until([&] { return client->take_lost(); }));
  client->send({}, frame_of(Describe{2}));
  ASSERT_TRUE(arrive(*client, 2));
  EXPECT_NE(machine.all<MessageReceived>()[0].peer, machine.all<MessageReceived>()[1].peer);
}

TEST_F(HostTest, ASendToAServerThatIsNotConnectedIsALoss) {
  machine.deadline = Time{};
  machine.react = [&](const Event&, Actions& actions, Time) {
    if (machine.deadline) actions.push_back(Send{kCatalogPeer, bare_envelope(Describe{1})});
    machine.deadline.reset();
  };
  ASSERT_TRUE(turn_until([&] { return !machine.all<PeerLost>().empty(); }));
  EXPECT_EQ(machine.all<PeerLost>().at(0).peer, kCatalogPeer);
}

TEST_F(HostTest, AnotherEndpointOfTheCatalogIsALossBeforeAnythingElse) {
  const auto one = BoundPort::bind(context, "tcp://127.0.0.1:0").value();
  const auto other = BoundPort::bind(context, "tcp://127.0.0.1:0").value();
  ASSERT_TRUE(host.connect(kCatalogPeer, one->endpoint()).ok());
  ASSERT_TRUE(host.connect(kCatalogPeer, one->endpoint()).ok());
  EXPECT_TRUE(machine.seen.empty());
  ASSERT_TRUE(host.connect(kCatalogPeer, other->endpoint()).ok());
  EXPECT_EQ(machine.all<PeerLost>().size(), 1u);
}

TEST_F(HostTest, WhatMustLastIsDurableBeforeTheRestIsDone) {
  machine.deadline = Time{};
  machine.react = [&](const Event&, Actions& actions, Time) {
    machine.deadline.reset();
    actions.push_back(Emit{FileChanged{"/a", "created"}});
    actions.push_back(Persist{ForgetFile{"/a"}});
    actions.push_back(DropBlock{{1}});
    actions.push_back(Persist{ForgetFile{"/b"}});
    actions.push_back(Emit{FileChanged{"/b", "removed"}});
  };
  ASSERT_TRUE(turn_until([&] { return !machine.deadline; }));
  EXPECT_THAT(effects.done,
              ElementsAre("persist", "persist", "commit", "file_changed", "other", "file_changed"));
}

TEST_F(HostTest, RecordsAreDurableInTheOrderOfTheirActionsAndBeforeTheRestIsDone) {
  machine.deadline = Time{};
  machine.react = [&](const Event&, Actions& actions, Time) {
    machine.deadline.reset();
    actions.push_back(DropBlock{{1}});
    actions.push_back(KeepRecord{KeptBoot{"b"}});
    actions.push_back(DropRecord{key_of(KeptBoot{})});
    actions.push_back(KeepRecord{KeptBoot{"c"}});
  };
  ASSERT_TRUE(turn_until([&] { return !machine.deadline; }));
  EXPECT_THAT(effects.done, ElementsAre("keep", "drop", "keep", "commit", "other"));
}

TEST_F(HostTest, AChangeThatNobodyWaitsForIsDurableWithTheNextOneThatSomebodyWaitsFor) {
  machine.react = [&](const Event& event, Actions& actions, Time) {
    actions.push_back(KeepRecord{KeptBoot{"b"}});
    actions.push_back(Emit{FileChanged{"/a", "created"}});
    if (std::holds_alternative<BlockVanished>(event)) actions.push_back(DropBlock{{1}});
  };
  host.deliver(TimePassed{});
  loop.turn(Duration::zero());
  EXPECT_THAT(effects.done, testing::IsEmpty());
  host.deliver(BlockVanished{{9}});
  loop.turn(Duration::zero());
  EXPECT_THAT(effects.done, ElementsAre("keep", "keep", "commit", "file_changed", "file_changed", "other"));
}

TEST_F(HostTest, AChangeThatNobodyWaitsForIsDurableSoonAllTheSameAndAtTheEnd) {
  machine.react = [&](const Event&, Actions& actions, Time) { actions.push_back(KeepRecord{KeptBoot{"b"}}); };
  const auto begin = steady_now();
  host.deliver(TimePassed{});
  ASSERT_TRUE(turn_until([&] { return !effects.done.empty(); }));
  EXPECT_THAT(effects.done, ElementsAre("keep", "commit"));
  EXPECT_GE(steady_now() - begin, std::chrono::milliseconds(90));
  host.deliver(TimePassed{});
  loop.turn(Duration::zero());
  host.settle();
  EXPECT_THAT(effects.done, ElementsAre("keep", "commit", "keep", "commit"));
}

TEST_F(HostTest, NobodyLearnsOfWhatCouldNotBeKept) {
  effects.commit_result = Error{ErrorCode::io, "the disk is full"};
  machine.deadline = Time{};
  machine.react = [&](const Event&, Actions& actions, Time) {
    machine.deadline.reset();
    actions.push_back(Persist{ForgetFile{"/a"}});
    actions.push_back(DropBlock{{1}});
  };
  const auto ended = loop.run();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().message, "the disk is full");
  EXPECT_THAT(effects.done, ElementsAre("persist", "commit"));
}

TEST_F(HostTest, AFullDiskKeepsWhatWasAppliedAndTellsTheMachineBeforeAnybodyElseSpeaks) {
  effects.commit_result = Error{ErrorCode::no_space, "the disk is full"};
  effects.reserve = {{Room::none, "full"}, {Room::little, "full"}};
  machine.deadline = Time{};
  machine.react = [&](const Event& event, Actions& actions, Time) {
    machine.deadline.reset();
    if (!std::holds_alternative<TimePassed>(event)) return;
    actions.push_back(Persist{ForgetFile{"/a"}});
    actions.push_back(DropBlock{{1}});
  };
  ASSERT_TRUE(turn_until([&] { return !machine.deadline; }));
  EXPECT_THAT(effects.done, ElementsAre("persist", "commit", "make room", "persist", "commit", "make room",
                                        "persist", "commit", "other"));
  ASSERT_EQ(machine.all<StoreRoom>().size(), 2u);
  EXPECT_EQ(machine.all<StoreRoom>().at(1).room, Room::none);
}

TEST_F(HostTest, AFullDiskWithNothingSetAsideHoldsTheMachineUntilThereIsRoom) {
  auto client = this->client(serve());
  client->send({}, frame_of(Describe{1}));
  ASSERT_TRUE(arrive(*client, 1));
  effects.commit_result = Error{ErrorCode::no_space, "the disk is full"};
  machine.react = [&](const Event& event, Actions& actions, Time) {
    actions.push_back(KeepRecord{KeptBoot{"b"}});
    if (std::holds_alternative<BlockVanished>(event)) actions.push_back(DropBlock{{1}});
  };
  host.deliver(BlockVanished{{9}});
  loop.turn(Duration::zero());
  const auto seen = machine.seen.size();
  client->send({}, frame_of(Describe{2}));
  const auto begin = steady_now();
  ASSERT_TRUE(turn_until([&] {
    client->flush();
    return effects.done.size() >= 6;  // the third time of keep and commit
  }));
  EXPECT_GE(steady_now() - begin, std::chrono::milliseconds(1500)) << "once a second";
  EXPECT_EQ(machine.seen.size(), seen) << "what comes meanwhile waits";
  EXPECT_THAT(effects.done, testing::Not(testing::Contains("other")));
  effects.commit_result = {};
  ASSERT_TRUE(arrive(*client, 2));
  EXPECT_THAT(effects.done, testing::Contains("other"));
}

TEST_F(HostTest, AFloodDoesNotHoldUpTime) {
  auto client = this->client(serve());
  std::size_t sent = 0;
  while (client->send({}, frame_of(Describe{1})) == Sent::yes) ++sent;
  std::vector<std::size_t> messages_before;  // each time that time was looked at
  machine.deadline = Time{};
  machine.react = [&](const Event& event, Actions&, Time) {
    if (std::holds_alternative<TimePassed>(event)) {
      messages_before.push_back(machine.all<MessageReceived>().size());
    }
  };
  ASSERT_TRUE(arrive(*client, sent));
  std::size_t former = 0;
  for (const auto count : messages_before) {
    EXPECT_LE(count - former, 64u);
    former = count;
  }
}

TEST_F(HostTest, WhatIsDeliveredReachesTheMachineAtOnce) {
  host.deliver(BlockVanished{{9}});
  loop.turn(std::chrono::seconds(20));
  ASSERT_EQ(machine.all<BlockVanished>().size(), 1u);
  EXPECT_EQ(machine.all<BlockVanished>().at(0).block, BlockId{9});
}

TEST_F(HostTest, DrainEndsInTimeThoughAPeerDoesNotRead) {
  ZmtpPeer deaf(serve());  // ZeroMQ would read what is sent, whoever does not take it
  ASSERT_TRUE(turn_until([&] {
    deaf.push();
    return deaf.ready();
  }));
  deaf.add_frame(frame_of(Describe{5}), false);
  deaf.push();
  ASSERT_TRUE(turn_until([&] { return !machine.all<MessageReceived>().empty(); }));
  const auto peer = machine.all<MessageReceived>().at(0).peer;
  machine.react = [&](const Event&, Actions& actions, Time) {
    for (int i = 0; i < 50; ++i) {
      actions.push_back(Send{peer, bare_envelope(TaskMessage{{}, {"t"}, std::string(3000, 'x')})});
    }
  };
  Time begin;
  do {  // until ZeroMQ and the kernel take no more
    host.deliver(TimePassed{});
    loop.turn(Duration::zero());
    ASSERT_EQ(host.counters().unsent, 0u);
    begin = steady_now();
  } while (host.drain(std::chrono::milliseconds(100)));
  EXPECT_GE(steady_now() - begin, std::chrono::milliseconds(100));
  EXPECT_LT(steady_now() - begin, std::chrono::milliseconds(1000));
}

}  // namespace
}  // namespace proffer::live::test
