#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proffer/study/trace_readers.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kHeader =
    "job,framework,pool,user,bin,submit_s,file,maps,reduces,input_bytes,output_bytes,map_s,reduce_s\n";

Result<TraceRead> read(const std::string& text) { return parse_csv_trace(text, "t.csv"); }
std::string row_error(const std::string& row) { return error_of(read(std::string(kHeader) + row)); }

TEST(CsvTrace, EveryColumnIsRead) {
  const auto trace =
      read(std::string(kHeader) + "a,hadoop,p,ann,small,1.5,/in,2,1,7,9,3 4.25,5\n").value().workload;
  const auto& job = trace.jobs.at(0);
  EXPECT_EQ(job.framework + job.pool + job.user + job.bin, "hadooppannsmall");
  EXPECT_EQ(job.submit, 1500ms);
  EXPECT_EQ(trace.files.at(job.file.value()).path, "/in");
  EXPECT_EQ(trace.files[0].blocks.at(0).bytes, 4u);
  EXPECT_EQ(trace.files[0].blocks.at(1).bytes, 3u);
  EXPECT_EQ(job.maps.at(1).compute, 4250ms);
  EXPECT_EQ(job.maps.at(1).output_bytes, 0u) << "nothing is shuffled";
  EXPECT_EQ(job.reduces.at(0).compute, 5s);
  EXPECT_EQ(job.reduces.at(0).output_bytes, 9u);
}

TEST(CsvTrace, ThreeColumnsAreEnough) {
  const auto trace = read("maps,job,submit_s\n30,a,0\n").value().workload;
  EXPECT_EQ(trace.jobs.at(0).maps.size(), 30u);
  EXPECT_EQ(trace.jobs[0].bin, "21-60");
  EXPECT_FALSE(trace.jobs[0].file);
}

TEST(CsvTrace, QuotesHoldCommasQuotesAndNewlines) {
  const auto read_back = read("job,submit_s,maps\r\n\"a, \"\"b\"\"\nc\\\",0,1\r\n\"\",0,1\r\n");
  EXPECT_EQ(error_of(read_back), "t.csv:4: job is missing; expected a name")
      << "the first record has two lines";
  EXPECT_EQ(read("job,submit_s,maps\n\"a, \"\"b\"\"\nc\\\",0,1\n").value().workload.jobs.at(0).name,
            "a, \"b\"\nc\\");
}

TEST(CsvTrace, AByteOrderMarkAndBlankLinesArePassedOver) {
  EXPECT_EQ(read("\xef\xbb\xbfjob,submit_s,maps\r\n\r\na,0,1\r\n").value().workload.jobs.size(), 1u);
}

TEST(CsvTrace, JobsOfOneFileShareIt) {
  const auto trace =
      read("job,submit_s,maps,input_bytes,file\na,0,2,10,/x\nb,0,2,10,/x\nc,0,2,10,\n").value().workload;
  ASSERT_EQ(trace.files.size(), 2u);
  EXPECT_EQ(trace.jobs[0].file, trace.jobs[1].file);
  EXPECT_EQ(trace.files[trace.jobs[2].file.value()].path, "/csv/c");
}

TEST(CsvTrace, JobsReadTheirOwnExtentsOfAFile) {
  const auto trace =
      read("job,submit_s,maps,input_bytes,file\na,0,2,10,/x\nb,0,3,9,/x\nc,0,1,4,/x\n").value().workload;
  ASSERT_EQ(trace.files.size(), 1u);
  ASSERT_EQ(trace.files[0].blocks.size(), 2u) << "of 5 bytes, the largest part of any map";
  EXPECT_TRUE(trace.jobs[0].reads.empty());
  EXPECT_THAT(trace.jobs[1].reads, testing::ElementsAre(0u, 0u, 1u)) << "where a part begins";
  EXPECT_EQ(trace.jobs[1].maps.at(2).input_bytes, 3u);
  EXPECT_THAT(trace.jobs[2].reads, testing::ElementsAre(0u));
  EXPECT_EQ(trace.jobs[2].maps.at(0).input_bytes, 4u);
}

TEST(CsvTrace, AFileIsAsLargeAsSomebodySays) {
  const auto text = "job,submit_s,maps,input_bytes,file,file_bytes\na,0,2,10,/x,\nb,0,1,5,/x,23\n";
  const auto trace = read(text).value().workload;
  EXPECT_EQ(trace.files.at(0).blocks.size(), 5u);
  EXPECT_THAT(trace.jobs[0].reads, testing::ElementsAre(0u, 1u));
  EXPECT_EQ(write_csv_trace(read(write_csv_trace(trace)).value().workload), write_csv_trace(trace));
  EXPECT_EQ(error_of(read("job,submit_s,maps,input_bytes,file,file_bytes\na,0,2,10,/x,9\n")),
            "t.csv:2: file_bytes is 9, and input_bytes 10; expected a file as large as what is read of it");
  EXPECT_EQ(
      error_of(read("job,submit_s,maps,input_bytes,file,file_bytes\na,0,2,10,/x,999999\n")),
      "t.csv:2: the file \"/x\" would have 200000 blocks of 5 bytes; expected at most 65536: use larger "
      "blocks, or fewer maps");
}

