// Seeds that are added until figures are known, and what is told before a run.
#include <gmock/gmock.h>

#include "tests/experiment_command/results.hpp"
#include "tests/live_cluster/cluster.hpp"

namespace proffer {
namespace {

using ::testing::HasSubstr;
using testing::complete_runs;

/// Two tenants, 10 slots, ten jobs of ten tasks in 90 s; `seeds` as in a file.
std::string experiment(const std::string& seeds) {
  return "name = \"seeds\"\nseeds = " + seeds + R"toml(
[cluster]
nodes = 5
slots = { map = 2 }
[cost]
start_up = "1s"
[[framework]]
name = "mr"
count = 2
[[workload]]
bins = [{ maps = 10, jobs = 10 }]
input = "none"
arrivals = { process = "fixed", gap = "10s" }
map_time = "exponential(4s)"
)toml";
}

class Seeds : public ::testing::Test {
 protected:
  testing::Ran run(const std::string& seeds) {
    const auto file = folder_.file("seeds.toml", experiment(seeds));
    return testing::proffer({"experiment", "run", file, "-d", results_, "--quiet"});
  }
  testing::Folder folder_;
  std::string results_ = folder_.path() + "/results";
};

TEST_F(Seeds, AreAddedWhileAFigureIsNotKnown) {
  const auto ran = run(R"({ count = 2, until = "0.1%", most = 5 })");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(complete_runs(results_), 5);
  EXPECT_THAT(ran.err, HasSubstr("response_mean is not known to 0.1% in every cell"));
}

TEST_F(Seeds, AreNotAddedOnceItIs) {
  const auto ran = run(R"({ count = 4, until = "100%", most = 8 })");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(complete_runs(results_), 4);
}

TEST_F(Seeds, UntilAMeasureThatNobodyTakesIsToldOf) {
  const auto ran = run(R"({ count = 2, until = "5%", of = "respons_mean" })");
  EXPECT_THAT(ran.err, HasSubstr("no cell has the measure respons_mean"));
  EXPECT_EQ(complete_runs(results_), 2);
}

TEST(Describe, TellsTheLoadOfEachTenant) {
  const testing::Folder folder;
  const auto file = folder.file("seeds.toml", experiment("1"));
  const auto ran = testing::proffer({"experiment", "describe", file});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("(all)"));
  EXPECT_THAT(ran.out, HasSubstr("mr-1"));
}

}  // namespace
}  // namespace proffer
