// Synthetic workloads that are like a trace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/trace.hpp"
#include "proffer/study/experiment.hpp"
#include "proffer/study/workload_fit.hpp"
#include "tests/study_readers/data.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using Shape = Distribution::Shape;

/// Jobs whose parameters are known.
GenerateSpec known() {
  GenerateSpec spec;
  spec.bins = {{"", 1, 0, 2000, {}, {}}, {"", 10, 2, 500, {}, {}}};
  spec.arrivals.process = Arrivals::Process::poisson;
  spec.arrivals.gap = 14s;
  spec.map_time = {Shape::lognormal, 20s, 10s};
  spec.reduce_time = {Shape::exponential, 30s, {}};
  spec.popularity = Popularity{50, 1.0};
  spec.block_bytes = 64'000'000;
  spec.map_output = 0.25;
  return spec;
}

double seconds(Duration time) { return static_cast<double>(time.count()) / 1e6; }

TEST(Fit, FindsTheParametersOfAKnownWorkload) {
  const auto fit = fit_workload(generate(known(), 3), "w", 1);
  ASSERT_EQ(fit.spec.bins.size(), 2u);
  EXPECT_EQ(fit.spec.bins[0].jobs, 2000u);
  EXPECT_EQ(fit.spec.bins[1].maps, 10u);
  EXPECT_EQ(fit.spec.bins[1].reduces, 2u);
  EXPECT_EQ(fit.spec.arrivals.process, Arrivals::Process::poisson);
  EXPECT_NEAR(seconds(fit.spec.arrivals.gap), 14, 0.8) << "2,500 gaps: 2% is a standard error";
  EXPECT_EQ(fit.spec.map_time.shape, Shape::lognormal);
  EXPECT_NEAR(seconds(fit.spec.map_time.first), 20, 0.5);
  EXPECT_NEAR(seconds(fit.spec.map_time.second), 10, 1);
  EXPECT_EQ(fit.spec.reduce_time.shape, Shape::exponential);
  EXPECT_NEAR(seconds(fit.spec.reduce_time.first), 30, 3);
  ASSERT_TRUE(fit.spec.popularity);
  EXPECT_NEAR(fit.spec.popularity->exponent, 1.0, 0.08);
  EXPECT_NEAR(fit.spec.popularity->files, 50, 3);
  EXPECT_EQ(fit.spec.block_bytes, 64'000'000u);
  EXPECT_NEAR(fit.spec.map_output, 0.25, 1e-6);
  ASSERT_EQ(fit.distances.size(), 6u);
  for (const auto& one : fit.distances) EXPECT_LT(one.ks, 0.06) << one.what;
}

TEST(Fit, FilesThatNobodyHasReadYetCount) {
  auto spec = known();
  spec.popularity = Popularity{5000, 0.8};
  const auto fit = fit_workload(generate(spec, 3), "w", 1);
  EXPECT_NEAR(fit.spec.popularity->exponent, 0.8, 0.12);
  EXPECT_NEAR(fit.spec.popularity->files, 5000, 1500) << "of which about 1,100 are read";
}

TEST(Fit, BurstsAreKept) {
  auto spec = known();
  spec.arrivals.process = Arrivals::Process::renewal;
  spec.arrivals.gaps = {Shape::quantiles, {}, {}, 1, {0s, 0s, 0s, 1s, 1s, 200s}};
  const auto fit = fit_workload(generate(spec, 3), "w", 1);
  EXPECT_EQ(fit.spec.arrivals.process, Arrivals::Process::renewal);
  const auto& gaps = fit.distances.at(2);
  EXPECT_EQ(gaps.what, "gaps, s");
  EXPECT_GT(gaps.cv, 1.8);
  EXPECT_NEAR(gaps.sample_cv, gaps.cv, 0.15);
  EXPECT_LT(gaps.ks, 0.05);
}

