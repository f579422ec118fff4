#include "live/host/loop.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

namespace proffer::live::test {
namespace {

/// Does something at a time, over and over if asked to.
struct Alarm final : LoopPart {
  std::optional<Time> due;
  std::function<void(Time)> ring;
  int turns = 0;

  void prepare(PollSet& polled) override { polled.wake_at(due); }
  void turn(const Readiness&, Time now) override {
    ++turns;
    if (due && *due <= now) ring(now);
  }
};

TEST(Loop, WakesAPartAtItsTimeAndNotBefore) {
  Loop loop;
  Alarm alarm;
  alarm.due = steady_now() + std::chrono::milliseconds(30);
  alarm.ring = [&](Time now) {
    EXPECT_GE(now, *alarm.due);
    loop.leave();
  };
  loop.add(alarm);
  EXPECT_TRUE(loop.run().ok());
  EXPECT_LE(alarm.turns, 3) << "it was woken in vain";
}

TEST(Loop, EndsWithTheFirstError) {
  Loop loop;
  Alarm alarm;
  alarm.due = Time{};
  alarm.ring = [&](Time) {
    loop.fail({ErrorCode::io, "the first"});
    loop.fail({ErrorCode::io, "the second"});
  };
  loop.add(alarm);
  EXPECT_EQ(loop.run().error().message, "the first");
}

TEST(Loop, EndsWhenAnotherThreadAsksForIt) {
  Loop loop;
  Stop stop;
  std::thread other([&] { stop.request(); });
  EXPECT_TRUE(loop.run(stop).ok());
  other.join();
  EXPECT_TRUE(stop.requested());
}

TEST(Loop, EndsOnSigtermAndSigint) {
  for (const int number : {SIGTERM, SIGINT}) {
    Loop loop;
    Stop stop;
    stop.on_signals();
    Alarm alarm;
    alarm.due = Time{};
    alarm.ring = [&](Time) {
      alarm.due.reset();
      ::raise(number);
    };
    loop.add(alarm);
    EXPECT_TRUE(loop.run(stop).ok());
  }
}

TEST(Stop, MakesBrokenPipesHarmlessHereAndNotInPrograms) {
  Stop stop;
  stop.on_signals();
  ::raise(SIGPIPE);
  struct sigaction now {};
  ASSERT_EQ(::sigaction(SIGPIPE, nullptr, &now), 0);
  EXPECT_NE(now.sa_handler, SIG_IGN) << "a program that is started would ignore it, too";
}

TEST(Readiness, TellsWhichDescriptorsAreReadable) {
  Stop loud;
  Stop quiet;
  loud.request();
  PollSet polled;
  polled.add_fd(quiet.fd());
  polled.add_fd(loud.fd());
  Poller poller;
  poller.wait(polled.wanted(), std::chrono::seconds(10));
  const Readiness ready(poller, polled.wanted());
  EXPECT_TRUE(ready.fd(loud.fd()));
  EXPECT_FALSE(ready.fd(quiet.fd()));
}

}  // namespace
}  // namespace proffer::live::test
