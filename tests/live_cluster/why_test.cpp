// What `proffer why` says of a cluster whose event log is behind by up to a second.
#include <gmock/gmock.h>

#include "cluster.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(WhyLive, AFrameworkThatHasJustComeIsExplainedAndNotOneThatHadItsNameBefore) {
  Cluster cluster(1);
  ASSERT_EQ(cluster({"run", "--", "true"}).exit_code, 0);
  const auto known = [&] {
    return cluster({"why", "framework", "run"}).out.find("has ended") != std::string::npos;
  };
  ASSERT_TRUE(eventually(known, 20s));
  const auto runs = cluster.start({"run", "-n", "40", "--", "sleep", "600"});
  ASSERT_TRUE(eventually([&] { return cluster.running("run") == 2; }, 20s));
  const auto why = cluster({"why", "framework", "run"});
  EXPECT_THAT(why.out, HasSubstr("Before it another was called run, and ended."));
  EXPECT_THAT(why.out, Not(HasSubstr("has ended and left")));
  EXPECT_THAT(why.out, HasSubstr("1 begun"));  // jobs are known without a setting
}

TEST(WhyLive, AFileThatIsNoEventLogGetsNoLinesOfFrameworks) {
  const testing::Folder folder;
  const auto log = folder.file("notes.jsonl", "mine\n");
  auto allocator = testing::start_proffer({"allocator", "--frameworks-endpoint", "tcp://127.0.0.1:0",
                                           "--agents-endpoint", "tcp://127.0.0.1:0", "--state-dir",
                                           folder.path() + "/state", "--event-log", log});
  const auto ready = allocator.read_line(20s);
  ASSERT_TRUE(ready);
  const auto at = ready->find("frameworks=");
  ASSERT_NE(at, std::string::npos) << *ready;
  const auto endpoint = ready->substr(at + 11, ready->find(' ', at) - at - 11);
  auto client = testing::start_proffer({"run", "--allocator", endpoint, "--", "true"});
  EXPECT_TRUE(testing::eventually(
      [&] { return testing::read_file(log).find("framework_subscribed") != std::string::npos; }, 30s));
  client.signal(SIGTERM);
  EXPECT_TRUE(client.wait_exit(20s));
  allocator.signal(SIGTERM);
  EXPECT_TRUE(allocator.wait_exit(20s));
  const auto text = testing::read_file(log);
  EXPECT_THAT(text, HasSubstr("framework_subscribed"));
  EXPECT_THAT(text, Not(HasSubstr("\"source\":\"framework run\"")));
}

}  // namespace
}  // namespace proffer
