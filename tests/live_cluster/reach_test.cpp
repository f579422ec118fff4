// Daemons that would listen beyond this machine.
#include <gmock/gmock.h>
#include <unistd.h>

#include "cluster.hpp"

namespace proffer {
namespace {

using ::testing::AllOf;
using testing::Folder;
using ::testing::HasSubstr;
using testing::proffer;
using namespace std::chrono_literals;

void expect_refused(const std::vector<std::string>& words) {
  const auto ran = proffer(words, 20s);
  EXPECT_EQ(ran.exit_code, 78) << words.front();
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, AllOf(HasSubstr("beyond this machine"), HasSubstr("--insecure"))) << words.front();
}

TEST(DaemonsThatListenBeyondThisMachine, AreRefusedWithExitCode78) {
  const Folder folder;
  const auto& at = folder.path();
  expect_refused({"allocator", "--frameworks-endpoint", "tcp://*:0", "--agents-endpoint", "tcp://127.0.0.1:0",
                  "--state-dir", at});
  expect_refused({"allocator", "--frameworks-endpoint", "tcp://127.0.0.1:0", "--agents-endpoint",
                  "tcp://0.0.0.0:0", "--state-dir", at});
  expect_refused({"catalog", "--endpoint", "tcp://0.0.0.0:0", "--state-dir", at});
  expect_refused({"agent", "--data-endpoint", "tcp://0.0.0.0:0", "--work-dir", at});
}

TEST(DaemonsThatListenBeyondThisMachine, DoSoAndWarnWhenTheyAreToldTo) {
  const Folder folder;
  const auto log = folder.path() + "/log";
  auto daemon = testing::start_proffer(
      {"catalog", "--endpoint", "tcp://0.0.0.0:0", "--insecure", "--state-dir", folder.path() + "/state"},
      log);
  const auto ready = daemon.read_line(20s);
  ASSERT_TRUE(ready) << ready.error().message;
  EXPECT_THAT(*ready, HasSubstr("catalog endpoint=tcp://0.0.0.0:"));
  EXPECT_THAT(testing::read_file(log), HasSubstr("can run commands as the user of its agents"));
}

TEST(DaemonsThatListenBeyondThisMachine, TakeTheWordOfTheirFile) {
  const Folder folder;
  const auto file = folder.file("c.toml", "[catalog]\nendpoint = \"tcp://0.0.0.0:0\"\ninsecure = true\n");
  auto daemon =
      testing::start_proffer({"catalog", "--config", file, "--state-dir", folder.path() + "/state"});
  EXPECT_TRUE(daemon.read_line(20s));
}

TEST(AnAgentOfAnotherMachinesAllocator, IsRefusedWithExitCode2WhenItsDataAddressLeadsNowhere) {
  const Folder folder;
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--insecure", "--data-endpoint", "tcp://*:5160"}}) {
    std::vector<std::string> words{"agent", "--allocator", "tcp://192.0.2.1:5151", "--work-dir",
                                   folder.path()};
    words.insert(words.end(), more.begin(), more.end());
    const auto ran = proffer(words, 20s);
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.err, HasSubstr("give --data-endpoint tcp://ADDRESS-OF-THIS-HOST:"));
  }
}

TEST(AnAgentThatRunsAsRoot, SaysSoOnceAtItsStart) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can run as root";
  testing::Cluster cluster(1);
  const auto log = testing::read_file(cluster.folder().path() + "/cluster/n01/log");
  const auto said = log.find("runs as root, and so do all tasks");
  ASSERT_NE(said, log.npos);
  EXPECT_EQ(log.find("runs as root", said + 1), log.npos);
}

TEST(ADevelopmentClusterOfRoot, SaysSoInOneLine) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can run as root";
  EXPECT_THAT(proffer({"dev", "--nodes", "1", "--port", "0", "--", "true"}).err, HasSubstr("You are root"));
}

}  // namespace
}  // namespace proffer
