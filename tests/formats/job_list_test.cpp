// A file of jobs.
#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "proffer/formats/job_list.hpp"

namespace proffer {
namespace {

using ::testing::HasSubstr;

class JobList : public ::testing::Test {
 protected:
  Result<std::vector<JobSpec>> read(const std::string& text) {
    path_ = std::filesystem::temp_directory_path() /
            ("job-list-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) +
             ".toml");
    std::ofstream(path_) << text;
    return read_job_list(path_.string());
  }
  ~JobList() override { std::filesystem::remove(path_); }
  std::filesystem::path path_;
};

constexpr const char* kJob = "[[job]]\ninput = \"/a\"\noutput = \"/b\"\nmapper = \"cat\"\n";

TEST_F(JobList, JobsComeInTheOrderOfTheFileWithTheirDefaults) {
  const auto jobs =
      read(std::string(kJob) + "[[job]]\nname = \"n\"\ninput = [\"/x\", \"/y\"]\noutput = \"/z\"\n" +
           "mapper = 'cut -f1'\nreducer = \"uniq\"\nreduces = 3\nenv = { A = \"b\" }\n");
  ASSERT_TRUE(jobs) << jobs.error().message;
  ASSERT_EQ(jobs->size(), 2u);
  EXPECT_EQ((*jobs)[0].num_reduces, 1u);
  EXPECT_TRUE((*jobs)[0].map_only());
  EXPECT_EQ((*jobs)[1].inputs, (std::vector<std::string>{"/x", "/y"}));
  EXPECT_EQ((*jobs)[1].num_reduces, 3u);
  EXPECT_EQ((*jobs)[1].env, (Environment{{"A", "b"}}));
}

TEST_F(JobList, AnUnknownKeyIsNamedWithItsPlace) {
  const auto jobs = read(std::string(kJob) + "maper = \"cat\"\n");
  ASSERT_FALSE(jobs);
  EXPECT_THAT(jobs.error().message, HasSubstr(".toml:5:1"));
  EXPECT_THAT(jobs.error().message, HasSubstr("mapper"));
}

TEST_F(JobList, WrongTypesAndMissingKeysAreErrors) {
  for (const auto* text : {"", "[[job]]\noutput = \"/b\"\nmapper = \"cat\"\n", "[job]\ninput = \"/a\"\n",
                           "job = 3\n", "[[job]]\ninput = 3\noutput = \"/b\"\nmapper = \"c\"\n",
                           "[[job]]\ninput = \"/a\"\noutput = \"/b\"\nmapper = \"c\"\nreduces = -1\n",
                           "[[job]]\ninput = \"/a\"\noutput = \"/b\"\nmapper = \"c\"\nenv = \"x\"\n"}) {
    const auto jobs = read(text);
    ASSERT_FALSE(jobs) << text;
    EXPECT_EQ(jobs.error().code, ErrorCode::invalid) << text;
  }
}

TEST_F(JobList, AMissingFileIsNotFound) {
  EXPECT_EQ(read_job_list("/nonexistent/jobs.toml").error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace proffer
