// Jobs that an operator kills or moves while a cluster runs them.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include "cluster.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using ::testing::ContainsRegex;
using testing::eventually;
using ::testing::HasSubstr;
using testing::read_file;

void put_text(const Cluster& cluster) {
  const auto local = cluster.folder().file("text", std::string(1000, 'x') + "\n");
  ASSERT_EQ(cluster({"put", local, "/text"}).exit_code, 0);
}

testing::Ran job_command(Cluster& cluster, std::vector<std::string> words) {
  words.insert(words.end(), {"--allocator", cluster.processes().allocator_endpoint()});
  return testing::proffer(words);
}

TEST(JobChanges, AKilledJobEndsLeavesNothingAndItsOwnerIsToldWhy) {
  Cluster cluster(1);
  put_text(cluster);
  const auto stored = cluster({"ls", "/"}).out;
  const auto log = cluster.folder().path() + "/mr.log";
  auto job = cluster.start({"mr", "-input", "/text", "-output", "/out", "-mapper", "sleep 300"}, log);
  ASSERT_TRUE(eventually([&] { return cluster.running("mr") == 1; }, 20s));
  const auto killed = job_command(cluster, {"job", "kill", "mr/1", "--why", "wrong input"});
  EXPECT_EQ(killed.exit_code, 0) << killed.err;
  EXPECT_EQ(killed.out, "mr: job 1 (job 1) is killed, with 1 running task\n");
  const auto status = job.wait_exit(20s);
  ASSERT_TRUE(status);
  EXPECT_EQ(WEXITSTATUS(*status), 1);
  EXPECT_THAT(read_file(log), ContainsRegex("it was killed( by [^:]+)?: wrong input"));
  EXPECT_EQ(cluster.running("mr"), 0);
  EXPECT_EQ(cluster({"ls", "/"}).out, stored);
}

TEST(JobChanges, AJobMovesAmongThePoolsOfItsFrameworkOnly) {
  Cluster cluster(1);
  put_text(cluster);
  const auto jobs = cluster.folder().file("jobs.toml", R"(
[[pool]]
name = "red"
[[pool]]
name = "blue"
[[job]]
name = "sort"
input = "/text"
output = "/one"
mapper = "sleep 300"
pool = "red"
)");
  const auto events = cluster.folder().path() + "/mr.jsonl";
  const auto job = cluster.start({"mr", "--jobs", jobs, "--event-log", events});
  ASSERT_TRUE(eventually([&] { return cluster.running("mr") == 1; }, 20s));
  EXPECT_EQ(job_command(cluster, {"job", "move", "sort", "--pool", "blue"}).out,
            "mr: job 1 (sort) is in pool blue\n");
  EXPECT_TRUE(eventually(
      [&] { return read_file(events).find(R"("job_moved","job":1,"pool":"blue")") != std::string::npos; },
      20s));
  const auto nowhere = job_command(cluster, {"job", "move", "mr/sort", "--pool", "green"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("mr: it has no pool 'green'; its pools are red, blue"));
  const auto nobody = job_command(cluster, {"job", "move", "mr/grep", "--pool", "blue"});
  EXPECT_EQ(nobody.exit_code, 1);
  EXPECT_THAT(nobody.err, HasSubstr("mr: there is no job 'grep'; under way: job 1 (sort)"));
}

TEST(JobChanges, AFrameworkThatCannotSaysSo) {
  Cluster cluster(1);
  const auto busy = cluster.start({"run", "--name", "busy", "--", "sleep", "300"});
  ASSERT_TRUE(eventually([&] { return cluster.running("busy") == 1; }, 20s));
  const auto killed = job_command(cluster, {"job", "kill", "busy/sleep"});
  EXPECT_EQ(killed.exit_code, 1);
  EXPECT_THAT(killed.err, HasSubstr("busy: its jobs cannot be killed"));
}

}  // namespace
}  // namespace proffer
