#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "proffer/study/trace_readers.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;

Result<TraceRead> read_swim(std::string_view text, TraceSettings settings = {}) {
  return parse_swim_trace(text, "t.tsv", settings);
}

TEST(Swim, BytesBecomeBlocksMapsAndReduces) {
  const auto trace = read_swim("a\t49\t49\t300000000\t1000000001\t7\n").value().workload;
  const auto& job = trace.jobs.at(0);
  EXPECT_EQ(job.name, "a");
  EXPECT_EQ(job.submit, 49s);
  EXPECT_EQ(job.bin, "3-20");
  ASSERT_EQ(job.maps.size(), 3u);
  ASSERT_EQ(job.reduces.size(), 2u);
  EXPECT_EQ(job.maps[0].output_bytes, 333333334u) << "what is shuffled";
  EXPECT_EQ(job.reduces[0].output_bytes + job.reduces[1].output_bytes, 7u);
  const auto& blocks = trace.files.at(job.file.value()).blocks;
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[2].bytes, 44000000u);
}

TEST(Swim, AJobWithoutInputHasOneMapThatReadsNothing) {
  const auto trace = read_swim("a\t0\t0\t0\t0\t9\n").value().workload;
  EXPECT_EQ(trace.jobs[0].maps.size(), 1u);
  EXPECT_EQ(trace.jobs[0].maps[0].output_bytes, 9u);
  EXPECT_FALSE(trace.jobs[0].file);
  EXPECT_TRUE(trace.jobs[0].reduces.empty());
}

TEST(Swim, JobsAreSortedByTimeThenName) {
  const auto jobs =
      read_swim("c\t5\t0\t1\t0\t0\r\nb\t9\t0\t1\t0\t0\r\n\r\na\t5\t0\t1\t0\t0").value().workload.jobs;
  ASSERT_EQ(jobs.size(), 3u);
  EXPECT_EQ(jobs[0].name + jobs[1].name + jobs[2].name, "acb");
}

TEST(Swim, TimesOfAJobDependOnTheSeedAndNotOnOtherJobs) {
  const std::string b = "b\t9\t0\t900000000\t0\t0\n";
  const auto alone = read_swim(b).value().workload.jobs.at(0);
  const auto behind = read_swim("a\t5\t0\t900000000\t0\t0\n" + b).value().workload.jobs.at(1);
  TraceSettings other;
  other.seed = 2;
  EXPECT_EQ(alone.maps.at(7).compute, behind.maps.at(7).compute);
  EXPECT_NE(alone.maps.at(7).compute, read_swim(b, other).value().workload.jobs.at(0).maps.at(7).compute);
  EXPECT_NE(alone.maps.at(7).compute, alone.maps.at(6).compute);
}

TEST(Swim, TimesComeFromTheSettings) {
  TraceSettings settings;
  settings.map_time = {Distribution::Shape::constant, 4s, {}};
  settings.reduce_time = {Distribution::Shape::constant, 6s, {}};
  const auto job = read_swim("a\t0\t0\t1\t1\t1\n", settings).value().workload.jobs.at(0);
  EXPECT_EQ(job.maps.at(0).compute, 4s);
  EXPECT_EQ(job.reduces.at(0).compute, 6s);
}

TEST(Swim, BrokenLinesAreNamedWithWhatWasExpected) {
  const std::string good = "a\t0\t0\t1\t1\t1\n";
  EXPECT_EQ(
      error_of(read_swim(good + "b\t1\t1\t1\t1\n")),
      "t.tsv:2: 5 of 6 columns; expected, separated by tabs: job, submit s, gap s, map-input bytes, shuffle "
      "bytes, reduce-output bytes, and perhaps the paths of input and output");
  EXPECT_EQ(error_of(read_swim("\n" + good + "b\t1\t1\t-5\t1\t1\n")),
            "t.tsv:3: the map input is \"-5\"; expected a whole number from 0 to 1152921504606846976");
  EXPECT_EQ(error_of(read_swim("b\t1\t1\t1\t\t1\n")),
            "t.tsv:1: the shuffle is missing; expected a whole number from 0 to 1152921504606846976");
  EXPECT_EQ(error_of(read_swim("b\t-1\t1\t1\t1\t1\n")),
            "t.tsv:1: the submit time is \"-1\"; expected seconds, 0 or above");
  EXPECT_EQ(error_of(read_swim("b\t1\tx\t1\t1\t1\n")),
            "t.tsv:1: the gap is \"x\"; expected seconds, 0 or above");
  EXPECT_EQ(error_of(read_swim("\t1\t1\t1\t1\t1\n")),
            "t.tsv:1: the job's name is missing; expected one in the first column");
}

TEST(Swim, OddNumbersAreRefused) {
  for (const auto* time : {"nan", "inf", "1e300", "0x5", "1 ", "+1"}) {
    EXPECT_THAT(error_of(read_swim("b\t" + std::string(time) + "\t1\t1\t1\t1\n")),
                testing::StartsWith("t.tsv:1: the submit time is"));
  }
  for (const auto* bytes : {"1.5", "1e3", "99999999999999999999", " 1"}) {
    EXPECT_THAT(error_of(read_swim("b\t1\t1\t" + std::string(bytes) + "\t1\t1\n")),
                testing::StartsWith("t.tsv:1: the map input is"));
  }
}

TEST(Swim, AJobTwiceIsAnErrorAtTheSecond) {
  EXPECT_EQ(error_of(read_swim("a\t0\t0\t1\t1\t1\nb\t0\t0\t1\t1\t1\na\t9\t0\t1\t1\t1\n")),
            "t.tsv:3: job \"a\" is there twice, first in line 1; expected a name of its own");
}

