// No program reads the wall clock for anything that matters: it jumps by ten years ahead and back, twice a
// second, and nobody notices.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <algorithm>

#include "cluster.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using testing::eventually;
using testing::Folder;
using ::testing::HasSubstr;
using testing::proffer;
using testing::read_file;

/// Programs that are started meanwhile have such a wall clock.
class JumpingClock {
 public:
  JumpingClock() { ::setenv("LD_PRELOAD", PROFFER_BIN_DIR "/../plugins/clock_jumps.so", 1); }
  ~JumpingClock() { ::unsetenv("LD_PRELOAD"); }
  JumpingClock(const JumpingClock&) = delete;
  JumpingClock& operator=(const JumpingClock&) = delete;
};

struct WallClock : ::testing::Test {
  void SetUp() override {
    if (PROFFER_SANITIZED[0] != '\0') GTEST_SKIP() << "a sanitizer has to be loaded before all else";
  }
  Folder folder;
};

/// The year by `date`, which is told by the C library as well.
int year() {
  auto date = live::Child::start({"/usr/bin/env", "date", "+%Y"}, "/dev/null");
  const auto line = date ? date->read_line(20s) : Result<std::string>(date.error());
  return line ? std::stoi(*line) : 0;
}

TEST_F(WallClock, JumpsInTheseTests) {
  const int now = year();
  const JumpingClock jumping;
  EXPECT_TRUE(eventually([&] { return year() > now + 8; }, 20s));
  EXPECT_TRUE(eventually([&] { return year() < now - 8; }, 20s));
}

TEST_F(WallClock, TheTracesOfASimulationAreTheSame) {
  const auto trace = [&](const std::string& name) {
    const auto file = folder.path() + "/" + name;
    const auto ran = proffer({"sim", PROFFER_SOURCE_DIR "/examples/small.toml", "--cell", "patient", "--seed",
                              "1", "--events", file});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return read_file(file);
  };
  const auto before = trace("before");
  const JumpingClock jumping;
  EXPECT_GT(before.size(), 10'000u);
  EXPECT_TRUE(before == trace("jumping")) << "compare " << folder.path();
}

TEST_F(WallClock, TheTimelineOfAStormIsTheSame) {
  const auto timeline = [] { return proffer({"sim", "storm", "--seed", "7", "--timeline", "--quiet"}).out; };
  const auto before = timeline();
  const JumpingClock jumping;
  EXPECT_THAT(before, HasSubstr("digest"));
  EXPECT_TRUE(before == timeline());
}

/// Daemons, clients and tasks all have a clock that jumps, also while an allocator and an agent are killed.
TEST_F(WallClock, TasksOfACapriciousClusterRunAndEndAsEver) {
  const JumpingClock jumping;
  Cluster cluster(2);
  const auto starts = cluster.folder().path() + "/starts";
  const auto gate = cluster.folder().path() + "/gate";
  const auto log = cluster.folder().path() + "/log";
  auto run = cluster.start(
      {"run", "-n", "4", "--", "sh", "-c",
       "echo {} $$ >> " + starts + "; while [ ! -e " + gate + " ]; do sleep 0.05; done; echo result {}"},
      log);
  const auto started = [&] {
    const auto text = read_file(starts);
    return std::count(text.begin(), text.end(), '\n');
  };
  ASSERT_TRUE(eventually([&] { return started() == 4; }, 30s)) << read_file(log);
  ASSERT_TRUE(cluster.processes().kill_and_restart("allocator"));
  ASSERT_TRUE(cluster.processes().kill_and_restart("n01"));
  ASSERT_TRUE(eventually(
      [&] {
        return testing::json_number(cluster({"status", "-o", "json"}).out, "/frameworks/0/used/map") == 4;
      },
      30s));
  cluster.folder().file("gate", "");
  std::string out;
  while (auto line = run.read_line(30s)) out += *line + "\n";
  EXPECT_EQ(run.wait_exit(30s), std::optional(0)) << read_file(log);
  for (int i = 0; i < 4; ++i) EXPECT_THAT(out, HasSubstr("result " + std::to_string(i) + "\n"));
  EXPECT_EQ(started(), 4);
}

}  // namespace
}  // namespace proffer
