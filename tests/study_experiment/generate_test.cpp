#include "proffer/study/generate.hpp"
#include "proffer/study/plan_rules.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "study/generate/streams.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

GenerateSpec two_bins() {
  GenerateSpec spec;
  spec.bins = {{"", 3, 0, 5, {}, {}}, {"", 2, 1, 2, {}, {}}};
  spec.arrivals = {Arrivals::Process::poisson, 14s, 1, {}};
  return spec;
}

std::vector<std::int64_t> numbers_of(const Workload& workload) {
  std::vector<std::int64_t> numbers;
  for (const auto& job : workload.jobs) {
    numbers.push_back(job.submit.count());
    for (const auto& task : job.maps) numbers.push_back(task.compute.count());
    for (const auto& task : job.reduces) numbers.push_back(task.compute.count());
  }
  return numbers;
}

struct Moments {
  double mean = 0;
  double deviation = 0;
  double least = 0;
};
Moments moments_of(const std::string& text) {
  const auto distribution = parse_distribution(text).value();
  Random random(7);
  Moments moments;
  moments.least = 1e9;
  double squares = 0;
  constexpr int kDraws = 200'000;
  for (int i = 0; i < kDraws; ++i) {
    const double seconds = static_cast<double>(draw(distribution, random).count()) / 1e6;
    moments.mean += seconds / kDraws;
    squares += seconds * seconds / kDraws;
    moments.least = std::min(moments.least, seconds);
  }
  moments.deviation = std::sqrt(squares - moments.mean * moments.mean);
  return moments;
}

TEST(Distribution, LognormalHasTheMeanAndDeviationOfTheTimesThemselves) {
  const auto moments = moments_of("lognormal(10s, 3s)");
  EXPECT_NEAR(moments.mean, 10, 0.05);
  EXPECT_NEAR(moments.deviation, 3, 0.05);
}

TEST(Distribution, TheOthersHaveTheirMeansToo) {
  EXPECT_NEAR(moments_of("exponential(5s)").mean, 5, 0.05);
  EXPECT_NEAR(moments_of("normal(10s, 2s)").deviation, 2, 0.05);
  EXPECT_NEAR(moments_of("uniform(4s, 8s)").mean, 6, 0.05);
  EXPECT_NEAR(moments_of("weibull(5s, 0.7)").mean, 5, 0.1);
  EXPECT_NEAR(moments_of("weibull(5s, 2)").deviation, 5 * 0.5227, 0.05);
  EXPECT_DOUBLE_EQ(moments_of("constant(3s)").least, 3);
  EXPECT_DOUBLE_EQ(moments_of("3s").mean, moments_of("constant(3s)").mean);
}

TEST(Distribution, NothingIsBelowZero) { EXPECT_GE(moments_of("normal(1s, 5s)").least, 0); }

TEST(Distribution, WrongTextsAreToldWithWhatToWrite) {
  const auto wrong = [](const std::string& text) { return parse_distribution(text).error().message; };
  EXPECT_EQ(wrong("lognorml(10s, 3s)"),
            "\"lognorml(10s, 3s)\": unknown distribution \"lognorml\"; did you mean \"lognormal\"?");
  EXPECT_EQ(wrong("lognormal(10s)"),
            "\"lognormal(10s)\": write lognormal(10s, 3s), with the mean and the standard deviation");
  EXPECT_EQ(wrong("uniform(9s, 3s)"), "\"uniform(9s, 3s)\": write uniform(5s, 15s), with the least first");
  EXPECT_THAT(wrong("exponential(5)"), HasSubstr("\"5\""));
  EXPECT_THAT(wrong("exponential(5s"), HasSubstr("write exponential(5s), with the mean"));
  EXPECT_THAT(wrong("quick"), HasSubstr("write a time such as 10s, or a distribution"));
}

