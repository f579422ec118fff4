// A client where docs/PROTOCOL.md leaves it free: welcomes that repeat, errors that come late, pauses of its
// own.
#include "tests/session/ends.hpp"

namespace proffer::session {
namespace {

using Verdict = ClientSession::Verdict;

Envelope error_in(const Ends& ends, SessionId session) {
  return ends.identity.wrap(ErrorMessage{{ErrorCode::invalid, "no"}, 1}, session);
}

TEST(AClientSession, TakesARepeatedWelcomeButBeginsOnce) {
  Ends ends;
  const auto answer = ends.welcome(at_ms(0));
  EXPECT_TRUE(ends.client.begin(answer, Ends::kBeat, at_ms(0)));
  ends.client.wrap(Revive{}, at_ms(1));
  EXPECT_EQ(ends.client.check(answer, true, at_ms(4000)), Verdict::take);
  EXPECT_FALSE(ends.client.begin(answer, Ends::kBeat, at_ms(4000)));
  EXPECT_FALSE(ends.client.silent(at_ms(8000))) << "it was heard";
  EXPECT_EQ(ends.client.wrap(Revive{}, at_ms(4001)).seq, 2u) << "numbers go on";
}

TEST(AClientSession, TakesAWelcomeOfALaterEpochInThePlaceOfItsSession) {
  Ends ends;
  ends.open(at_ms(0));
  ends.restart_server();
  const auto answer = ends.server->wrap(ends.identity, Subscribed{});
  EXPECT_EQ(ends.client.check(answer, true, at_ms(1)), Verdict::take);
  EXPECT_TRUE(ends.client.begin(answer, Ends::kBeat, at_ms(1)));
}

TEST(AClientSession, WithoutOneTakesErrorsThatNameNoneAndNothingElse) {
  Ends ends;
  EXPECT_EQ(ends.client.check(error_in(ends, {}), false, at_ms(0)), Verdict::take);
  EXPECT_EQ(ends.client.check(error_in(ends, SessionId{9}), false, at_ms(0)), Verdict::drop);
  EXPECT_EQ(ends.client.check(ends.identity.wrap(Rescind{}), false, at_ms(0)), Verdict::drop);
}

TEST(AClientSession, TakesErrorsAboutAFormerOneIfItIsToAndNoneIsOpen) {
  Ends ends({.takes_late_errors = true});
  EXPECT_EQ(ends.client.check(error_in(ends, SessionId{9}), false, at_ms(0)), Verdict::take);
  ends.open(at_ms(0));
  EXPECT_EQ(ends.client.check(error_in(ends, SessionId{9}), false, at_ms(1)), Verdict::drop);
  EXPECT_EQ(ends.client.check(error_in(ends, ends.server->id()), false, at_ms(1)), Verdict::take);
}

TEST(AClientSession, RemembersTheEpochThatItsLastHelloNamed) {
  Ends ends;
  ends.open(at_ms(0));
  ends.client.end(ends.random, at_ms(1));
  EXPECT_EQ(ends.client.attempted_in(), Epoch{}) << "ending is no attempt";
  ends.client.attempted(ends.random, at_ms(300));
  EXPECT_EQ(ends.client.attempted_in(), Epoch{1});
}

TEST(AClientSession, EndsOnceAndTriesAgainAfterAShortWhile) {
  Ends ends;
  for (int n = 0; n < 20; ++n) ends.client.attempted(ends.random, at_ms(0));
  ends.open(at_ms(0));
  ends.client.end(ends.random, at_ms(1000));
  const auto next = ends.client.attempt_at();
  EXPECT_LE(next, at_ms(1200)) << "delays begin anew after a session";
  ends.client.end(ends.random, at_ms(1100));
  EXPECT_EQ(ends.client.attempt_at(), next);
  EXPECT_EQ(ends.client.next_deadline(), next);
}

TEST(AClientSession, AbandonedIsClosedWithoutHeartbeats) {
  Ends ends;
  ends.open(at_ms(0));
  ends.client.abandon();
  EXPECT_FALSE(ends.client.open());
  EXPECT_FALSE(ends.client.silent(at_ms(60'000)));
  EXPECT_FALSE(ends.client.beat_due(at_ms(60'000)));
}

TEST(AClientSession, ForgivesTheServerItsOwnPause) {
  Ends ends;
  ends.client.woke(at_ms(0));
  ends.open(at_ms(0));
  EXPECT_EQ(ends.client.woke(at_ms(60'000)), std::chrono::seconds(60));
  EXPECT_FALSE(ends.client.silent(at_ms(60'000)));
  EXPECT_EQ(ends.client.woke(at_ms(62'000)), Duration::zero()) << "two heartbeats are no pause";
}

TEST(AClientSession, NumbersItsHeartbeatsOverAllSessions) {
  Ends ends;
  ends.open(at_ms(0));
  EXPECT_EQ(ends.client.beat().beat, 1u);
  ends.open(at_ms(1));
  EXPECT_EQ(ends.client.beat().beat, 2u);
}

TEST(AnError, MayPassIfTheServerIsOnlyNotReadyYet) {
  for (const auto code : {ErrorCode::unknown_session, ErrorCode::slow_down, ErrorCode::unreachable,
                          ErrorCode::timed_out, ErrorCode::io}) {
    EXPECT_TRUE(may_pass(code)) << to_string(code);
  }
  for (const auto code : {ErrorCode::invalid, ErrorCode::version, ErrorCode::wrong_cluster,
                          ErrorCode::name_in_use, ErrorCode::refused, ErrorCode::unknown_pool}) {
    EXPECT_FALSE(may_pass(code)) << to_string(code);
  }
}

}  // namespace
}  // namespace proffer::session
