// Runs in which a job fails, since the data of its only replica are gone.
#include <gmock/gmock.h>

#include "tests/live_cluster/cluster.hpp"

namespace proffer {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLost = R"(
name = "lost"
seeds = 1
[cluster]
nodes = 2
slots = { map = 1 }
faults = [{ at = "15s", kill = "r1n1", for = "1h" }]
[store]
replication = 1
[[framework]]
name = "mr"
[[workload]]
input_nodes = ["r1n1"]
bins = [{ name = "lost", maps = 6, jobs = 1 }]
map_time = "10s"
[report]
measures = ["jobs.failed"]
)";

TEST(FailedJobs, AreNoUsageErrorAndLeaveTheOtherFigures) {
  testing::Folder folder;
  const auto ran = testing::proffer({"sim", folder.file("lost.toml", kLost), "--quiet"});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("1 jobs failed; the first: job-001"));
  EXPECT_THAT(ran.out, HasSubstr("digest"));
}

TEST(FailedJobs, OfAnExperimentAreWarnedOf) {
  testing::Folder folder;
  const auto file = folder.file("lost.toml", kLost);
  const auto ran = testing::proffer({"experiment", "run", file, "-d", folder.path() + "/results", "--quiet"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("1 jobs failed in the mean of its runs"));
}

}  // namespace
}  // namespace proffer