TEST(Stream, IsFoundByAllThatNamesIt) {
  std::set<std::uint64_t> first;
  for (const std::uint64_t seed : {1u, 2u}) {
    for (const auto* workload : {"a", "b", ""}) {
      for (const auto* purpose : {"job", "a"}) {
        for (const std::uint32_t major : {0u, 1u})
          first.insert(stream(seed, workload, purpose, major, 0).bits());
      }
    }
  }
  EXPECT_EQ(first.size(), 24u);
  EXPECT_EQ(stream(1, "a", "job", 2, 3).bits(), stream(1, "a", "job", 2, 3).bits());
}

TEST(Generate, TheSameSeedGivesTheSameWork) {
  EXPECT_EQ(numbers_of(generate(two_bins(), 3)), numbers_of(generate(two_bins(), 3)));
  EXPECT_NE(numbers_of(generate(two_bins(), 3)), numbers_of(generate(two_bins(), 4)));
}

TEST(Generate, EveryCompilerDrawsTheseNumbers) {
  auto spec = two_bins();
  spec.bins = {{"", 2, 1, 2, {}, {}}};
  EXPECT_THAT(numbers_of(generate(spec, 1)),
              ::testing::ElementsAre(0, 10560295, 6199496, 6470206, 4907065, 8321218, 20215368, 10908200));
}

TEST(Generate, JobsHaveTheShapesOfTheirBins) {
  const auto workload = generate(two_bins(), 1);
  std::map<std::string, int> bins;
  for (const auto& job : workload.jobs) {
    ++bins[job.bin];
    EXPECT_EQ(job.maps.size(), job.bin == "3" ? 3u : 2u);
    EXPECT_EQ(job.reduces.size(), job.bin == "3" ? 0u : 1u);
    EXPECT_EQ(workload.files[job.file.value()].blocks.size(), job.maps.size());
  }
  EXPECT_EQ(bins, (std::map<std::string, int>{{"3", 5}, {"2_1", 2}}));
  EXPECT_EQ(workload.files.size(), 7u);
}

TEST(Generate, AnotherBinLeavesTheTasksOfTheOthersAsTheyAre) {
  auto more = two_bins();
  more.bins.push_back({"", 9, 0, 3, {}, {}});
  const auto tasks = [](const Workload& workload) {
    std::multiset<std::int64_t> times;
    for (const auto& job : workload.jobs) {
      for (const auto& task : job.maps) times.insert(job.bin == "9" ? 0 : task.compute.count());
    }
    times.erase(0);
    return times;
  };
  EXPECT_EQ(tasks(generate(two_bins(), 1)), tasks(generate(more, 1)));
}

TEST(Generate, OtherTimesLeaveTheArrivalsAsTheyAre) {
  auto slower = two_bins();
  slower.map_time = {Distribution::Shape::exponential, 99s, {}};
  const auto a = generate(two_bins(), 1);
  const auto b = generate(slower, 1);
  for (std::size_t i = 0; i < a.jobs.size(); ++i) EXPECT_EQ(a.jobs[i].submit, b.jobs[i].submit);
}

TEST(Generate, ASharedInputIsOneFileForJobsOfOneSize) {
  auto spec = two_bins();
  spec.input = GenerateSpec::Input::shared;
  const auto workload = generate(spec, 1);
  ASSERT_EQ(workload.files.size(), 2u);
  for (const auto& job : workload.jobs) {
    EXPECT_EQ(workload.files[job.file.value()].path, job.bin == "3" ? "/job/shared-3" : "/job/shared-2");
  }
}

TEST(Generate, InputMayLieOnNodesByName) {
  auto spec = two_bins();
  spec.input_nodes = {"r1n1", "r2n7"};
  for (const auto& file : generate(spec, 1).files) {
    for (const auto& block : file.blocks) EXPECT_EQ(block.nodes, spec.input_nodes);
  }
}

TEST(Generate, WithoutInputThereAreNoFiles) {
  auto spec = two_bins();
  spec.input = GenerateSpec::Input::none;
  const auto workload = generate(spec, 1);
  EXPECT_TRUE(workload.files.empty());
  EXPECT_FALSE(workload.jobs[0].file);
}

TEST(Generate, FixedGapsBeginAtTheStart) {
  auto spec = two_bins();
  spec.start = 57s;
  spec.arrivals = {Arrivals::Process::fixed, 10s, 1, {}};
  const auto workload = generate(spec, 1);
  EXPECT_EQ(workload.jobs.front().submit, 57s);
  EXPECT_EQ(workload.jobs.back().submit, 117s);
}

