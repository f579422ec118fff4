// Every daemon of a cluster is stopped in good order and started again, one after the other, while work runs.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <sstream>

#include "daemons.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Daemon;
using testing::Daemons;
using testing::eventually;

/// An allocator, a catalog and three agents of two map slots and a reduce slot each.
struct RollingRestart : ::testing::Test {
  Daemons cluster{3, "map=2,reduce=1"};
  const testing::Folder& folder = cluster.folder();

  /// Restarts a daemon, and waits for the cluster to be whole again.
  void restart(Daemon& daemon) {
    daemon.end_by(SIGTERM);
    daemon.start();
    EXPECT_TRUE(eventually([&] { return cluster.whole(); }, 60s));
  }
  void restart_everything() {
    restart(cluster.allocator());
    restart(cluster.catalog());
    for (auto& agent : cluster.agents()) restart(agent);
  }
};

/// Each task notes its pid whenever it starts: a second note would be a second start.
TEST_F(RollingRestart, ThePidOfATaskBeforeIsItsPidAfter) {
  const auto starts = folder.path() + "/starts";
  const auto gate = folder.path() + "/gate";
  const auto log = folder.path() + "/run.log";
  auto run = cluster.begin(
      {"run", "-n", "6", "--", "sh", "-c",
       "echo {} $$ >> " + starts + "; while [ ! -e " + gate + " ]; do sleep 0.05; done; echo done {}"},
      log);
  const auto lines = [&] {
    const auto text = testing::read_file(starts);
    return std::count(text.begin(), text.end(), '\n');
  };
  ASSERT_TRUE(eventually([&] { return lines() == 6; }, 30s));
  const auto before = testing::read_file(starts);
  restart_everything();
  EXPECT_EQ(testing::read_file(starts), before) << "nothing was started twice";
  std::istringstream tasks(before);
  for (std::string task, pid; tasks >> task >> pid;) {
    EXPECT_EQ(::kill(std::stoi(pid), 0), 0) << "task " << task << " runs no more";
  }
  folder.file("gate", "");
  std::string out;
  while (auto line = run.read_line(60s)) out += *line + "\n";
  EXPECT_EQ(run.wait_exit(60s), std::optional(0)) << testing::read_file(log);
  for (int i = 0; i < 6; ++i) {
    EXPECT_THAT(out, ::testing::HasSubstr("done " + std::to_string(i) + "\n"));
  }
  EXPECT_EQ(testing::read_file(starts), before);
}

TEST_F(RollingRestart, TheOutputOfAJobIsThatOfOneThatNobodyDisturbed) {
  std::string text;
  for (int i = 0; i < 6000; ++i) text += "word" + std::to_string(i % 7) + " of many\n";
  const auto local = folder.file("text", text);
  ASSERT_EQ(cluster.command({"put", "--block-size", "16KiB", "--replication", "2", local, "/text"}).exit_code,
            0);
  const auto job = [&](const std::string& out, const std::string& pause) {
    return std::vector<std::string>{"mr",
                                    "-input",
                                    "/text",
                                    "-output",
                                    out,
                                    "-mapper",
                                    "sleep " + pause + "; tr ' ' '\\n'",
                                    "-reducer",
                                    "uniq -c",
                                    "-numReduceTasks",
                                    "2"};
  };
  ASSERT_EQ(cluster.command(job("/reference", "0")).exit_code, 0);
  const auto log = folder.path() + "/mr.log";
  auto disturbed = cluster.begin(job("/out", "2"), log);
  ASSERT_TRUE(eventually([&] { return cluster.used("mr", "map") > 0; }, 30s));
  restart_everything();
  EXPECT_EQ(disturbed.wait_exit(180s), std::optional(0)) << testing::read_file(log);
  const auto reference = cluster.command({"cat", "/reference"}).out;
  EXPECT_NE(reference, "");
  EXPECT_EQ(cluster.command({"cat", "/out"}).out, reference);
}

}  // namespace
}  // namespace proffer
