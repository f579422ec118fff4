// Peers that read slowly, or not at all: which messages they still get, what is said of them, and how many
// bytes are held for them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "live/transport/peer_queue.hpp"
#include "live/transport/queue_room.hpp"
#include "proffer/limits.hpp"
#include "tests/live_transport/ports.hpp"
#include "tests/live_transport/zmtp_peer.hpp"

namespace proffer::live::test {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

constexpr Time kNow{};
constexpr Duration kSecond = std::chrono::seconds(1);

struct QueueTest : testing::Test {
  QueueRoom room{64 << 20};
  PeerQueue queue{room};
  /// Adds messages of that length until one is refused, and returns how many were not.
  std::size_t fill(Traffic traffic, std::size_t bytes, Time now = kNow) {
    std::size_t count = 0;
    while (queue.add(std::string(bytes, 'x'), traffic, now)) ++count;
    return count;
  }
};

TEST_F(QueueTest, EachClassHasItsPartOfTheMessages) {
  EXPECT_EQ(fill(Traffic::loose, 1), limits::kPeerQueueMessages / 2);
  EXPECT_EQ(fill(Traffic::update, 1), limits::kPeerQueueMessages * 3 / 8);
  EXPECT_EQ(fill(Traffic::control, 1), limits::kPeerQueueMessages / 8);
}

TEST_F(QueueTest, EachClassHasItsPartOfTheBytes) {
  constexpr std::size_t kMessage = limits::kPeerQueueBytes / 64;
  EXPECT_EQ(fill(Traffic::loose, kMessage), 32u);
  EXPECT_EQ(fill(Traffic::update, kMessage), 24u);
  EXPECT_EQ(fill(Traffic::control, kMessage), 8u);
  EXPECT_EQ(room.taken(), limits::kPeerQueueBytes);
}

TEST_F(QueueTest, AMereSignOfLifeNeverWaitsBehindAnything) {
  EXPECT_TRUE(queue.add("beat", Traffic::sign, kNow));
  EXPECT_FALSE(queue.add("beat", Traffic::sign, kNow));
}

TEST_F(QueueTest, APeerLagsFromHalfUntilNearlyAllHasLeft) {
  EXPECT_EQ(queue.lag(kNow), Lag::none);
  fill(Traffic::loose, 1);
  EXPECT_EQ(queue.lag(kNow), Lag::half);
  for (std::size_t i = 0; i < limits::kPeerQueueMessages / 8; ++i) queue.pop();
  EXPECT_EQ(queue.lag(kNow), Lag::half);
  for (std::size_t i = 0; i < limits::kPeerQueueMessages / 8; ++i) queue.pop();
  EXPECT_EQ(queue.lag(kNow), Lag::half) << "a quarter";
  queue.pop();
  EXPECT_EQ(queue.lag(kNow), Lag::none);
}

TEST_F(QueueTest, APeerForWhichOneMessageIsOldLags) {
  queue.add("x", Traffic::control, kNow);
  EXPECT_EQ(queue.lag(kNow + 2 * kSecond), Lag::none);
  EXPECT_EQ(queue.lag(kNow + 3 * kSecond), Lag::half);
  queue.pop();
  EXPECT_EQ(queue.lag(kNow + 3 * kSecond), Lag::none);
}

TEST_F(QueueTest, APeerIsFullFromARefusalUntilNearlyAllHasLeft) {
  fill(Traffic::update, 1);
  EXPECT_EQ(queue.lag(kNow), Lag::full);
  queue.clear();
  EXPECT_EQ(queue.lag(kNow + kSecond), Lag::none);
}

/// Else it would be flooded again in the same moment.
TEST_F(QueueTest, WhatIsRefusedForWantOfRoomForAllIsAFullQueueForAWhile) {
  room.take(64 << 20);
  EXPECT_FALSE(queue.add("x", Traffic::update, kNow));
  EXPECT_EQ(queue.lag(kNow), Lag::full);
  EXPECT_TRUE(queue.add("y", Traffic::control, kNow)) << "what must reach its peer finds room";
  queue.pop();
  EXPECT_EQ(queue.lag(kNow + kSecond), Lag::none);
}

TEST_F(QueueTest, AQueueThatEndsGivesItsRoomBack) {
  {
    PeerQueue other(room);
    other.add("four", Traffic::control, kNow);
    EXPECT_EQ(room.taken(), 4u);
  }
  EXPECT_EQ(room.taken(), 0u);
}

/// A connection that is ready, has said hello, and reads nothing after that.
struct SlowPeerTest : testing::Test {
  Context context;
  std::unique_ptr<BoundPort> server = bind_free(context);
  PeerId peer;