TEST(Generate, ListedTimesGoRoundAgain) {
  auto spec = two_bins();
  spec.bins = {{"", 1, 0, 4, {}, {}}};
  spec.arrivals = {Arrivals::Process::times, {}, 1, {0s, 10s}};
  std::vector<Duration> times;
  for (const auto& job : generate(spec, 1).jobs) times.push_back(job.submit);
  EXPECT_THAT(times, ::testing::ElementsAre(0s, 10s, 20s, 30s));
}

TEST(Generate, SerialJobsFollowEachOtherInTheirChains) {
  auto spec = two_bins();
  spec.start = 5s;
  spec.arrivals = {Arrivals::Process::serial, 1s, 3, {}};
  const auto workload = generate(spec, 1);
  std::vector<std::string> after;
  for (const auto& job : workload.jobs) after.push_back(job.after);
  EXPECT_THAT(after, ::testing::ElementsAre("", "", "", "job-001", "job-002", "job-003", "job-004"));
  EXPECT_EQ(workload.jobs[0].submit, 5s);
  EXPECT_EQ(workload.jobs[3].submit, 1s);
}

TEST(Generate, PoissonGapsHaveTheirMean) {
  auto spec = two_bins();
  spec.bins = {{"", 1, 0, 20'000, {}, {}}};
  const auto last = generate(spec, 1).jobs.back().submit;
  EXPECT_NEAR(static_cast<double>(last.count()) / 1e6 / 20'000, 14, 0.3);
}

TEST(Generate, MapOutputFollowsTheBlockSize) {
  auto spec = two_bins();
  spec.block_bytes = 1000;
  spec.map_output = 0.01;
  EXPECT_EQ(generate(spec, 1).jobs[0].maps[0].output_bytes, 10u);
}

TEST(Generate, JobsMayEachHaveAUserOfTheirOwn) {
  auto spec = two_bins();
  spec.own_users = true;
  const auto workload = generate(spec, 1);
  EXPECT_NE(workload.jobs[0].user, workload.jobs[1].user);
}

TEST(Generate, PrioritiesReachTheJobsOfTheFramework) {
  auto spec = two_bins();
  spec.priority = Priority::high;
  Plan plan;
  plan.workload = generate(spec, 1);
  EXPECT_EQ(job_spec(plan, plan.workload.jobs[0], "token").priority, Priority::high);
}

TEST(Generate, JobsOfAWorkloadMayNeedOneFileThatNodesKeep) {
  auto spec = two_bins();
  spec.block_bytes = 100;
  spec.cached_bytes = 250;
  const auto workload = generate(spec, 1);
  const auto file = workload.jobs[0].cached.value();
  EXPECT_EQ(workload.jobs[1].cached, file);
  EXPECT_NE(workload.jobs[0].file, file);
  std::vector<std::uint64_t> sizes;
  for (const auto& block : workload.files[file].blocks) sizes.push_back(block.bytes);
  EXPECT_THAT(sizes, ::testing::ElementsAre(100, 100, 50));
  Plan plan;
  plan.workload = workload;
  const auto job = job_spec(plan, workload.jobs[0], "token");
  EXPECT_EQ(job.cached.at(0).path, workload.files[file].path);
}

TEST(Merge, FilesAreStillThoseOfTheirJobs) {
  auto first = two_bins();
  first.name = "a";
  auto second = two_bins();
  second.name = "b";
  const auto all = merge({generate(first, 1), generate(second, 1)});
  ASSERT_EQ(all.jobs.size(), 14u);
  for (const auto& job : all.jobs) {
    EXPECT_EQ(all.files[job.file.value()].path, "/" + job.name.substr(0, 1) + "/" + job.name);
  }
  EXPECT_TRUE(std::is_sorted(all.jobs.begin(), all.jobs.end(),
                             [](const auto& a, const auto& b) { return a.submit < b.submit; }));
}

}  // namespace
}  // namespace proffer::study
