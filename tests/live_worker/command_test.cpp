// Commands and what they say on their standard error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "live/worker/command.hpp"
#include "live/worker/reporter.hpp"

namespace proffer::live {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Ran {
  std::string out;
  std::string err;
  ExitStatus exit;
  bool read_all = true;
};

Ran run(const std::string& text, const std::string& input = {}, const Environment& env = {}) {
  ::signal(SIGPIPE, SIG_IGN);
  Ran ran;
  auto with_path = env;
  with_path.emplace_back("PATH", "/usr/bin:/bin");
  auto command = Command::start(text, with_path,
                                {[&](std::string_view bytes) {
                                   ran.out += bytes;
                                   return Result<>();
                                 },
                                 [&](std::string_view bytes) { ran.err += bytes; }});
  EXPECT_TRUE(command.ok());
  EXPECT_TRUE((*command)->feed(input).ok());
  ran.read_all = (*command)->wants_input();
  const auto exit = (*command)->finish();
  EXPECT_TRUE(exit.ok());
  ran.exit = *exit;
  return ran;
}

TEST(Command, PipesWithinItWork) {
  const auto ran = run("tr a-z A-Z | sort -r", "b\na\n");
  EXPECT_EQ(ran.out, "B\nA\n");
  EXPECT_EQ(ran.exit, (ExitStatus{0, 0}));
}

TEST(Command, MoreThanAnyPipeHoldsGoesThroughBothWays) {
  const std::string input(20 << 20, 'x');
  EXPECT_TRUE(run("cat", input).out == input);
}

TEST(Command, OneThatReadsNothingIsNoError) {
  const auto ran = run("echo done", std::string(20 << 20, 'x'));
  EXPECT_EQ(ran.out, "done\n");
  EXPECT_FALSE(ran.read_all);
  EXPECT_EQ(ran.exit, (ExitStatus{0, 0}));
}

TEST(Command, ExitCodesAndSignalsAreTold) {
  EXPECT_EQ(run("exit 3").exit, (ExitStatus{3, 0}));
  EXPECT_EQ(run("kill -9 $$").exit, (ExitStatus{0, 9}));
  EXPECT_EQ(shell_code({0, 9}), 137);
  EXPECT_EQ(describe_exit({0, 9}), "signal 9 (Killed)");
}

TEST(Command, SigpipeIsAsUsualForIt) { EXPECT_EQ(run("yes | head -1").out, "y\n"); }

TEST(Command, ItHasTheseVariablesAndNoOthers) {
  ::setenv("PROFFER_TEST_LEAK", "1", 1);
  EXPECT_EQ(run("echo $A$PROFFER_TEST_LEAK", {}, {{"A", "a b"}}).out, "a b\n");
}

TEST(Command, AnErrorOfItsReaderEndsIt) {
  auto command = Command::start("cat", {{"PATH", "/usr/bin:/bin"}},
                                {[](std::string_view) -> Result<> {
                                   return Error{ErrorCode::io, "no room"};
                                 },
                                 [](std::string_view) {}});
  ASSERT_TRUE((*command)->feed("x").ok());
  Result<> fed;
  // What it was fed comes back when it has had the time for it.
  for (int i = 0; i < 1000 && fed; ++i) fed = (*command)->feed(std::string(64 << 10, 'x'));
  ASSERT_FALSE(fed.ok());
  EXPECT_EQ(fed.error().message, "no room");
}

struct Heard {
  std::string people;
  std::vector<std::string> statuses;
  std::vector<Counter> counters;
  std::string last;
};

Heard hear(const std::vector<std::string>& pieces) {
  Heard heard;
  Reporter reporter({[&](std::string_view line) { heard.people += line; },
                     [&](std::string_view status) { heard.statuses.emplace_back(status); }});
  for (const auto& piece : pieces) reporter.add(piece);
  reporter.finish();
  heard.counters = reporter.counters();
  heard.last = reporter.last_lines();
  return heard;
}

TEST(Reporter, CountersAddUpByGroupAndName) {
  const auto heard = hear({"reporter:counter:g,b,1\nreporter:cou", "nter:g,a,2\nreporter:counter:g,b,40\n"});
  EXPECT_THAT(heard.counters, ElementsAre(Counter{"g", "a", 2}, Counter{"g", "b", 41}));
  EXPECT_EQ(heard.people, "");
}

TEST(Reporter, CountersMayBeNegativeAndTheirNamesHaveCommas) {
  const auto heard = hear({"reporter:counter:g,a,b,-5\n"});
  EXPECT_THAT(heard.counters, ElementsAre(Counter{"g", "a,b", -5}));
}

TEST(Reporter, StatusIsPassedOnAndTheRestIsForPeople) {
  const auto heard = hear({"reporter:status:half way\noops\nno end"});
  EXPECT_THAT(heard.statuses, ElementsAre("half way"));
  EXPECT_EQ(heard.people, "oops\nno end\n");
  EXPECT_EQ(heard.last, "oops\nno end");
}

TEST(Reporter, WhatIsNoCounterIsForPeople) {
  const auto heard = hear({"reporter:counter:g,a,many\nreporter:counter:g,1\nreporter:counter:\n"});
  EXPECT_THAT(heard.counters, IsEmpty());
  EXPECT_EQ(heard.people, "reporter:counter:g,a,many\nreporter:counter:g,1\nreporter:counter:\n");
}

TEST(Reporter, OnlyTheLastLinesAreKept) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "line " + std::to_string(i) + "\n";
  const auto last = hear({text}).last;
  EXPECT_LE(last.size(), 2048u);
  EXPECT_THAT(last, HasSubstr("line 9999"));
  EXPECT_EQ(last.substr(0, 5), "line ");
}

TEST(Reporter, KindsOfCountersAreBounded) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "reporter:counter:g," + std::to_string(i) + ",1\n";
  EXPECT_EQ(hear({text}).counters.size(), 1000u);
}

}  // namespace
}  // namespace proffer::live
