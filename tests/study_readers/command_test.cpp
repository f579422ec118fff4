// `proffer trace` as the command line calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/trace.hpp"
#include "proffer/formats/json_tree.hpp"
#include "proffer/study/trace_readers.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::cli {
namespace {

using study::error_of;
using testing::HasSubstr;

/// A trace of three jobs in a file, for as long as the test runs.
class TraceCommand : public testing::Test {
 protected:
  TraceCommand()
      : path_(testing::TempDir() + "proffer_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::ofstream(path_) << "a\t0\t0\t300000000\t0\t5\nb\t60\t60\t1\t7\t5\nc\t120\t60\t1\t0\t5\n";
    options_.source = "swim:" + path_;
  }
  ~TraceCommand() override { std::filesystem::remove(path_); }
  Result<TraceOutput> run(const std::string& verb) {
    options_.verb = verb;
    return trace_output(options_);
  }
  std::string path_;
  TraceOptions options_;
};

TEST_F(TraceCommand, StatsAreATable) {
  options_.map_time = "12s";
  options_.map_slots = 5;
  const auto output = run("stats").value();
  EXPECT_THAT(output.text, HasSubstr("jobs"));
  EXPECT_THAT(output.text, HasSubstr("load on 5 map slots"));
  EXPECT_THAT(output.text, HasSubstr("10.0%")) << "5 maps of 12 s on 5 slots in 120 s";
  EXPECT_THAT(output.text, HasSubstr("33.3%")) << "one job in three has three maps";
}

TEST_F(TraceCommand, StatsAreJsonOnRequest) {
  options_.json = true;
  options_.reduce_slots = 1;
  const auto json = formats::parse_json(run("stats").value().text, "out").value();
  EXPECT_EQ(json.find("jobs")->integer, 3);
  EXPECT_EQ(json.find("maps")->integer, 5);
  EXPECT_EQ(json.find("maps_per_job")->find("p100")->integer, 3);
  EXPECT_GT(json.find("load")->find("reduce")->number, 0);
  EXPECT_EQ(json.find("load")->find("map"), nullptr);
  EXPECT_EQ(json.find("bins")->items.size(), 2u);
}

TEST_F(TraceCommand, ConvertWritesACsvThatReadsBack) {
  const auto text = run("convert").value().text;
  EXPECT_EQ(study::parse_csv_trace(text, "out").value().workload.jobs.size(), 3u);
}

TEST_F(TraceCommand, CutKeepsAWindowAsSwim) {
  options_.as = "swim";
  options_.cut.from = "1m";
  options_.cut.jobs = 1;
  EXPECT_EQ(run("cut").value().text, "b\t0\t0\t1\t7\t5\n");
}

TEST_F(TraceCommand, AnEmptyWindowIsAnError) {
  options_.cut.from = "1h";
  EXPECT_EQ(error_of(run("cut")), options_.source + " has no job between --from and --to");
  options_.cut.to = "1m";
  EXPECT_EQ(error_of(run("cut")), "--to 1m is not after --from 1h");
}

TEST_F(TraceCommand, WrongOptionsAreNamed) {
  options_.block_size = "128";
  EXPECT_THAT(error_of(run("stats")), testing::StartsWith("--block-size: \"128\""));
  options_.block_size = "1MB";
  options_.as = "xml";
  EXPECT_EQ(error_of(run("convert")), "--as is \"xml\"; write csv or swim");
  options_.topology = "top.json";
  EXPECT_EQ(error_of(run("convert")), "--topology goes with a rumen trace only");
}

TEST_F(TraceCommand, SynthMakesJobsOutOfBins) {
  options_.synth.bins = "1x3,10+2x2";
  options_.synth.arrivals = "fixed(10s)";
  const auto output = run("synth").value();
  const auto workload = study::parse_csv_trace(output.text, "out").value().workload;
  ASSERT_EQ(workload.jobs.size(), 5u);
  const auto large = std::count_if(workload.jobs.begin(), workload.jobs.end(), [](const auto& job) {
    return job.maps.size() == 10 && job.reduces.size() == 2;
  });
  EXPECT_EQ(large, 2);
  EXPECT_EQ(workload.jobs[4].submit - workload.jobs[3].submit, std::chrono::seconds(10));
}

TEST_F(TraceCommand, SynthMakesJobsThatShareFiles) {
  options_.synth.bins = "1x30,4x10";
  options_.synth.files = 3;
  options_.as = "swim";
  const auto text = run("synth").value().text;
  const auto workload = study::parse_swim_trace(text, "out", {}).value().workload;
  ASSERT_EQ(workload.files.size(), 3u);
  EXPECT_EQ(workload.files.front().blocks.size(), 4u);
}

TEST_F(TraceCommand, WrongBinsAndArrivalsAreNamed) {
  for (const auto* bins : {"x", "1", "1x", "0x5", "1x0", "1+x2", "1x2,", "-1x2", "1x2x3", "9999999x1"}) {
    options_.synth.bins = bins;
    EXPECT_THAT(error_of(run("synth")), HasSubstr("is no bin: write MAPSxJOBS")) << bins;
  }
  options_.synth.bins = "1x1";
  for (const auto* arrivals : {"", "poisson", "weekly(5s)", "poisson(5)", "fixed(0s)"}) {
    options_.synth.arrivals = arrivals;
    EXPECT_THAT(error_of(run("synth")), testing::StartsWith("--arrivals")) << arrivals;
  }
}

TEST(TraceCommandOnRealData, RumenLosesItsPlacesAndSaysSo) {
  const auto path = study::shared_data("rumen/input-trace.json");
  PROFFER_NEEDS_DATA(path);
  TraceOptions options;
  options.verb = "convert";
  options.source = "rumen:" + path;
  options.topology = study::shared_data("rumen/input-topology.json");
  EXPECT_THAT(trace_output(options).value().notes, testing::Contains(HasSubstr("522 nodes")));
}

}  // namespace
}  // namespace proffer::cli
