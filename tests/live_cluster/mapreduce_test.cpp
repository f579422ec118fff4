// MapReduce jobs across every floor, compared with the same job without a cluster.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>

#include "cluster.hpp"
#include "proffer/live/local_mapreduce.hpp"

namespace proffer {
namespace {

using testing::Cluster;
using ::testing::HasSubstr;
using testing::read_file;

/// Some 200 KB of lines over a small vocabulary.
std::string text() {
  std::string lines;
  std::uint32_t x = 1;
  for (int i = 0; i < 12000; ++i) {
    x = x * 1664525u + 1013904223u;
    lines += "word" + std::to_string((x >> 16) % 97) + " other" + std::to_string((x >> 8) % 13) + "\n";
  }
  return lines;
}

constexpr const char* kMapper = R"(awk '{for (i = 1; i <= NF; i++) print $i "\t1"}')";
constexpr const char* kReducer =
    R"(awk -F'\t' '{n[$1] += $2} END {for (k in n) print k "\t" n[k]}' | LC_ALL=C sort)";

/// Counts words with three reduces, on the cluster and without it. Returns what `mr` wrote.
std::string count_words(const Cluster& cluster, const std::vector<std::string>& options = {}) {
  const auto local = cluster.folder().file("text", text());
  EXPECT_EQ(cluster({"put", "--block-size", "16KiB", "--replication", "2", local, "/text"}).exit_code, 0);
  std::vector<std::string> words{"mr",    "-input",   "/text",  "-output",         "/counts", "-mapper",
                                 kMapper, "-reducer", kReducer, "-numReduceTasks", "3"};
  words.insert(words.end(), options.begin(), options.end());
  const auto ran = cluster(words);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const auto out = cluster.folder().path() + "/out";
  EXPECT_EQ(cluster({"get", "/counts", out}).exit_code, 0);
  live::LocalJob job;
  job.inputs = {local};
  job.output = cluster.folder().path() + "/reference";
  job.mapper = kMapper;
  job.reducer = kReducer;
  job.num_reduces = 3;
  EXPECT_TRUE(live::run_local_mapreduce(job));
  for (const auto* part : {"/part-00000", "/part-00001", "/part-00002"}) {
    EXPECT_FALSE(read_file(out + part).empty());
    EXPECT_EQ(read_file(out + part), read_file(job.output + part)) << part;
  }
  return ran.out;
}

/// Runs four reduces on one agent that has slots for all of them. Each stays until it has company, and notes
/// that, or has worked for a while alone; whether any two were there at one time.
bool any_two_computed_together(const std::string& toml) {
  const Cluster cluster(1, toml, {{Kind("map"), 2}, {Kind("reduce"), 4}});
  const auto dir = cluster.folder().path();
  EXPECT_EQ(cluster({"put", cluster.folder().file("text", text()), "/text"}).exit_code, 0);
  const auto reducer = "mkdir " + dir + "/in.$$; i=0; while [ $i -lt 100 ]; do i=$((i+1)); [ $(ls -d " + dir +
                       "/in.* | wc -l) -gt 1 ] && touch " + dir + "/together && break; done; cat; rmdir " +
                       dir + "/in.$$";
  const auto ran = cluster({"mr", "-input", "/text", "-output", "/o", "-mapper", kMapper, "-reducer", reducer,
                            "-numReduceTasks", "4", "--slow-start", "0", "--max-copying", "4"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return std::filesystem::exists(dir + "/together");
}

TEST(MapReduceLive, ReducesComputeTogetherUnlessTheAgentLetsFewer) {
  EXPECT_TRUE(any_two_computed_together(""));
  EXPECT_FALSE(any_two_computed_together("[agent]\nmax_computing = 1\n"));
}

TEST(MapReduceLive, WordCountEqualsTheSameJobWithoutACluster) {
  const Cluster cluster(4);
  const auto said = count_words(cluster);
  EXPECT_THAT(said, HasSubstr("Data-local map tasks="));
  EXPECT_THAT(said, HasSubstr("Launched reduce tasks=3"));
}

TEST(MapReduceLive, ReducesThatCopyBesideTheMapsMakeTheSame) {
  Cluster cluster(2);
  EXPECT_THAT(count_words(cluster, {"--slow-start", "0.1"}), HasSubstr("Launched reduce tasks=3"));
  std::string log;  // it is written a little later
  EXPECT_TRUE(testing::eventually(
      [&] {
        log = read_file(cluster.processes().event_log());
        return log.find(R"("event":"framework_lost")") != log.npos;
      },
      std::chrono::seconds(20)));
  const auto first_reduce = log.find(R"("task":"j1-r-)");
  const auto last_map = log.rfind(R"("task":"j1-m-)");
  EXPECT_LT(first_reduce, last_map) << "no reduce was launched before the last map was done";
}

TEST(MapReduceLive, AnInterruptedJobLeavesNothingBehind) {
  Cluster cluster(2);
  const auto local = cluster.folder().file("text", text());
  ASSERT_EQ(cluster({"put", "--block-size", "64KiB", local, "/text"}).exit_code, 0);
  const auto stored = cluster({"ls", "/"}).out;
  const auto sleeps = [&] {
    const auto commands = testing::processes_of(cluster.folder().path());
    return std::count_if(commands.begin(), commands.end(),
                         [](const auto& command) { return command.find("sleep 300") != command.npos; });
  };
  auto job = cluster.start({"mr", "-input", "/text", "-output", "/out", "-mapper", "sleep 300"});
  ASSERT_TRUE(testing::eventually([&] { return sleeps() > 0; }, std::chrono::seconds(20)));
  job.signal(SIGINT);
  const auto status = job.wait_exit(std::chrono::seconds(20));
  ASSERT_TRUE(status);
  EXPECT_EQ(WEXITSTATUS(*status), 1);
  EXPECT_TRUE(testing::eventually([&] { return sleeps() == 0; }, std::chrono::seconds(20)));
  EXPECT_EQ(cluster.running("mr"), 0);
  EXPECT_EQ(cluster({"ls", "/"}).out, stored);
  EXPECT_EQ(cluster({"mr", "-input", "/text", "-output", "/out", "-mapper", "cat"}).exit_code, 0);
}

TEST(MapReduceLive, MapOnlyJobsKeepTheOrderOfTheInput) {
  Cluster cluster(2);
  const auto local = cluster.folder().file("text", text());
  ASSERT_EQ(cluster({"put", "--block-size", "64KiB", "--replication", "1", local, "/text"}).exit_code, 0);
  ASSERT_EQ(
      cluster({"mr", "-input", "/text", "-output", "/copy", "-mapper", "cat", "-reducer", "NONE"}).exit_code,
      0);
  EXPECT_EQ(cluster({"cat", "/copy"}).out, text());
}

TEST(MapReduceLive, TasksFindCachedFilesOfTheStoreUnderTheirNames) {
  Cluster cluster(2);
  const auto words = cluster.folder().file("words", "a\nb\nc\n");
  const auto wanted = cluster.folder().file("wanted", "a\nc\n");
  ASSERT_EQ(cluster({"put", words, "/words"}).exit_code, 0);
  ASSERT_EQ(cluster({"put", wanted, "/wanted"}).exit_code, 0);
  const auto ran = cluster({"mr", "-input", "/words", "-output", "/out", "-mapper", "grep -x -f list",
                            "-reducer", "cat - list", "-cacheFile", "/wanted#list"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(cluster({"cat", "/out"}).out, "a\nc\na\nc\n");
  const auto missing =
      cluster({"mr", "-input", "/words", "-output", "/out2", "-mapper", "cat", "-cacheFile", "/nowhere"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_THAT(missing.err, HasSubstr("the cached file /nowhere cannot be read: "));
}

TEST(MapReduceLive, SeveralJobsOfAFileRunInOneFrameworkAndLeaveASummary) {
  Cluster cluster(2);
  const auto local = cluster.folder().file("text", text());
  ASSERT_EQ(cluster({"put", "--block-size", "64KiB", local, "/text"}).exit_code, 0);
  const auto jobs = cluster.folder().file("jobs.toml", R"(
[[job]]
name = "one"
input = "/text"
output = "/one"
mapper = "cut -d' ' -f1"
reducer = "uniq -c"
[[job]]
name = "two"
input = ["/text"]
output = "/two"
mapper = "cut -d' ' -f2"
reducer = "uniq -c"
reduces = 2
)");
  const auto summary = cluster.folder().path() + "/summary.json";
  const auto ran = cluster({"mr", "--jobs", jobs, "--summary", summary, "--quiet"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto json = read_file(summary);
  const auto number = [&json](const char* where) { return testing::json_number(json, where); };
  EXPECT_EQ(number("/jobs/1/id"), 2);
  EXPECT_THAT(json, HasSubstr("\"name\": \"two\""));
  EXPECT_EQ(number("/maps/node") + number("/maps/rack") + number("/maps/any"),
            number("/jobs/0/maps") + number("/jobs/1/maps"));
}

}  // namespace
}  // namespace proffer