TEST(Swim, AnEmptyFileIsAnError) {
  EXPECT_EQ(error_of(read_swim("")), "t.tsv: there is no job with a task in it");
  EXPECT_EQ(error_of(read_swim("\n \n")), "t.tsv: there is no job with a task in it");
}

TEST(Swim, JobsOfTooManyTasksAreRefused) {
  TraceSettings settings;
  settings.block_bytes = 1;
  settings.reduce_bytes = 10;
  EXPECT_EQ(error_of(read_swim("b\t0\t0\t1\t1\t0\na\t0\t0\t65537\t0\t0\n", settings)),
            "t.tsv:2: job \"a\" would have 65537 maps and 0 reduces; expected at most 65536 and 10000: use "
            "larger blocks, or more bytes a reduce");
  EXPECT_EQ(error_of(read_swim("a\t0\t0\t1\t100001\t0\n", settings)),
            "t.tsv:1: job \"a\" would have 1 maps and 10001 reduces; expected at most 65536 and 10000: use "
            "larger blocks, or more bytes a reduce");
}

TEST(Swim, JobsOfOnePathShareTheFileAndReadTheirOwnExtents) {
  const auto trace = read_swim(
                         "a\t0\t0\t200000000\t0\t0\t/in\n"
                         "b\t1\t1\t300000000\t0\t0\t/in\t/out\n"
                         "c\t2\t1\t128000000\t0\t0\t/in\n"
                         "d\t3\t1\t5\t0\t0\n")
                         .value()
                         .workload;
  ASSERT_EQ(trace.files.size(), 2u) << "a file that is only written is nobody's input";
  EXPECT_EQ(trace.files[0].path, "/in");
  ASSERT_EQ(trace.files[0].blocks.size(), 3u) << "as large as its largest reader";
  EXPECT_EQ(trace.files[0].blocks[2].bytes, 44000000u);
  EXPECT_THAT(trace.jobs[0].reads, testing::ElementsAre(0u, 1u));
  EXPECT_EQ(trace.jobs[0].maps.at(0).input_bytes, 0u) << "all of the block";
  EXPECT_EQ(trace.jobs[0].maps.at(1).input_bytes, 72000000u);
  EXPECT_TRUE(trace.jobs[1].reads.empty()) << "all of the file";
  EXPECT_EQ(trace.jobs[1].maps.at(2).input_bytes, 0u);
  EXPECT_THAT(trace.jobs[2].reads, testing::ElementsAre(0u));
  EXPECT_EQ(trace.jobs[2].maps.at(0).input_bytes, 0u);
  EXPECT_EQ(trace.files[1].path, "/swim/d");
}

TEST(Swim, AFileThatAJobWritesIsAsLargeAsItsOutput) {
  const auto read =
      read_swim("a\t0\t0\t1\t0\t500000000\t/x\t/y\nb\t9\t9\t1\t0\t0\ty\t\tmore\tand more\n").value();
  EXPECT_EQ(read.workload.files.at(1).path, "/y");
  EXPECT_EQ(read.workload.files[1].blocks.size(), 4u);
  EXPECT_EQ(read.workload.jobs.at(1).maps.at(0).input_bytes, 1u);
  EXPECT_THAT(read.notes,
              testing::Contains("1 jobs read what a job of the trace writes: such a file is there "
                                "from the beginning"));
}

TEST(Swim, AFileOfTooManyBlocksIsNamedWhereItBecameSo) {
  TraceSettings settings;
  settings.block_bytes = 1000;
  EXPECT_EQ(
      error_of(read_swim("a\t0\t0\t1\t0\t65537000\t/x\t/y\nb\t9\t9\t1\t0\t0\t/y\n", settings)),
      "t.tsv:1: the file \"/y\" would have 65537 blocks of 1000 bytes; expected at most 65536: use larger "
      "blocks, or fewer maps");
}

TEST(Swim, PathsAreWrittenWhereFilesAreShared) {
  const std::string text = "a\t0\t0\t5\t0\t0\t/in\nb\t1\t1\t300000000\t0\t0\t/in\nc\t2\t1\t0\t0\t9\t\n";
  EXPECT_EQ(write_swim_trace(read_swim(text).value().workload), text);
}

TEST(Swim, WhatIsWrittenIsReadBackEqual) {
  const std::string text =
      "a\t49\t49\t740773\t2339561\t627471\nb\t101\t52\t0\t0\t5\nc\t101\t0\t500000000\t0\t3\n";
  EXPECT_EQ(write_swim_trace(read_swim(text).value().workload), text);
}

TEST(Swim, TheFacebookSampleIsReadWhole) {
  const auto path = shared_data("swim/FB-2009_samples_24_times_1hr_0.tsv");
  PROFFER_NEEDS_DATA(path);
  const auto trace = read_trace({TraceFormat::swim, path, {}}).value().workload;
  EXPECT_EQ(trace.jobs.size(), 5894u);
  EXPECT_EQ(trace.files.size(), 5894u - 86u) << "86 jobs read nothing";
  std::size_t maps = 0;
  for (const auto& job : trace.jobs) maps += job.maps.size();
  EXPECT_EQ(maps, 215440u);
  EXPECT_EQ(trace.jobs.front().submit, 49s);
}

TEST(Swim, HalfOfTheFacebookSampleTwiceAsFast) {
  const auto path = shared_data("swim/FB-2009_samples_24_times_1hr_0.tsv");
  PROFFER_NEEDS_DATA(path);
  TraceSettings settings;
  settings.scale = {0.5, 0.5};
  const auto trace = read_trace({TraceFormat::swim, path, {}}, settings).value().workload;
  EXPECT_EQ(trace.jobs.size(), 2947u);
  EXPECT_LE(trace.jobs.back().submit, 43202s);
}

}  // namespace
}  // namespace proffer::study