TEST(Fit, OfManySizesTakesQuantiles) {
  GenerateSpec spec;
  for (std::uint32_t maps = 1; maps <= 1000; ++maps) spec.bins.push_back({"", maps, 0, 1, {}, {}});
  spec.map_time = {Shape::constant, 4s, {}};
  spec.arrivals.process = Arrivals::Process::fixed;
  spec.arrivals.gap = 7s;
  const auto fit = fit_workload(generate(spec, 1), "w", 1);
  EXPECT_EQ(fit.spec.bins.size(), 60u);
  EXPECT_EQ(fit.spec.arrivals.process, Arrivals::Process::fixed);
  EXPECT_EQ(fit.spec.arrivals.gap, 7s);
  EXPECT_FALSE(fit.spec.popularity) << "every job has a file of its own";
  EXPECT_LT(fit.distances.at(0).ks, 0.02);
  EXPECT_EQ(fit.distances.at(3).ks, 0);
}

TEST(Fit, IsASectionThatAnExperimentReads) {
  const auto fit = fit_workload(generate(known(), 3), "w", 1);
  const auto text =
      "name = \"e\"\n[cluster]\nnodes = 4\nslots = { map = 4, reduce = 2 }\n"
      "[[framework]]\nname = \"f\"\n" +
      write_workload_section(fit.spec);
  const auto experiment = parse_experiment(text, "e.toml", ".", {}, {});
  ASSERT_TRUE(experiment) << experiment.error().message;
  const auto plan = make_plan(*experiment, cells(*experiment).at(0), 1).value();
  const auto made = generate(fit.spec, 1);
  ASSERT_EQ(plan.workload.jobs.size(), made.jobs.size());
  EXPECT_EQ(plan.workload.jobs.back().submit, made.jobs.back().submit);
  EXPECT_EQ(plan.workload.jobs.back().maps.front().compute, made.jobs.back().maps.front().compute);
  EXPECT_EQ(plan.workload.files.size(), made.files.size());
}

TEST(Fit, ToTheFacebookSampleIsNear) {
  const auto path = shared_data("swim/FB-2009_samples_24_times_1hr_0.tsv");
  PROFFER_NEEDS_DATA(path);
  const auto trace = read_trace({TraceFormat::swim, path, {}}).value().workload;
  const auto fit = fit_workload(trace, "fb", 1);
  for (const auto& one : fit.distances) EXPECT_LT(one.ks, 0.1) << one.what;
  EXPECT_NEAR(fit.distances.at(0).sample_mean, fit.distances[0].mean, 0.5) << "maps a job";
  EXPECT_NEAR(fit.distances.at(2).sample_mean, fit.distances[2].mean, 1) << "gaps";
}

TEST(Popularity, AFileIsAsLargeAsItsLargestReader) {
  const auto made = generate(known(), 1);
  EXPECT_EQ(made.files.size(), 50u);
  for (const auto& job : made.jobs) {
    const auto blocks = made.files.at(job.file.value()).blocks.size();
    EXPECT_LE(job.maps.size(), blocks);
    EXPECT_EQ(job.reads.size(), job.maps.size() < blocks ? job.maps.size() : 0);
  }
}

TEST(Quantiles, AreReadWrittenAndDrawnInBetween) {
  const auto distribution = parse_distribution("quantiles(1s, 2s, 10s)").value();
  EXPECT_EQ(to_string(distribution), "quantiles(1s, 2s, 10s)");
  Random random(1);
  int below = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto time = draw(distribution, random);
    EXPECT_GE(time, 1s);
    EXPECT_LE(time, 10s);
    below += time < 2s;
  }
  EXPECT_NEAR(below, 500, 60) << "half of the values below the middle one";
  for (const auto* text : {"quantiles(1s)", "quantiles(2s, 1s)", "quantiles()"})
    EXPECT_FALSE(parse_distribution(text)) << text;
}

TEST(FitCommand, WritesTheDistancesInComments) {
  cli::TraceOptions options;
  options.source = "somewhere";
  const auto output = cli::fit_output(generate(known(), 3), options, {});
  EXPECT_THAT(output.text, testing::StartsWith("# Fitted to somewhere."));
  EXPECT_THAT(output.text, testing::HasSubstr("\n# maps a job"));
  EXPECT_THAT(output.text, testing::HasSubstr("\n[[workload]]\nname = \"job\"\n"));
}

}  // namespace
}  // namespace proffer::study
