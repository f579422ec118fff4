// Whether a cluster's processes ended as they should.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include "cluster.hpp"
#include "live/cluster/child_end.hpp"

namespace proffer {
namespace {

using testing::Cluster;
using ::testing::HasSubstr;

TEST(CleanEnd, IsExitCodeZeroInTime) {
  const testing::Folder folder;
  const auto log = folder.file("log", "no room on the disk\n");
  EXPECT_TRUE(live::clean_end("n1", 0, log));
  EXPECT_EQ(live::clean_end("n1", std::nullopt, "").error().message, "n1 did not end when it was asked to");
  EXPECT_EQ(live::clean_end("n1", W_EXITCODE(3, 0), log).error().message,
            "n1 ended with exit code 3: no room on the disk");
  EXPECT_THAT(live::clean_end("n1", W_EXITCODE(0, SIGSEGV), log).error().message, HasSubstr("by signal 11"));
}

TEST(ClusterStop, IsAnErrorWhenADaemonWasKilled) {
  Cluster cluster(1);
  ASSERT_EQ(::kill(cluster.processes().agent_pid(0), SIGKILL), 0);
  const auto stopped = cluster.processes().stop();
  ASSERT_FALSE(stopped);
  EXPECT_THAT(stopped.error().message, HasSubstr("n01 ended by signal 9"));
}

TEST(ClusterStop, IsCleanAfterWork) {
  Cluster cluster(2);
  ASSERT_EQ(cluster({"run", "--", "true"}).exit_code, 0);
  const auto stopped = cluster.processes().stop();
  EXPECT_TRUE(stopped) << stopped.error().message;
}

}  // namespace
}  // namespace proffer
