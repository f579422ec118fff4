// The section "Sessions, epochs, numbers" of docs/PROTOCOL.md, as far as both ends of any session share it.
// Each test begins with its sentence. Secrets, names in use and the room for clients are the servers' own:
// tests/allocator and tests/catalog have them.
#include <set>

#include "tests/session/ends.hpp"

namespace proffer::session {
namespace {

using Verdict = ClientSession::Verdict;
using Origin = ServerIdentity::Origin;

TEST(Protocol, AHelloHasNoSessionAndNoNumber) {
  ASSERT_TRUE(protocol_says("They are sent with session 0 and seq 0."));
  Ends ends;
  for (int n = 0; n < 2; ++n) {
    const auto hello = ends.client.wrap(Subscribe{}, at_ms(n));
    EXPECT_EQ(hello.session, SessionId{});
    EXPECT_EQ(hello.seq, 0u);
  }
}

TEST(Protocol, TheAnswerToAHelloCarriesTheSessionAndIsItsFirstMessage) {
  ASSERT_TRUE(protocol_says("carries the new session in its envelope, and is its message 1"));
  Ends ends;
  const auto answer = ends.welcome(at_ms(0));
  EXPECT_EQ(answer.session, ends.server->id());
  EXPECT_EQ(answer.seq, 1u);
  EXPECT_TRUE(ends.client.begin(answer, Ends::kBeat, at_ms(0)));
  EXPECT_TRUE(ends.server->matches(Ends::kPeer, ends.client.wrap(Revive{}, at_ms(1)).session));
}

TEST(ProtocolDeathTest, ASessionIdIsNever0) {
  ASSERT_TRUE(protocol_says("A session id is random and never 0."));
  Ends ends;
  EXPECT_DEATH(ends.client.begin({}, Ends::kBeat, at_ms(0)), "a session is never zero");
  EXPECT_DEATH(ServerSession({}, {}, at_ms(0)), "a session is never zero");
}

TEST(Protocol, ASessionBindsOneConnectionToOneId) {
  ASSERT_TRUE(protocol_says("A session binds one connection to one id."));
  const ServerSession session(PeerId{1}, SessionId{5}, at_ms(0));
  EXPECT_TRUE(session.matches(PeerId{1}, SessionId{5}));
  EXPECT_FALSE(session.matches(PeerId{2}, SessionId{5})) << "another connection";
  EXPECT_FALSE(session.matches(PeerId{1}, SessionId{6})) << "another session";
  EXPECT_FALSE(session.matches(PeerId{1}, SessionId{})) << "none";
}

TEST(Protocol, AMessageOfAnotherSessionHasNoEffectOnAClient) {
  ASSERT_TRUE(protocol_says("A message whose connection and session do not belong together has no effect"));
  Ends ends;
  ends.open(at_ms(0));
  auto stray = ends.from_server();
  ++stray.session.value;
  EXPECT_EQ(ends.client.check(stray, false, at_ms(1)), Verdict::drop);
  stray.session = {};
  EXPECT_EQ(ends.client.check(stray, false, at_ms(1)), Verdict::drop);
}

TEST(Protocol, AClientWithoutASessionSaysHelloAgain) {
  ASSERT_TRUE(protocol_says("answered by ERROR `unknown-session`; the client then says hello again"));
  Ends ends;
  ends.open(at_ms(0));
  const auto error = ends.identity.wrap(ErrorMessage{{ErrorCode::unknown_session, "no"}, 2});
  EXPECT_EQ(ends.client.check(error, false, at_ms(1)), Verdict::take);
  EXPECT_TRUE(may_pass(ErrorCode::unknown_session));
  ends.client.end(ends.random, at_ms(1));
  EXPECT_TRUE(ends.client.attempt_due(at_ms(201)));
}

TEST(Protocol, ANewConnectionNeedsANewSession) {
  ASSERT_TRUE(protocol_says("A new connection always needs a new session."));
  Ends ends;
  ends.open(at_ms(0));
  const auto old = ends.server->id();
  ends.client.end(ends.random, at_ms(1));
  EXPECT_FALSE(ends.client.open());
  EXPECT_EQ(ends.client.wrap(Subscribe{}, at_ms(300)).session, SessionId{});
  ends.open(at_ms(300));
  EXPECT_NE(ends.client.wrap(Revive{}, at_ms(301)).session, old);
}

TEST(Protocol, NumbersRiseInEachDirectionOnItsOwn) {
  ASSERT_TRUE(
      protocol_says("`seq` rises by 1 with each message of a session, in each direction on its own."));
  Ends ends;
  ends.open(at_ms(0));
  for (std::uint64_t n = 1; n <= 3; ++n) EXPECT_EQ(ends.client.wrap(Revive{}, at_ms(1)).seq, n);
  EXPECT_EQ(ends.from_server().seq, 2u) << "after the answer to the hello";
  ends.open(at_ms(2));
  EXPECT_EQ(ends.client.wrap(Revive{}, at_ms(3)).seq, 1u) << "of the new session";
}

TEST(Protocol, ANumberThatHasComeBeforeHasNoEffectAgain) {
  ASSERT_TRUE(protocol_says("A number that has come before has no effect again, but a server"));
  Ends ends;
  ends.open(at_ms(0));
  const auto message = ends.from_server();
  EXPECT_EQ(ends.client.check(message, false, at_ms(1)), Verdict::take);
  EXPECT_EQ(ends.client.check(message, false, at_ms(1)), Verdict::drop);
  const auto answer = ends.client.wrap(Revive{}, at_ms(1));
  EXPECT_TRUE(ends.server->take(answer.seq));
  EXPECT_FALSE(ends.server->take(answer.seq));
}

TEST(Protocol, NumbersMayBeMissing) {
  ASSERT_TRUE(protocol_says("Numbers may be missing: what was lost is not asked for by number."));
  Ends ends;
  ends.open(at_ms(0));
  ends.from_server();  // lost
  const auto late = ends.from_server();
  EXPECT_EQ(ends.client.check(ends.from_server(), false, at_ms(1)), Verdict::take);
  EXPECT_EQ(ends.client.check(late, false, at_ms(2)), Verdict::take) << "out of order";
}

TEST(Protocol, AClientDropsMessagesOfALowerEpoch) {
  ASSERT_TRUE(protocol_says("A client drops messages of a lower epoch than it has seen"));
  Ends ends;
  ends.identity.epoch = Epoch{2};
  ends.open(at_ms(0));
  ends.identity.epoch = Epoch{1};
  EXPECT_EQ(ends.client.check(ends.from_server(), false, at_ms(1)), Verdict::drop);
  EXPECT_EQ(ends.client.check(ends.from_server(), true, at_ms(1)), Verdict::drop) << "the answer to a hello";
  EXPECT_EQ(ends.client.epoch(), Epoch{2});
}

TEST(Protocol, AHigherEpochMeansThatTheServerHasStartedAgain) {
  ASSERT_TRUE(protocol_says("a higher one means that the server has started again"));
  Ends ends;
  ends.open(at_ms(0));
  ends.restart_server();
  EXPECT_EQ(ends.client.check(ends.from_server(), false, at_ms(1)), Verdict::restarted);
  ends.client.end(ends.random, at_ms(1));
  EXPECT_EQ(ends.client.wrap(Subscribe{}, at_ms(300)).epoch, Epoch{2}) << "what the next hello names";
}

TEST(Protocol, AServerRefusesAnotherClusterAndAHigherEpoch) {
  ASSERT_TRUE(protocol_says("A server that is told of another cluster or of a higher epoch than its own"));
  const ServerIdentity server{ClusterId{{1, 2}}, Epoch{3}};
  EXPECT_EQ(server.judge({ClusterId{{1, 3}}, Epoch{3}, {}, 0, {}}), Origin::other_cluster);
  EXPECT_EQ(server.judge({server.cluster, Epoch{4}, {}, 0, {}}), Origin::later_epoch);
  EXPECT_EQ(server.judge({server.cluster, Epoch{2}, {}, 0, {}}), Origin::earlier_epoch);
  EXPECT_EQ(server.judge({server.cluster, Epoch{3}, {}, 0, {}}), Origin::here);
}

TEST(Protocol, Epoch0AndNoClusterAreAlwaysRight) {
  ASSERT_TRUE(protocol_says("0 is always right"));
  ASSERT_TRUE(protocol_says("the cluster of the sender; empty in a first message"));
  const ServerIdentity server{ClusterId{{1, 2}}, Epoch{3}};
  EXPECT_EQ(server.judge({}), Origin::here);
  EXPECT_EQ(server.judge(Ends().client.wrap(Subscribe{}, at_ms(0))), Origin::here);
}

TEST(Protocol, AClientBelongsToTheClusterThatTookItFirst) {
  ASSERT_TRUE(protocol_says("the cluster of the sender"));
  Ends ends;
  ends.open(at_ms(0));
  ends.client.end(ends.random, at_ms(1));
  ends.identity.cluster = ClusterId{{9, 9}};
  EXPECT_EQ(ends.client.check(ends.welcome(at_ms(300)), true, at_ms(300)), Verdict::other_cluster);
}

TEST(Protocol, AHelloIsSentAgainAfterAtMost200MsDoublingTo10S) {
  ASSERT_TRUE(
      protocol_says("A hello that is not answered is sent again after at most 200 ms, doubling to at "
                    "most 10 s, each time a random part of it, of which 50 ms are the least."));
  Ends ends;
  EXPECT_TRUE(ends.client.attempt_due(at_ms(0)));
  std::set<Duration> delays;
  auto bound = std::chrono::milliseconds(200);
  for (int n = 0; n < 30; ++n) {
    ends.client.attempted(ends.random, at_ms(0));
    EXPECT_LE(ends.client.attempt_at(), at_ms(0) + bound);
    EXPECT_GE(ends.client.attempt_at(), at_ms(50));
    delays.insert(ends.client.attempt_at() - at_ms(0));
    bound = std::min(2 * bound, std::chrono::milliseconds(10'000));
  }
  EXPECT_GT(delays.size(), 25u);
}

TEST(Protocol, AClientBeatsWhenItHasSentNothingElseForTheInterval) {
  ASSERT_TRUE(
      protocol_says("Both sides of a session send HEARTBEAT when they have sent nothing else for the "
                    "interval that the answer to the hello named; any message counts as one."));
  Ends ends;
  ends.open(at_ms(0));
  EXPECT_FALSE(ends.client.beat_due(at_ms(999)));
  EXPECT_TRUE(ends.client.beat_due(at_ms(1000)));
  ends.client.wrap(Revive{}, at_ms(900));
  EXPECT_FALSE(ends.client.beat_due(at_ms(1000)));
  EXPECT_EQ(ends.client.next_deadline(), at_ms(1900));
}

TEST(Protocol, ASilentServerIsGivenUp) {
  ASSERT_TRUE(protocol_says("A peer that is silent for several intervals is given up, and its session"));
  Ends ends;
  ends.open(at_ms(0));
  ends.client.check(ends.from_server(), false, at_ms(2000));
  EXPECT_FALSE(ends.client.silent(at_ms(6999)));
  EXPECT_TRUE(ends.client.silent(at_ms(7000)));
}

TEST(Protocol, ASilentClientIsNoticed) {
  ASSERT_TRUE(protocol_says("A peer that is silent for several intervals is given up, and its session"));
  Ends ends;
  ends.open(at_ms(0));
  EXPECT_EQ(ends.server->silent_for(at_ms(5000)), std::chrono::seconds(5));
  ends.server->heard(at_ms(5000));
  EXPECT_EQ(ends.server->silent_for(at_ms(6000)), std::chrono::seconds(1));
}

TEST(Protocol, RequestsMayFollowAHelloWithSession0) {
  ASSERT_TRUE(protocol_says("Requests may follow the hello at once, with session 0 until"));
  const ServerSession session(PeerId{1}, SessionId{5}, at_ms(0));
  EXPECT_TRUE(session.matches_early(PeerId{1}, SessionId{}));
  EXPECT_TRUE(session.matches_early(PeerId{1}, SessionId{5}));
  EXPECT_FALSE(session.matches_early(PeerId{1}, SessionId{6}));
  EXPECT_FALSE(session.matches_early(PeerId{2}, SessionId{}));
}

TEST(Protocol, ARepeatedHelloGetsTheSameSessionAsLongAsNothingElseHasCome) {
  ASSERT_TRUE(
      protocol_says("the same hello on the same connection, as long as nothing else has come: it gets "
                    "the same session"));
  ServerSession session(PeerId{1}, SessionId{5}, at_ms(0));
  EXPECT_TRUE(session.may_repeat_hello(PeerId{1}));
  EXPECT_FALSE(session.may_repeat_hello(PeerId{2}));
  session.heard(at_ms(1));
  EXPECT_FALSE(session.may_repeat_hello(PeerId{1}));
}

}  // namespace
}  // namespace proffer::session
