// The parts of which both ends of a session are made, and the server's end where the protocol leaves it free.
#include "proffer/session/resend.hpp"
#include "tests/session/ends.hpp"

namespace proffer::session {
namespace {

TEST(ASeqWindow, TakesEachNumberOnceInAnyOrder) {
  SeqWindow window;
  for (const auto seq : {1U, 3U, 2U, 10U}) EXPECT_TRUE(window.take(seq)) << seq;
  for (const auto seq : {1U, 2U, 3U, 10U}) EXPECT_FALSE(window.take(seq)) << seq;
  EXPECT_TRUE(window.take(9));
}

TEST(ASeqWindow, TakesANumberThatIs64BehindForSeen) {
  SeqWindow window;
  EXPECT_TRUE(window.take(100));
  EXPECT_TRUE(window.take(37)) << "63 behind";
  EXPECT_FALSE(window.take(36)) << "64 behind";
  EXPECT_TRUE(window.take(1000));
  EXPECT_FALSE(window.take(100));
}

TEST(ASeqWindow, AlwaysTakes0) {
  SeqWindow window;
  EXPECT_TRUE(window.take(0));
  EXPECT_TRUE(window.take(0));
}

TEST(ABackoff, StaysBetweenAQuarterOfItsFirstBoundAndItsBound) {
  Random random(3);
  for (int n = 0; n < 100; ++n) {
    Backoff backoff(Duration{1000}, Duration{2000});
    for (const auto bound : {1000, 2000, 2000}) {
      const auto delay = backoff.next(random);
      EXPECT_GE(delay, Duration{250});
      EXPECT_LE(delay, Duration{bound});
    }
  }
}

TEST(ABackoff, BeginsAnewAfterAReset) {
  Random random(3);
  Backoff backoff(Duration{1000}, Duration{1'000'000});
  for (int n = 0; n < 20; ++n) backoff.next(random);
  backoff.reset();
  EXPECT_LE(backoff.next(random), Duration{1000});
}

TEST(ABackoff, OfNothingStillWaits) {
  Random random(3);
  Backoff backoff(Duration::zero(), Duration::zero());
  EXPECT_GE(backoff.next(random), Duration{1});
}

TEST(HeartbeatsOf, AClusterWithoutThemAreNeverDue) {
  Heartbeats beats;
  beats.begin(Duration::zero(), Duration{5}, at_ms(0));
  EXPECT_FALSE(beats.beat_due(at_ms(1'000'000)));
  EXPECT_FALSE(beats.silent(at_ms(1'000'000)));
  EXPECT_EQ(beats.next_deadline(), std::nullopt);
  EXPECT_EQ(beats.woke(at_ms(1'000'000)), Duration::zero());
}

TEST(AResend, IsTwiceAsLateEachTimeUpToTheLongest) {
  Resend resend(std::chrono::seconds(1), std::chrono::seconds(3), at_ms(0));
  EXPECT_FALSE(resend.is_due(at_ms(999)));
  EXPECT_TRUE(resend.is_due(at_ms(1000)));
  for (const auto next : {2000, 3000, 3000}) {
    resend.sent(at_ms(0));
    EXPECT_EQ(resend.at(), at_ms(next));
  }
}

TEST(AResend, OfAFirstDelayAboveTheLongestStaysThere) {
  Resend resend(std::chrono::seconds(5), std::chrono::seconds(3), at_ms(0));
  resend.sent(at_ms(0));
  EXPECT_EQ(resend.at(), at_ms(5000));
}

TEST(AResend, ThatIsHurriedGoesOnWithItsDelays) {
  Resend resend(std::chrono::seconds(1), std::chrono::seconds(9), at_ms(0));
  resend.hurry(at_ms(10));
  EXPECT_TRUE(resend.is_due(at_ms(10)));
  resend.sent(at_ms(10));
  EXPECT_EQ(resend.at(), at_ms(2010));
}

TEST(HeartbeatsOf, ASlowClusterLetThePeerMissTwo) {
  Heartbeats beats;
  beats.begin(std::chrono::seconds(10), std::chrono::seconds(1), at_ms(0));
  EXPECT_FALSE(beats.silent(at_ms(29'999)));
  EXPECT_TRUE(beats.silent(at_ms(30'000)));
}

TEST(HeartbeatsOf, AProcessThatSleptGiveThePeerAsMuchMoreButNoFuture) {
  Heartbeats beats;
  beats.woke(at_ms(0));
  beats.begin(std::chrono::seconds(1), std::chrono::seconds(3), at_ms(0));
  beats.woke(at_ms(500));
  beats.heard(at_ms(500));
  EXPECT_EQ(beats.woke(at_ms(100'500)), std::chrono::seconds(100));
  EXPECT_FALSE(beats.silent(at_ms(103'499)));
  EXPECT_TRUE(beats.silent(at_ms(103'500)));
}

TEST(AServerSession, MayHaveItsHelloRepeatedUntilItsClientIsHeard) {
  ServerSession session(PeerId{1}, SessionId{5}, at_ms(0));
  EXPECT_TRUE(session.may_repeat_hello(PeerId{1}));
  session.heard(at_ms(1));
  EXPECT_FALSE(session.may_repeat_hello(PeerId{1}));
}

TEST(AServerSession, ForgivesSilenceWhileTheServerDidNotRun) {
  ServerSession session(PeerId{1}, SessionId{5}, at_ms(0));
  session.forgive(std::chrono::seconds(9));
  EXPECT_EQ(session.heard_at(), at_ms(9000));
  EXPECT_TRUE(session.may_repeat_hello(PeerId{1})) << "nothing has come";
}

TEST(AServerIdentity, NamesTheSessionThatAnErrorIsAbout) {
  const ServerIdentity server{ClusterId{{1, 2}}, Epoch{3}};
  const auto error = server.wrap(ErrorMessage{}, SessionId{5});
  EXPECT_EQ(error, (Envelope{server.cluster, Epoch{3}, SessionId{5}, 0, ErrorMessage{}}));
}

}  // namespace
}  // namespace proffer::session
