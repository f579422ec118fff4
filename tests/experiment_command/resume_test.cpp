// Results are the same bytes however they came about.
#include <gmock/gmock.h>
#include <signal.h>

#include "tests/experiment_command/results.hpp"
#include "tests/live_cluster/cluster.hpp"

namespace proffer {
namespace {

using testing::complete_runs;
using testing::files_below;
using testing::Folder;

constexpr int kRuns = 12;

/// Two cells of six seeds, each long enough to be found half done.
constexpr const char* kExperiment = R"(
name = "resumed"
seeds = 6
[cluster]
racks = 4
nodes_per_rack = 10
slots = { map = 4, reduce = 2 }
[[framework]]
name = "mr"
count = 3
policy = "wait,node_wait=${patience},rack_wait=5s"
[[workload]]
bins = [{ maps = 20, reduces = 2, jobs = 16 }]
arrivals = { process = "poisson", mean = "4s" }
[sweep]
patience = ["0s", "5s"]
)";

class Resume : public ::testing::Test {
 protected:
  std::vector<std::string> words(const std::string& verb, const std::string& results,
                                 const std::string& jobs = "1") const {
    return {"experiment", verb, file_,     "-d",      folder_.path() + "/" + results,
            "-j",         jobs, "--quiet", "--events"};
  }
  void run(const std::string& results, const std::string& jobs) const {
    const auto ran = testing::proffer(words("run", results, jobs));
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
  }
  std::string results(const std::string& name) const { return folder_.path() + "/" + name; }

  Folder folder_;
  std::string file_ = folder_.file("resumed.toml", kExperiment);
};

TEST_F(Resume, AfterAKillHalfWayLeavesTheSameBytesAsAnUndisturbedRun) {
  auto killed = testing::start_proffer(words("run", "killed"));
  ASSERT_TRUE(
      testing::eventually([&] { return complete_runs(results("killed")) > 0; }, std::chrono::seconds(30)));
  killed.signal(SIGKILL);
  killed.wait_exit(std::chrono::seconds(10));
  EXPECT_LT(complete_runs(results("killed")), kRuns) << "it was over before it was killed";
  const auto resumed = testing::proffer(words("resume", "killed"));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  run("whole", "1");
  EXPECT_EQ(complete_runs(results("killed")), kRuns);
  EXPECT_EQ(files_below(results("killed")), files_below(results("whole")));
}

TEST_F(Resume, TwoRunsAtATimeLeaveTheSameBytesAsOneAfterTheOther) {
  run("one", "1");
  run("two", "2");
  EXPECT_EQ(complete_runs(results("two")), kRuns);
  EXPECT_EQ(files_below(results("one")), files_below(results("two")));
}

TEST_F(Resume, OnlyRunsCanBeFewerThanTheFileSays) {
  const auto verified = testing::proffer({"experiment", "verify", results("none"), "--seeds", "1"});
  EXPECT_EQ(verified.exit_code, 2);
  EXPECT_THAT(verified.err, ::testing::HasSubstr("--seeds"));
  EXPECT_EQ(testing::proffer({"experiment", "list", file_, "-j", "1"}).exit_code, 2);
}

}  // namespace
}  // namespace proffer
