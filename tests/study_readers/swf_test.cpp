#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proffer/study/trace_readers.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;

Result<TraceRead> read_swf(const std::string& text) { return parse_swf_trace(text, "t.swf"); }

const std::string kComments = "; Version: 2.2\n;   Computer: one of ours\n\n";

/// A line: number, submit, run time, processors that it got and asked for, status.
std::string swf_line(int number, const std::string& submit, const std::string& run, const std::string& got,
                     const std::string& asked, const std::string& status) {
  return "  " + std::to_string(number) + " " + submit + " 7 " + run + "\t" + got + " -1 -1 " + asked +
         " 100 -1 " + status + " 12 3 -1 2 -1 -1 -1\n";
}

TEST(Swf, AJobIsAMapAProcessor) {
  const auto trace = read_swf(kComments + swf_line(1, "5", "60.5", "3", "4", "1")).value().workload;
  const auto& job = trace.jobs.at(0);
  EXPECT_EQ(job.name + job.user + job.pool, "1122");
  EXPECT_EQ(job.submit, 5s);
  ASSERT_EQ(job.maps.size(), 3u) << "those that it got";
  EXPECT_EQ(job.maps[2].compute, 60500ms);
  EXPECT_FALSE(job.file);
}

TEST(Swf, WhatIsNotKnownIsMinusOne) {
  const auto done = read_swf(swf_line(1, "0", "9", "-1", "4", "-1") + swf_line(2, "1", "-1", "4", "4", "5") +
                             swf_line(3, "2", "9", "-1", "-1", "1") + swf_line(4, "3", "9", "0", "0", "5"))
                        .value();
  ASSERT_EQ(done.workload.jobs.size(), 1u);
  EXPECT_EQ(done.workload.jobs[0].maps.size(), 4u) << "those that it asked for";
  EXPECT_THAT(done.notes, testing::Contains("3 jobs have no run time or no processors (most never ran), and "
                                            "were left out"));
}

TEST(Swf, LinesOfPartsArePassedOver) {
  const auto done = read_swf(swf_line(1, "0", "9", "2", "2", "1") + swf_line(1, "0", "4", "2", "2", "2") +
                             swf_line(1, "0", "5", "2", "2", "3"))
                        .value();
  EXPECT_EQ(done.workload.jobs.size(), 1u);
  EXPECT_THAT(done.notes, testing::Contains("2 lines tell of parts of jobs, and were passed over"));
}

TEST(Swf, JobsThatFailedOrWereCancelledCountForAsLongAsTheyRan) {
  EXPECT_EQ(read_swf(swf_line(1, "0", "9", "2", "2", "0") + swf_line(2, "0", "8", "2", "2", "5"))
                .value()
                .workload.jobs.size(),
            2u);
}

TEST(Swf, BrokenLinesAreNamedWithWhatWasExpected) {
  EXPECT_EQ(
      error_of(read_swf(kComments + "1 2 3\n")),
      "t.swf:4: 3 of 18 columns; expected those of the Standard Workload Format, with -1 for what is not "
      "known");
  const auto good = swf_line(1, "0", "9", "2", "2", "1");
  EXPECT_EQ(
      error_of(read_swf(good + good.substr(0, good.size() - 3))),
      "t.swf:2: 17 of 18 columns; expected those of the Standard Workload Format, with -1 for what is not "
      "known")
      << "cut off";
  EXPECT_EQ(error_of(read_swf(swf_line(1, "x", "9", "2", "2", "1"))),
            "t.swf:1: the submit time is \"x\"; expected seconds, 0 or above");
  EXPECT_EQ(error_of(read_swf(swf_line(1, "0", "9", "2000000", "2", "1"))),
            "t.swf:1: the number of processors is \"2000000\"; expected a whole number from 0 to 1000000");
  EXPECT_EQ(error_of(read_swf(swf_line(1, "0", "9", "2", "2", "6"))),
            "t.swf:1: the status is \"6\"; expected a whole number from 0 to 5");
  EXPECT_EQ(error_of(read_swf(good + good)),
            "t.swf:2: job \"1\" is there twice, first in line 1; expected a name of its own");
  EXPECT_EQ(error_of(read_swf(kComments)), "t.swf: there is no job with a task in it");
}

}  // namespace
}  // namespace proffer::study
