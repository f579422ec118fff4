#include "tests/tidy/planted.hpp"

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> banned(std::string text) {
  return planted(check_banned_calls, "agent/agent.cpp", std::move(text));
}

TEST(BannedCalls, ClocksAreCaughtWithReasonAndReplacement) {
  EXPECT_THAT(
      banned("auto t = std::chrono::steady_clock::now();"),
      ElementsAre("agent/agent.cpp:1: steady_clock: a machine that reads a clock cannot be replayed; use the "
                  "`now` that step() was given"));
  EXPECT_THAT(banned("\nauto t = time(nullptr);"), ElementsAre(StartsWith("agent/agent.cpp:2: time: ")));
  EXPECT_THAT(banned("return std::time(&t);"), ElementsAre(StartsWith("agent/agent.cpp:1: time: ")));
}

TEST(BannedCalls, RandomnessOfOnesOwnIsCaught) {
  EXPECT_THAT(
      banned("std::random_device device;"),
      ElementsAre(
          "agent/agent.cpp:1: random_device: it differs between compilers or runs; use the Random that "
          "was handed in (proffer/random.hpp)"));
  EXPECT_THAT(banned("std::uniform_int_distribution<int> d(0, 1);"),
              ElementsAre(StartsWith("agent/agent.cpp:1: uniform_int_distribution: ")));
  EXPECT_THAT(banned("std::shuffle(a.begin(), a.end(), g);"),
              ElementsAre(StartsWith("agent/agent.cpp:1: shuffle: ")));
  EXPECT_THAT(banned("#include <random>\n"), ElementsAre(StartsWith("agent/agent.cpp:1: <random>: ")));
  EXPECT_THAT(banned("random_.shuffle(agents); boost::random::uniform_int_distribution<int> d;"), IsEmpty());
}

TEST(BannedCalls, ThreadsAreCaught) {
  EXPECT_THAT(
      banned("#include <thread>\n"),
      ElementsAre("agent/agent.cpp:1: <thread>: a machine is serial; threads belong to live/; use events and "
                  "actions"));
  EXPECT_THAT(
      banned("#include <mutex>\n#include <atomic>\n"),
      ElementsAre(StartsWith("agent/agent.cpp:1: <mutex>: "), StartsWith("agent/agent.cpp:2: <atomic>: ")));
}

TEST(BannedCalls, StreamsFilesAndSystemHeadersAreCaught) {
  EXPECT_THAT(banned("#include <iostream>\n"), ElementsAre(StartsWith("agent/agent.cpp:1: <iostream>: ")));
  EXPECT_THAT(
      banned("#include <fstream>\n"),
      ElementsAre(
          "agent/agent.cpp:1: <fstream>: a machine has no input or output; use an Emit action, or fmt "
          "to make text"));
  EXPECT_THAT(banned("#include <sys/socket.h>\n"),
              ElementsAre(StartsWith("agent/agent.cpp:1: <sys/socket.h>: ")));
}

TEST(BannedCalls, EnvironmentAndSleepAreCaught) {
  EXPECT_THAT(
      banned("if (std::getenv(\"X\")) f();"),
      ElementsAre(
          "agent/agent.cpp:1: getenv: the environment is a hidden input; use a field of the machine's "
          "configuration"));
  EXPECT_THAT(banned("::usleep(10);"), ElementsAre("agent/agent.cpp:1: usleep: a machine never waits; use "
                                                   "next_deadline() and TimePassed"));
}

TEST(BannedCalls, FloatingPointIsCaughtExceptInTheFormula) {
  EXPECT_THAT(
      banned("double share = 0.5;"),
      ElementsAre(
          "agent/agent.cpp:1: double: rounding would decide, differently from machine to machine; use "
          "integers, compared by cross-multiplication"));
  EXPECT_THAT(
      planted(check_banned_calls, "frameworks/pool/delay_formula.cpp", "double d = 1; std::random_device r;"),
      ElementsAre(StartsWith("frameworks/pool/delay_formula.cpp:1: random_device")));
}

TEST(BannedCalls, MembersDeclarationsAndOtherScopesAreNotCalls) {
  EXPECT_THAT(banned("line.time(1); run->sleep(2); Time time(int x); Foo::time(3); A() : time(0) {}"),
              IsEmpty());
}

TEST(BannedCalls, CommentsAndLiteralsAreFree) {
  EXPECT_THAT(banned("// never call time(nullptr)\nauto s = \"steady_clock\";"), IsEmpty());
}

TEST(BannedCalls, HigherFloorsAreFree) {
  EXPECT_THAT(planted(check_banned_calls, "live/clock.cpp", "#include <thread>\nsteady_clock::now();"),
              IsEmpty());
}

}  // namespace
}  // namespace proffer::tidy
