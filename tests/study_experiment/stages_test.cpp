// Stages of bins: graphs of jobs from an experiment file.
#include "tests/study_experiment/vocabulary.hpp"

namespace proffer::study {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string with(const std::string& stages, const std::string& more = "") {
  return small("", "[[workload]]\nname = \"w\"\n" + more + "bins = [{ name = \"etl\", jobs = 2, stages = [" +
                       stages + "] }]\n");
}

std::vector<WorkloadJob> jobs_of(const std::string& text) {
  std::vector<WorkloadJob> jobs;
  for (auto& job : plan_of(good(text)).workload.jobs) {
    if (job.stage) jobs.push_back(std::move(job));
  }
  return jobs;
}

TEST(Stages, AreJobsOfOneFrameworkInTheirOrder) {
  const auto jobs = jobs_of(with("{ name = \"z\", maps = 4 }, { name = \"a\", reduces = 1 }"));
  ASSERT_THAT(jobs, SizeIs(4));
  EXPECT_EQ(jobs[0].name, "w-001-z");
  EXPECT_EQ(jobs[1].name, "w-001-a");
  EXPECT_EQ(jobs[1].bin, "etl-a");
  EXPECT_THAT(jobs[1].stage->after, ElementsAre("w-001-z"));
  EXPECT_EQ(jobs[0].framework, jobs[1].framework);
  EXPECT_NE(jobs[0].framework, jobs[2].framework);
}

TEST(Stages, HaveAMapForEachBlockOfEachPartThatTheFormerWrites) {
  // 512 MB, halved and in two parts: 128 MB each, a block of the store.
  const auto jobs = jobs_of(with("{ maps = 4, reduces = 2, output = 0.5 }, { reduces = 1 }"));
  EXPECT_EQ(jobs[0].stage->block_bytes, 128'000'000u);
  EXPECT_THAT(jobs[1].maps, SizeIs(2));
  EXPECT_EQ(jobs[1].maps[0].input_bytes, 128'000'000u);
  EXPECT_FALSE(jobs[1].file);
  EXPECT_EQ(jobs[1].stage->block_bytes, 0u) << "nobody reads it";
}

TEST(Stages, EvenTheirBlocksOut) {
  const auto jobs = jobs_of(with("{ maps = 3, reduces = 2 }, {}"));
  EXPECT_EQ(jobs[0].reduces[0].output_bytes, 192'000'000u);
  EXPECT_EQ(jobs[0].stage->block_bytes, 96'000'000u);
  EXPECT_THAT(jobs[1].maps, SizeIs(4));
}

TEST(Stages, ReadAllThatTheyComeAfter) {
  const auto jobs = jobs_of(with(
      "{ name = \"a\", maps = 2 }, { name = \"b\", maps = 1 }, { after = [\"a\", \"b\"], reduces = 1 }"));
  EXPECT_THAT(jobs[2].stage->after, ElementsAre("w-001-a", "w-001-b"));
  EXPECT_THAT(jobs[2].maps, SizeIs(3));
  EXPECT_THAT(jobs[1].stage->after, IsEmpty());
  EXPECT_TRUE(jobs[1].file);
}

TEST(Stages, ThatCannotBeAreNamedWithTheirPlace) {
  const std::string at = "e.toml:16:";
  EXPECT_EQ(wrong(with("{ reduces = 1 }")), at + "45: the first stage needs maps");
  EXPECT_EQ(wrong(with("{ maps = 1 }, { name = \"b\", after = [\"b\"] }")),
            at + "81: unknown stage before this one \"b\"; did you mean \"1\"?");
  EXPECT_EQ(wrong(with("{ maps = 1 }, { maps = 1, after = [\"1\"] }")),
            at + "79: a stage with maps reads an input of its own; one that comes after others has a map for "
                 "each block that these write, so leave out maps");
  EXPECT_EQ(wrong(with("{ name = \"a\", maps = 1 }, { name = \"a\" }")),
            at + "71: two stages are named \"a\"");
  EXPECT_EQ(wrong(with("{ maps = 1 }", "setup = \"1s\"\n")), at + "9: jobs with stages have no setup");
  EXPECT_EQ(wrong(with("{ maps = 1 }", "arrivals = { process = \"serial\", chains = 1, gap = \"1s\" }\n")),
            at + "12: jobs with stages cannot be serial: a graph is no job that another could wait for");
}

}  // namespace
}  // namespace proffer::study