  std::unique_ptr<ZmtpPeer> deaf() {
    auto deaf = std::make_unique<ZmtpPeer>(server->endpoint());
    EXPECT_TRUE(turn_until({server.get()}, [&] {
      deaf->push();
      EXPECT_FALSE(server->receive());
      return deaf->ready();
    }));
    deaf->add_frame("hello", false);
    deaf->push();
    peer = next_frame(*server).peer;
    return deaf;
  }
  /// Sends until one is refused, and returns the bytes that were taken.
  std::size_t flood(Traffic traffic, std::size_t bytes) {
    std::size_t taken = 0;
    while (server->send_as(traffic, peer, std::string(bytes, 'x')) == Sent::yes) taken += bytes;
    return taken;
  }
  /// Sends updates to all until more than so many bytes wait for them together. What waits for a peer becomes
  /// less for as long as the kernel still buffers some of it.
  void flood_until(const std::vector<PeerId>& peers, std::size_t bytes, std::size_t waiting) {
    EXPECT_TRUE(turn_until({server.get()}, [&] {
      for (const auto each : peers) {
        peer = each;
        flood(Traffic::update, bytes);
      }
      return context.queue_room().taken() > waiting;
    }));
  }
};

TEST_F(SlowPeerTest, WhatCanWaitIsRefusedAndWhatMustReachItEndsTheConnectionAtTheBound) {
  const auto slow = deaf();
  flood(Traffic::loose, 64 << 10);
  EXPECT_THAT(server->take_lags(), ElementsAre(Field(&PeerLag::lag, Lag::half)));
  flood(Traffic::update, 64 << 10);
  EXPECT_EQ(server->send_as(Traffic::update, peer, std::string(64 << 10, 'x')), Sent::too_slow);
  EXPECT_THAT(server->take_lags(), ElementsAre(Field(&PeerLag::lag, Lag::full)));
  EXPECT_THAT(server->take_lags(), IsEmpty()) << "told once";
  EXPECT_THAT(server->take_lost(), IsEmpty());
  flood(Traffic::control, 64 << 10);
  EXPECT_THAT(server->take_lost(), ElementsAre(peer));
}

TEST_F(SlowPeerTest, OthersSeeNothingOfItsEnd) {
  const auto slow = deaf();
  auto other = connect_to(context, server->endpoint());
  const auto other_peer = introduce(*other, *server);
  flood(Traffic::control, 8 << 10);
  EXPECT_THAT(server->take_lost(), ElementsAre(peer));
  EXPECT_EQ(server->send(peer, "x"), Sent::peer_gone);
  EXPECT_FALSE(server->pending());
  EXPECT_EQ(server->send(other_peer, "well?"), Sent::yes);
  EXPECT_EQ(next_frame(*other).bytes, "well?");
}

/// The kernel buffers what it likes; what this process holds is the queue, and little in ZeroMQ below it.
TEST_F(SlowPeerTest, TheBytesHeldForItAreBoundedHoweverLargeTheMessages) {
  const auto slow = deaf();
  const auto first = flood(Traffic::control, limits::kFrameBytes);
  EXPECT_LT(first, 32u << 20) << "256 messages of 1 MiB would be ZeroMQ's own bound";
  EXPECT_EQ(context.queue_room().taken(), 0u) << "it was cut, and all of it is free again";
}

TEST_F(SlowPeerTest, OnceItReadsAgainItGetsAllThatWasTakenAndNoLongerLags) {
  auto client = connect_to(context, server->endpoint());
  peer = introduce(*client, *server);
  std::size_t taken = 0;
  while (server->send_as(Traffic::update, peer, std::string(8 << 10, 'x')) == Sent::yes) ++taken;
  EXPECT_THAT(server->take_lags(), ElementsAre(Field(&PeerLag::lag, Lag::full)));
  std::size_t received = 0;
  std::vector<PeerLag> lags;
  ASSERT_TRUE(turn_until({server.get(), client.get()}, [&] {
    while (client->receive()) ++received;
    if (auto news = server->take_lags(); !news.empty()) lags = std::move(news);
    return !lags.empty() && received >= taken;
  }));
  EXPECT_EQ(received, taken);
  EXPECT_THAT(lags, ElementsAre(Field(&PeerLag::lag, Lag::none)));
}

/// Returns the memory of this process in bytes.
std::size_t resident() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0;
  std::size_t pages = 0;
  file >> all >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST_F(SlowPeerTest, ManySlowPeersTakeFiveMebibytesEachAtMost) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes memory of its own";
#endif
  constexpr std::size_t kPeers = 16;
  std::vector<std::unique_ptr<ZmtpPeer>> slow;
  std::vector<PeerId> peers;
  for (std::size_t i = 0; i < kPeers; ++i) {
    slow.push_back(deaf());
    peers.push_back(peer);
  }
  const auto before = resident();
  flood_until(peers, 4 << 10, kPeers * limits::kPeerQueueBytes / 2);
  EXPECT_THAT(server->take_lost(), IsEmpty());
  EXPECT_LE(resident() - before, kPeers * (5 << 20));
}

