// What one framework does to itself does not hurt the others: real processes, real signals.
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include "cluster.hpp"

namespace proffer {
namespace {

using testing::Cluster;
using testing::eventually;
using namespace std::chrono_literals;

/// A command of the shell that ends once the file is there.
std::string until_there(const std::string& file) {
  return "while [ ! -e " + file + " ]; do sleep 0.05; done";
}

TEST(Isolation, SlotsOfAKilledFrameworkAreOfferedToTheOthersWithinTenSeconds) {
  Cluster cluster(4);  // 8 map slots
  auto greedy =
      cluster.start({"run", "--name", "doomed", "-n", "8", "--failover-timeout", "0s", "--", "sleep", "300"});
  ASSERT_TRUE(eventually([&] { return cluster.running("doomed") == 8; }, 20s));
  auto others = std::vector<live::Child>{};
  for (const auto* name : {"a", "b", "c"}) {
    others.push_back(cluster.start({"run", "--name", name, "-n", "2", "--", "sh", "-c", "exec sleep 0.2"}));
  }
  greedy.signal(SIGKILL);
  for (auto& other : others) EXPECT_EQ(other.wait_exit(10s), 0);
  EXPECT_TRUE(eventually([&] { return cluster.running("doomed") == 0; }, 10s));
}

TEST(Isolation, AFrameworkKilledInMidJobLeavesTheOthersRunning) {
  Cluster cluster(4);
  auto doomed =
      cluster.start({"run", "--name", "doomed", "-n", "2", "--failover-timeout", "0s", "--", "sleep", "300"});
  const auto gate = cluster.folder().path() + "/gate";
  auto steady = cluster.start({"run", "--name", "steady", "-n", "3", "--", "sh", "-c", until_there(gate)});
  ASSERT_TRUE(
      eventually([&] { return cluster.running("doomed") == 2 && cluster.running("steady") == 3; }, 20s));
  doomed.signal(SIGKILL);
  ASSERT_TRUE(eventually([&] { return cluster.running("doomed") == 0; }, 10s));
  EXPECT_EQ(cluster.running("steady"), 3);
  cluster.folder().file("gate", "");
  EXPECT_EQ(steady.wait_exit(20s), 0);
}

TEST(Isolation, TasksOfAnAgentThatDiesAreReportedAndRunElsewhere) {
  Cluster cluster(2, "[allocator]\nunreachable_after = \"6s\"\n");
  const auto log = cluster.folder().path() + "/err";
  const auto gate = cluster.folder().path() + "/gate";
  auto run = cluster.start({"run", "--name", "r", "-n", "4", "--", "sh", "-c", until_there(gate)}, log);
  ASSERT_TRUE(eventually([&] { return cluster.running("r") == 4; }, 20s));
  ::kill(cluster.processes().agent_pid(0), SIGKILL);
  cluster.folder().file("gate", "");
  EXPECT_EQ(run.wait_exit(60s), 0);
  EXPECT_THAT(testing::read_file(log), ::testing::HasSubstr("on n01 UNREACHABLE: its agent is silent"));
}

TEST(Isolation, TheUsersSettingsAreNotThoseOfAClustersDaemons) {
  const auto names = {"PROFFER_ALLOCATOR", "PROFFER_AGENT_ALLOCATOR", "PROFFER_AGENT_NAME"};
  for (const auto* name : names) ::setenv(name, "tcp://127.0.0.1:1", 1);
  Cluster cluster(2);
  for (const auto* name : names) ::unsetenv(name);
  EXPECT_EQ(cluster({"run", "--", "true"}).exit_code, 0);
}

TEST(Isolation, FrameworksOfOneNameDoNotShareFolders) {
  Cluster cluster(1);
  const auto gate = cluster.folder().path() + "/gate";
  const auto start = [&](const std::string& mark) {
    const auto note = "echo mine > f; : > " + cluster.folder().path() + "/" + mark + "; ";
    return cluster.start({"run", "--name", "r", "--", "sh", "-c", note + until_there(gate) + "; cat f; ls"});
  };
  auto one = start("one");
  auto other = start("other");
  const auto is_there = [&](const char* mark) {
    return ::access((cluster.folder().path() + "/" + mark).c_str(), F_OK) == 0;
  };
  ASSERT_TRUE(eventually([&] { return is_there("one") && is_there("other"); }, 20s));
  cluster.folder().file("gate", "");
  for (auto* child : {&one, &other}) {
    std::string lines;
    while (auto line = child->read_line(20s)) lines += *line + " ";
    EXPECT_EQ(lines, "mine f stderr stdout ");
    EXPECT_EQ(child->wait_exit(20s), 0);
  }
}

TEST(Isolation, AFailingTaskFailsOnlyItsOwnRun) {
  Cluster cluster(1);
  const auto bad = cluster({"run", "--", "sh", "-c", "exit 7"});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.err, ::testing::HasSubstr("exit code 7"));
  EXPECT_EQ(cluster({"run", "--", "true"}).exit_code, 0);
}

}  // namespace
}  // namespace proffer
