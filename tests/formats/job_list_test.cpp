// A file of jobs.
#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "proffer/formats/job_list.hpp"

namespace proffer {
namespace {

using ::testing::HasSubstr;

class JobListFile : public ::testing::Test {
 protected:
  Result<JobList> read(const std::string& text) {
    path_ = std::filesystem::temp_directory_path() /
            ("job-list-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
             ".toml");
    std::ofstream(path_) << text;
    return read_job_list(path_.string());
  }
  ~JobListFile() override { std::filesystem::remove(path_); }
  std::filesystem::path path_;
};

constexpr const char* kJob = "[[job]]\ninput = \"/a\"\noutput = \"/b\"\nmapper = \"cat\"\n";

TEST_F(JobListFile, JobsComeInTheOrderOfTheFileWithTheirDefaults) {
  const auto jobs =
      read(std::string(kJob) + "[[job]]\nname = \"n\"\ninput = [\"/x\", \"/y\"]\noutput = \"/z\"\n" +
           "mapper = 'cut -f1'\nreducer = \"uniq\"\nreduces = 3\nenv = { A = \"b\" }\n" +
           "cache_files = [\"/m5#model\", \"/w\"]\n");
  ASSERT_TRUE(jobs) << jobs.error().message;
  ASSERT_EQ(jobs->jobs.size(), 2u);
  EXPECT_EQ(jobs->jobs[0].num_reduces, 1u);
  EXPECT_TRUE(jobs->jobs[0].map_only());
  EXPECT_EQ(jobs->jobs[1].inputs, (std::vector<std::string>{"/x", "/y"}));
  EXPECT_EQ(jobs->jobs[1].num_reduces, 3u);
  EXPECT_EQ(jobs->jobs[1].env, (Environment{{"A", "b"}}));
  EXPECT_EQ(jobs->jobs[1].priority, Priority::normal);
  ASSERT_EQ(jobs->jobs[1].cached.size(), 2u);
  EXPECT_EQ(jobs->jobs[1].cached[0].path, "/m5");
  EXPECT_EQ(jobs->jobs[1].cached[0].name, "model");
}

TEST_F(JobListFile, JobsMayBeInPoolsOfTheFile) {
  const auto list = read(std::string(kJob) + "pool = \"red\"\nuser = \"ada\"\npriority = \"high\"\n" +
                         "[[pool]]\nname = \"red\"\nweight = 2\norder = \"fifo\"\n");
  ASSERT_TRUE(list) << list.error().message;
  ASSERT_EQ(list->pools.size(), 1u);
  EXPECT_EQ(list->pools[0].weight_milli, 2000);
  EXPECT_EQ(list->pools[0].order, PoolOrder::fifo);
  EXPECT_EQ(list->jobs[0].pool, "red");
  EXPECT_EQ(list->jobs[0].user, "ada");
  EXPECT_EQ(list->jobs[0].priority, Priority::high);
}

TEST_F(JobListFile, UsersMayHaveLimits) {
  const auto list = read(std::string(kJob) + "[[user]]\nname = \"ada\"\nmax_running = 2\n");
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->users, (std::vector<UserLimit>{{"ada", 2}}));
  EXPECT_THAT(read(std::string(kJob) + "[[user]]\nname = \"ada\"\n").error().message,
              HasSubstr("needs max_running"));
}

std::string job(const std::string& name, const std::string& more) {
  return "[[job]]\nname = \"" + name + "\"\noutput = \"/" + name + "\"\nmapper = \"cat\"\n" + more + "\n";
}

TEST_F(JobListFile, JobsMayBeDueWithinATime) {
  const auto list = read(job("a", "input = \"/in\"\ndeadline = \"10m\"") + job("b", "input = \"/in\""));
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->jobs[0].deadline, std::chrono::minutes(10));
  EXPECT_EQ(list->jobs[1].deadline, Duration::zero());
  for (const auto* text : {"10", "\"soon\"", "\"0s\""}) {
    const auto refused = read(job("a", std::string("input = \"/in\"\ndeadline = ") + text));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                HasSubstr("deadline is a time within which the job is to be done, such as \"10m\""));
  }
}

