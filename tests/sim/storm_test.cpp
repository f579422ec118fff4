// Storms over the whole cluster: what passes, what is repeated exactly, how a failing one is made smaller.
// `proffer sim storm --seeds A..B` runs many more.
#include <gtest/gtest.h>

#include "proffer/sim/storm.hpp"

namespace proffer::sim {
namespace {

using std::chrono::seconds;

StormOptions only(std::string_view faults) {
  StormOptions options;
  options.faults = faults_named(faults).value();
  options.agents = 4;
  options.frameworks = 3;
  options.rage = seconds(25);
  return options;
}

struct Gentle {
  const char* faults;
  std::uint64_t first;
};

class GentleStorm : public ::testing::TestWithParam<Gentle> {};

TEST_P(GentleStorm, BreaksNothing) {
  for (auto seed = GetParam().first; seed < GetParam().first + 4; ++seed) {
    const auto result = run_storm(seed, only(GetParam().faults));
    EXPECT_TRUE(result.violations.empty()) << "seed " << seed << ": " << result.violations.front();
    EXPECT_GT(result.figures.at("processes started"), 0u) << "seed " << seed;
    EXPECT_GT(result.simulated, seconds(100));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, GentleStorm,
                         ::testing::Values(Gentle{"none", 1}, Gentle{"messages", 20},
                                           Gentle{"messages,tasks", 40}, Gentle{"network,pause", 60}));

/// Twenty seeds each, with all kinds of faults: `proffer sim storm --seeds 1..200`.
class HardStorm : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(HardStorm, BreaksNoPromise) {
  for (auto seed = GetParam(); seed < GetParam() + 20; ++seed) {
    const auto result = run_storm(seed, {});
    EXPECT_TRUE(result.violations.empty()) << "seed " << seed << ": " << result.violations.front();
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, HardStorm, ::testing::Range<std::uint64_t>(1, 201, 20));

TEST(Storm, EqualSeedsHaveEqualDigests) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto options = only("all");
    const auto once = run_storm(seed, options);
    const auto again = run_storm(seed, options);
    EXPECT_EQ(once.digest, again.digest);
    EXPECT_EQ(once.figures, again.figures);
    EXPECT_EQ(once.violations, again.violations);
  }
}

TEST(Storm, OtherSeedsAreOtherStorms) {
  EXPECT_NE(run_storm(1, only("messages")).digest, run_storm(2, only("messages")).digest);
}

TEST(Storm, TheTimelineChangesNothing) {
  auto options = only("messages");
  const auto without = run_storm(5, options);
  options.timeline = true;
  const auto with = run_storm(5, options);
  EXPECT_EQ(without.digest, with.digest);
  EXPECT_TRUE(without.timeline.empty());
  EXPECT_FALSE(with.timeline.empty());
}

TEST(Storm, EveryKindOfFaultHappens) {
  std::map<std::string, std::uint64_t> figures;
  StormOptions options;
  options.agents = 3;
  options.rage = seconds(60);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const auto& [name, n] : run_storm(seed, options).figures) figures[name] += n;
  }
  for (const auto* name : {"loss", "doubling", "delay", "clog", "cut", "one-way", "half-open", "reconnect",
                           "crash-allocator", "crash-agent", "crash-launcher", "crash-framework", "stop",
                           "pause", "reboot", "disk-full", "task-fails", "task-deaf"}) {
    EXPECT_GT(figures[std::string("fault ") + name], 0u) << name;
  }
}

TEST(StormFaults, AreNamedAndGrouped) {
  const auto set = faults_named("pause,messages");
  ASSERT_TRUE(set.ok());
  EXPECT_EQ(name_of(*set), "loss,doubling,delay,pause");
  EXPECT_EQ(name_of(*faults_named("all")), "all");
  EXPECT_EQ(name_of(*faults_named("none")), "none");
  EXPECT_EQ(name_of(*faults_named("")), "none");
}

TEST(StormFaults, AnUnknownWordIsNamed) {
  const auto set = faults_named("loss,earthquake");
  ASSERT_FALSE(set.ok());
  EXPECT_NE(set.error().message.find("\"earthquake\" is no kind of fault"), std::string::npos);
}

TEST(StormShrinking, LeavesWhatTheFailureNeeds) {
  const auto needs = [](const StormOptions& options) {
    return options.faults.test(static_cast<std::size_t>(Fault::pause)) && options.agents >= 3 &&
           options.rage.value_or(seconds(120)) >= seconds(10);
  };
  const auto smallest = smallest_that_fails(StormOptions{}, needs);
  EXPECT_EQ(name_of(smallest.faults), "pause");
  EXPECT_EQ(smallest.agents, 3u);
  EXPECT_EQ(smallest.frameworks, 1u);
  EXPECT_LT(*smallest.rage, seconds(13));
  EXPECT_TRUE(needs(smallest));
}

TEST(StormShrinking, APassingSeedStaysAsItIs) {
  const auto options = only("none");
  const auto same = smallest_storm(1, options, nullptr);
  EXPECT_EQ(same.agents, options.agents);
  EXPECT_EQ(same.faults, options.faults);
}

}  // namespace
}  // namespace proffer::sim