/// More of them than there is room for: together they get what all queues may hold, and what ZeroMQ holds for
/// each.
TEST_F(SlowPeerTest, AllPeersAtOnceTakeFiveMebibytesEachAndTheSharedRoomAtMost) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes memory of its own";
#endif
  constexpr std::size_t kPeers = 160;
  std::vector<std::unique_ptr<ZmtpPeer>> slow;
  std::vector<PeerId> peers;
  for (std::size_t i = 0; i < kPeers; ++i) {
    slow.push_back(deaf());
    peers.push_back(peer);
  }
  const auto before = resident();
  flood_until(peers, 64 << 10, limits::kAllQueuesBytes - limits::kPeerQueueBytes);
  const auto grown = resident() - before;
  constexpr double kMebibyte = 1 << 20;
  fmt::print(
      "[  figure  ] {} peers that read nothing: {:.0f} MiB in queues, {:.0f} MiB more memory, {:.2f} each\n",
      kPeers, static_cast<double>(context.queue_room().taken()) / kMebibyte,
      static_cast<double>(grown) / kMebibyte, static_cast<double>(grown) / kMebibyte / kPeers);
  EXPECT_LE(context.queue_room().taken(), limits::kAllQueuesBytes);
  EXPECT_LE(grown, limits::kAllQueuesBytes + kPeers * limits::kFlightBytes + (16 << 20));
  EXPECT_LE(grown, kPeers * (5 << 20));
  EXPECT_THAT(server->take_lost(), IsEmpty());
}

TEST_F(SlowPeerTest, AnotherPeerIsServedAsEverMeanwhile) {
  const auto slow = deaf();
  flood(Traffic::update, 64 << 10);
  auto client = connect_to(context, server->endpoint());
  const auto other = introduce(*client, *server);
  EXPECT_EQ(server->send_as(Traffic::update, other, "well?"), Sent::yes);
  EXPECT_EQ(next_frame(*client, {server.get()}).bytes, "well?");
}

}  // namespace
}  // namespace proffer::live::test