TEST_F(JobListFile, AJobMayComeAfterOthersAndReadsWhatTheyWrote) {
  const auto list = read(job("a", "input = \"/in\"") + job("b", "after = \"a\"") +
                         job("c", "after = [\"a\", \"b\"]") + job("d", "after = \"a\"\ninput = \"/in\""));
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->jobs[1].after, std::vector<std::string>{"a"});
  EXPECT_EQ(list->jobs[1].inputs, std::vector<std::string>{"/a"});
  EXPECT_EQ(list->jobs[2].inputs, (std::vector<std::string>{"/a", "/b"}));
  EXPECT_EQ(list->jobs[3].inputs, std::vector<std::string>{"/in"}) << "it says itself what it reads";
}

TEST_F(JobListFile, JobsInACircleOrThatThereAreNotAreNamedWithTheirPlace) {
  const auto wrong = [&](const std::string& jobs) { return read(jobs).error().message; };
  EXPECT_THAT(
      wrong(job("a", "after = \"b\"") + job("b", "after = \"a\"")),
      HasSubstr(".toml:5:9: after \"b\": that job does not stand above this one; write jobs in an order"));
  EXPECT_THAT(wrong(job("a", "after = \"a\"")), HasSubstr(".toml:5:9: after \"a\": that job does not stand"));
  EXPECT_THAT(wrong(job("a", "after = \"z\"")),
              HasSubstr(".toml:5:9: after \"z\": there is no job of that name"));
  EXPECT_THAT(wrong(job("a", "input = \"/in\"") + job("a", "input = \"/in\"") + job("b", "after = \"a\"")),
              HasSubstr("after \"a\": two jobs above are named so"));
}

TEST_F(JobListFile, APoolThatThereIsNotIsNamedWithItsPlace) {
  const auto list = read(std::string(kJob) + "pool = \"rde\"\n[[pool]]\nname = \"red\"\n");
  ASSERT_FALSE(list);
  EXPECT_THAT(list.error().message, HasSubstr(".toml:5:8: pool \"rde\" is not the name of a [[pool]]"));
}

TEST_F(JobListFile, ASettingOfAPoolThatWouldDoNothingIsNamedWithItsPlace) {
  const auto wrong = [&](const std::string& pools) { return read(pools + kJob).error().message; };
  EXPECT_THAT(
      wrong("[[pool]]\nname='a'\norder='fifo'\n[[pool]]\nname='a.b'\nmin_share={map=1}\n"),
      HasSubstr(".toml:6:11: min_share of the pool \"a.b\" would do nothing: the pool around it has"));
  EXPECT_THAT(wrong("[[pool]]\nname='a'\nuser_limit=9\n"), HasSubstr(".toml:3:12: user_limit of the pool"));
  EXPECT_THAT(wrong("[[pool]]\nname='a'\nmin_share={maps=1}\n"),
              HasSubstr("no task takes slots of kind maps, only of map and reduce"));
  EXPECT_THAT(wrong("[[pool]]\nname='root.a'\n"), HasSubstr(".toml:2:6: name cannot begin with root"));
}

TEST_F(JobListFile, AnUnknownKeyIsNamedWithItsPlace) {
  const auto jobs = read(std::string(kJob) + "maper = \"cat\"\n");
  ASSERT_FALSE(jobs);
  EXPECT_THAT(jobs.error().message, HasSubstr(".toml:5:1"));
  EXPECT_THAT(jobs.error().message, HasSubstr("mapper"));
}

TEST_F(JobListFile, WrongTypesAndMissingKeysAreErrors) {
  for (const auto* text :
       {"", "[[job]]\noutput = \"/b\"\nmapper = \"cat\"\n", "[job]\ninput = \"/a\"\n", "job = 3\n",
        "pool = 3\n", "[[pool]]\nname = \"a\"\n",
        "[[pool]]\nweight = 2\n[[job]]\ninput = \"/a\"\noutput = \"/b\"\nmapper = \"c\"\n",
        "[[job]]\ninput = \"/a\"\noutput = \"/b\"\nmapper = \"c\"\npriority = \"urgent\"\n",
        "[[job]]\ninput = 3\noutput = \"/b\"\nmapper = \"c\"\n",
        "[[job]]\ninput = \"/a\"\noutput = \"/b\"\nmapper = \"c\"\nreduces = -1\n",
        "[[job]]\ninput = \"/a\"\noutput = \"/b\"\nmapper = \"c\"\nenv = \"x\"\n"}) {
    const auto jobs = read(text);
    ASSERT_FALSE(jobs) << text;
    EXPECT_EQ(jobs.error().code, ErrorCode::invalid) << text;
  }
}

TEST_F(JobListFile, AMissingFileIsNotFound) {
  EXPECT_EQ(read_job_list("/nonexistent/jobs.toml").error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace proffer
