// Alibaba's trace of 2018, in samples of its columns; and traces that are folders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "proffer/study/trace_readers.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Result<TraceRead> read_alibaba(const std::string& text) {
  bool done = false;
  return parse_alibaba2018_trace(
      [&]() -> Result<std::optional<TraceText>> {
        if (std::exchange(done, true)) return std::optional<TraceText>();
        return std::optional<TraceText>({text, "t.csv"});
      },
      "trace");
}

std::string task_row(const std::string& name, int instances, const std::string& job, int begin, int end,
                     const std::string& status = "Terminated") {
  return name + "," + std::to_string(instances) + "," + job + ",1," + status + "," + std::to_string(begin) +
         "," + std::to_string(end) + ",100.0,0.59\n";
}
std::string instance_row(const std::string& task, const std::string& job, int begin, int end,
                         const std::string& status = "Terminated") {
  return "ins_7," + task + "," + job + ",1," + status + "," + std::to_string(begin) + "," +
         std::to_string(end) + ",m_1,1,1,50,60,0.1,0.2\n";
}

TEST(Alibaba2018, TasksThatWaitForOthersAreReduces) {
  const auto done =
      read_alibaba(task_row("R2_1", 1, "j_1", 150, 180) + task_row("M1", 3, "j_1", 100, 140)).value();
  const auto& job = done.workload.jobs.at(0);
  EXPECT_EQ(job.name, "j_1");
  EXPECT_EQ(job.submit, 0s);
  ASSERT_EQ(job.maps.size(), 3u);
  EXPECT_EQ(job.maps[2].compute, 40s);
  ASSERT_EQ(job.reduces.size(), 1u);
  EXPECT_EQ(job.reduces[0].compute, 30s);
}

TEST(Alibaba2018, InstancesHaveTheirOwnTimes) {
  const auto text = task_row("M1", 2, "j_1", 100, 140) + instance_row("M1", "j_1", 100, 110) +
                    instance_row("M1", "j_1", 105, 140) + instance_row("M1", "j_1", 100, 105, "Failed");
  const auto done = read_alibaba(text).value();
  ASSERT_EQ(done.workload.jobs.at(0).maps.size(), 2u);
  EXPECT_EQ(done.workload.jobs[0].maps[0].compute, 10s);
  EXPECT_THAT(done.notes, testing::Contains(HasSubstr("1 rows have not terminated")));
}

TEST(Alibaba2018, DeeperGraphsAreFlatAndSaySo) {
  const auto done = read_alibaba(task_row("M1", 1, "j", 1, 2) + task_row("R2_1", 1, "j", 2, 3) +
                                 task_row("J3_1_2", 1, "j", 3, 4))
                        .value();
  EXPECT_EQ(done.workload.jobs.at(0).maps.size(), 1u);
  EXPECT_EQ(done.workload.jobs[0].reduces.size(), 2u);
  EXPECT_THAT(done.notes, testing::Contains(HasSubstr("1 jobs have several tasks that wait for others")));
}

TEST(Alibaba2018, NamesWithoutNumbersWaitForNobody) {
  const auto job = read_alibaba(task_row("task_Nzg3", 2, "j", 1, 2) + task_row("MergeTask", 1, "j", 1, 2))
                       .value()
                       .workload.jobs.at(0);
  EXPECT_EQ(job.maps.size(), 3u);
  EXPECT_EQ(read_alibaba(task_row("R2_1", 2, "j", 1, 2)).value().workload.jobs.at(0).maps.size(), 2u)
      << "what it waits for is not there";
}

TEST(Alibaba2018, JobsOfTooManyReducesAreLeftOut) {
  const auto done = read_alibaba(task_row("M1", 1, "a", 1, 2) + task_row("R2_1", 10001, "a", 1, 2) +
                                 task_row("M1", 1, "b", 9, 12))
                        .value();
  ASSERT_EQ(done.workload.jobs.size(), 1u);
  EXPECT_THAT(done.notes, testing::Contains(HasSubstr("1 jobs have more instances that wait for others")));
}

TEST(Alibaba2018, BrokenRowsAreNamedWithFileAndLine) {
  const auto good = task_row("M1", 1, "a", 1, 2);
  EXPECT_EQ(error_of(read_alibaba(good + "M1,2\n")),
            "t.csv:2: 2 columns; expected the 9 of batch_task or the 14 of batch_instance");
  EXPECT_EQ(error_of(read_alibaba(good + good.substr(0, good.size() - 6))),
            "t.csv:2: 8 columns; expected the 9 of batch_task or the 14 of batch_instance")
      << "cut off";
  EXPECT_EQ(error_of(read_alibaba("M1,x,j,1,Terminated,1,2,100,0.5\n")),
            "t.csv:1: instance_num is \"x\"; expected a whole number from 0 to 1000000");
  EXPECT_EQ(error_of(read_alibaba("M1,1,j,1,Terminated,1,,100,0.5\n")),
            "t.csv:1: end_time is missing; expected a whole number from 0 to 4294967295");
  EXPECT_EQ(error_of(read_alibaba(task_row("M1", 1, "a", 1, 2, "Running"))),
            "trace: there is no job with a task in it");
}

TEST(TraceFolder, HoldsTheTablesOfATraceByTheirNames) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "proffer_trace_folder";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "more");
  std::ofstream(folder / "batch_task.csv") << task_row("M1", 1, "j", 100, 101);
  std::ofstream(folder / "more" / "batch_instance.csv.gz") << instance_row("M1", "j", 100, 190);
  std::ofstream(folder / "machine_meta.csv") << "not,read\n";
  const TraceSource source{TraceFormat::alibaba2018, folder.string(), {}};
  EXPECT_EQ(read_trace(source).value().workload.jobs.at(0).maps.at(0).compute, 90s);
  std::filesystem::remove_all(folder / "more");
  std::filesystem::remove(folder / "batch_task.csv");
  EXPECT_EQ(error_of(read_trace(source)),
            "there is no file in " + folder.string() + " whose name has batch_task or batch_instance");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace proffer::study
