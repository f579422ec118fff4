#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proffer/study/trace_readers.hpp"
#include "proffer/study/workload_stats.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

/// Jobs j0, j1, ... a second apart, with 1, 2, ... maps.
Workload jobs(int count) {
  std::string text = "job,submit_s,maps,input_bytes,map_s\n";
  for (int i = 0; i < count; ++i) {
    text += "j" + std::to_string(i) + "," + std::to_string(i) + "," + std::to_string(i + 1) + ",100,2\n";
  }
  return parse_csv_trace(text, "t").value().workload;
}

std::vector<std::string> names(const Workload& workload) {
  std::vector<std::string> names;
  for (const auto& job : workload.jobs) names.push_back(job.name);
  return names;
}

TEST(Cut, AWindowKeepsItsJobsAndTheirFilesAndCountsFromItsStart) {
  const auto part = cut(jobs(6), {2s, 4s, std::nullopt});
  EXPECT_THAT(names(part), ElementsAre("j2", "j3"));
  EXPECT_EQ(part.jobs[0].submit, 0s);
  ASSERT_EQ(part.files.size(), 2u);
  EXPECT_EQ(part.files[part.jobs[1].file.value()].path, "/csv/j3");
}

TEST(Cut, TheFirstJobsOfAWindow) {
  EXPECT_THAT(names(cut(jobs(6), {2s, std::nullopt, 3})), ElementsAre("j2", "j3", "j4"));
  EXPECT_THAT(names(cut(jobs(2), {0s, std::nullopt, 9})), ElementsAre("j0", "j1"));
}

TEST(Scale, EveryOtherJobIsKept) { EXPECT_THAT(names(scale(jobs(4), {0.5, 1})), ElementsAre("j1", "j3")); }

TEST(Scale, CopiesReadFilesOfTheirOwn) {
  const auto twice = scale(jobs(2), {2, 1});
  EXPECT_THAT(names(twice), ElementsAre("j0", "j0#2", "j1", "j1#2"));
  EXPECT_EQ(twice.files.at(twice.jobs[1].file.value()).path, "/csv/j0#2");
  EXPECT_EQ(twice.files.size(), 4u);
}

TEST(Scale, AThirdOfNineJobsIsThree) { EXPECT_EQ(scale(jobs(9), {1.0 / 3, 1}).jobs.size(), 3u); }

TEST(Scale, ArrivalsComeCloser) { EXPECT_EQ(scale(jobs(5), {1, 0.25}).jobs.back().submit, 1s); }

TEST(Scale, FactorsOutOfRangeAreRefused) {
  const auto path = shared_data("swim/FB-2009_samples_24_times_1hr_0.tsv");
  PROFFER_NEEDS_DATA(path);
  TraceSettings settings;
  settings.scale.jobs = 0;
  EXPECT_EQ(error_of(read_trace({TraceFormat::swim, path, {}}, settings)),
            "the scale of jobs is 0; expected above 0 and at most 1000");
}

TEST(Source, TracesAreNamedByFormatAndFile) {
  const auto source = parse_trace_source("swim:a:b.tsv").value();
  EXPECT_EQ(source.format, TraceFormat::swim);
  EXPECT_EQ(source.path, "a:b.tsv");
  for (const auto* text : {"", "swim", "swim:", "slurm:x", ":x"}) {
    EXPECT_EQ(error_of(parse_trace_source(text)),
              "\"" + std::string(text) +
                  "\" is no trace: write swim:FILE, say; known are csv, swim, rumen, sls, swf, google2011, "
                  "google2019, alibaba2018");
  }
}

TEST(Source, AFileThatIsNotThereIsNotFound) {
  const auto read = read_trace({TraceFormat::sls, "/nowhere/t.json", {}});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::not_found);
}

TEST(Bins, ClassesAreThoseOfThePaper) {
  EXPECT_EQ(bin_of(0), "0");
  EXPECT_EQ(bin_of(2), "2");
  EXPECT_EQ(bin_of(3), "3-20");
  EXPECT_EQ(bin_of(20), "3-20");
  EXPECT_EQ(bin_of(21), "21-60");
  EXPECT_EQ(bin_of(1500), "501-1500");
  EXPECT_EQ(bin_of(1501), "1501+");
}

TEST(Stats, WorkIsAddedUp) {
  const auto stats = workload_stats(jobs(4));
  EXPECT_EQ(stats.jobs, 4u);
  EXPECT_EQ(stats.maps, 10u);
  EXPECT_EQ(stats.input_bytes, 400u);
  EXPECT_EQ(stats.map_seconds, 20.0);
  EXPECT_EQ(stats.span(), 3.0);
  EXPECT_EQ(stats.blocks, 10u);
  EXPECT_EQ(stats.located_blocks, 0u);
  EXPECT_THAT(stats.bins,
              ElementsAre(testing::Pair("1", 1u), testing::Pair("2", 1u), testing::Pair("3-20", 2u)));
}

TEST(Stats, PercentilesAreNearestRanks) {
  EXPECT_THAT(workload_stats(jobs(100)).maps_per_job, ElementsAre(50u, 75u, 90u, 95u, 99u, 100u));
  EXPECT_THAT(workload_stats(jobs(1)).maps_per_job, testing::Each(1u));
  EXPECT_THAT(workload_stats({}).maps_per_job, testing::Each(0u));
}

TEST(Stats, LoadIsTheShareOfSlotsThatWorkFills) {
  EXPECT_EQ(load_on(4, 20, 10), 0.5);
  EXPECT_EQ(load_on(4, 20, 0), 0.0);
}

}  // namespace
}  // namespace proffer::study