TEST(CsvTrace, JobsThatNoFrameworkTakesAreRefused) {
  EXPECT_EQ(row_error("a,,,,,0,,1,10001,0,0,1,1\n"),
            "t.csv:2: reduces is \"10001\"; expected a whole number from 0 to 10000");
  EXPECT_EQ(
      row_error("a,,,,,0,,1,1,0,0,1,1\nb,,,,,0,,65537,0,70000,0,1,1\n"),
      "t.csv:3: the file \"/csv/b\" would have 65537 blocks of 2 bytes; expected at most 65536: use larger "
      "blocks, or fewer maps");
}

TEST(CsvTrace, BrokenHeadersAreNamed) {
  EXPECT_EQ(error_of(read("")), "t.csv:1: the file is empty; expected a header with job, submit_s and maps");
  EXPECT_EQ(error_of(read("job,submit_s\n")),
            "t.csv:1: the column maps is missing; expected a header with job, submit_s and maps");
  EXPECT_EQ(error_of(read("job,submit_s,maps,job\n")),
            "t.csv:1: the column job is there twice; expected it once");
  EXPECT_THAT(error_of(read("job,submit_s,mops\n")), testing::HasSubstr("did you mean \"maps\"?"));
}

TEST(CsvTrace, AHeaderAloneIsAnError) {
  EXPECT_EQ(row_error(""), "t.csv: there is no job with a task in it");
}

TEST(CsvTrace, BrokenRowsAreNamedWithWhatWasExpected) {
  EXPECT_EQ(row_error("a,,,,,0\n"), "t.csv:2: 6 fields; expected 13, as the header has");
  EXPECT_EQ(row_error("a,,,,,0,,-1,0,0,0,1,1\n"),
            "t.csv:2: maps is \"-1\"; expected a whole number from 0 to 1000000");
  EXPECT_EQ(row_error("a,,,,,0,,,0,0,0,1,1\n"),
            "t.csv:2: maps is missing; expected a whole number from 0 to 1000000");
  EXPECT_EQ(row_error("a,,,,,,,1,0,0,0,1,1\n"), "t.csv:2: submit_s is missing; expected seconds, 0 or above");
  EXPECT_EQ(row_error("a,,,,,0,,0,0,0,0,1,1\n"),
            "t.csv:2: maps and reduces are both 0; expected a task at least");
  EXPECT_EQ(row_error("a,,,,,0,,3,0,2,0,1,1\n"),
            "t.csv:2: input_bytes is 2 for 3 maps; expected at least a map, and a byte for each");
  EXPECT_EQ(row_error("a,,,,,0,,3,0,9,0,1 2,1\n"),
            "t.csv:2: map_s has 2 times for 3 tasks; expected one time, or one each");
  EXPECT_EQ(row_error("a,,,,,0,,1,0,0,0,-1,1\n"), "t.csv:2: map_s is \"-1\"; expected seconds, 0 or above");
  EXPECT_EQ(error_of(read("job,submit_s,maps,shuffle_bytes\na,0,1,5\n")),
            "t.csv:2: shuffle_bytes without maps or without reduces; expected 0, or both kinds of task");
  EXPECT_EQ(row_error("a,,,,,0,,1,0,0,0,1,1\na,,,,,0,,1,0,0,0,1,1\n"),
            "t.csv:3: job \"a\" is there twice, first in line 2; expected a name of its own");
}

TEST(CsvTrace, QuotesThatDoNotEndAreNamed) {
  EXPECT_THAT(error_of(read("job,submit_s,maps\na,0,1\n\"b,0,1\nc,0,1\n")),
              testing::StartsWith("t.csv:3: a quote does not end"));
  EXPECT_THAT(error_of(read("job,submit_s,maps\na\"b,0,1\n")), testing::StartsWith("t.csv:2: a quote"));
}

TEST(CsvTrace, WhatIsWrittenIsReadBackEqual) {
  Workload workload;
  workload.files.push_back({"/in, 1", {{5, {}}, {4, {}}}});
  WorkloadJob job;
  job.name = "a \"b\"";
  job.framework = "f";
  job.bin = "own";
  job.submit = 1000001us;
  job.setup = 2s;
  job.cleanup = 3s;
  job.file = 0;
  job.maps = {{1s, 6}, {1500ms, 5}};
  job.reduces = {{7s, 3}};
  workload.jobs.push_back(job);
  const auto text = write_csv_trace(workload);
  EXPECT_EQ(text,
            "job,framework,pool,user,bin,submit_s,file,maps,reduces,input_bytes,output_bytes,map_s,reduce_s,"
            "shuffle_bytes,setup_s,cleanup_s,file_bytes\r\n"
            "\"a \"\"b\"\"\",f,,,own,1.000001,\"/in, 1\",2,1,9,3,1 1.5,7,11,2,3,\r\n");
  EXPECT_EQ(write_csv_trace(read(text).value().workload), text);
}

TEST(CsvTrace, EveryFormatIsConvertedWithoutLosingJobsOrTimes) {
  const auto path = shared_data("swim/FB-2009_samples_24_times_1hr_0.tsv");
  PROFFER_NEEDS_DATA(path);
  const auto swim = read_trace({TraceFormat::swim, path, {}}).value().workload;
  const auto text = write_csv_trace(swim);
  const auto again = read(text).value().workload;
  EXPECT_EQ(again.jobs.size(), swim.jobs.size());
  EXPECT_EQ(again.jobs.at(100).maps.at(0).compute, swim.jobs.at(100).maps.at(0).compute);
  EXPECT_EQ(write_csv_trace(again), text);
  EXPECT_EQ(write_swim_trace(again), write_swim_trace(swim));
}

}  // namespace
}  // namespace proffer::study
