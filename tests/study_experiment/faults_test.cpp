// Faults that an experiment draws.
#include <map>
#include <set>

#include "tests/study_experiment/vocabulary.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using What = PlanFault::What;

const std::string kNodes = "faults.nodes={ mtbf = \"exponential(1h)\", mttr = \"lognormal(5m, 2m)\" }";
const std::string kRacks = "faults.racks={ mtbf = \"weibull(1d, 0.7)\", mttr = \"1h\" }";
const std::string kHorizon = "horizon=48h";

std::vector<PlanFault> faults_with(std::vector<std::string> overrides, std::uint64_t seed = 1) {
  overrides.push_back(kHorizon);
  return plan_of(good(small(), overrides), "", seed).faults;
}

std::vector<PlanFault> only(const std::vector<PlanFault>& faults, What what, const std::string& target) {
  std::vector<PlanFault> found;
  for (const auto& fault : faults) {
    if (fault.what == what && fault.target == target) found.push_back(fault);
  }
  return found;
}

bool same(const std::vector<PlanFault>& a, const std::vector<PlanFault>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.at == y.at && x.what == y.what && x.target == y.target && x.lasting == y.lasting;
  });
}

TEST(DrawnFaults, AreOfTheSeedAndAsOftenAsToldAndNeverWithinEachOther) {
  const auto faults = faults_with({kNodes});
  EXPECT_TRUE(same(faults, faults_with({kNodes})));
  EXPECT_FALSE(same(faults, faults_with({kNodes}, 2)));
  // Six nodes for 48 hours, a fault every 65 minutes.
  EXPECT_NEAR(static_cast<double>(faults.size()), 6 * 48 * 60 / 65.0, 60);
  for (const auto* node : {"r1n1", "r2n3"}) {
    Duration free{};
    for (const auto& fault : only(faults, What::kill_node, node)) {
      EXPECT_GT(fault.at, free);
      free = fault.at + fault.lasting;
    }
    EXPECT_GT(free, 40h);
  }
}

TEST(DrawnFaults, OfOneKindDoNotShiftThoseOfAnother) {
  const std::string cuts = "faults.partitions={ mtbf = \"exponential(2h)\", mttr = \"1m\" }";
  const std::string servers = "faults.allocator={ mtbf = \"exponential(3h)\", mttr = \"10s\" }";
  const auto all = faults_with({kNodes, cuts, servers});
  EXPECT_TRUE(same(only(all, What::kill_node, "r1n2"), only(faults_with({kNodes}), What::kill_node, "r1n2")));
  EXPECT_TRUE(same(only(all, What::cut_rack, "r2"), only(faults_with({cuts}), What::cut_rack, "r2")));
  EXPECT_FALSE(only(all, What::cut_rack, "r1").empty());
  EXPECT_FALSE(only(all, What::stop_allocator, "allocator").empty());
}

TEST(DrawnFaults, OfARackKillAllItsNodesAtOnce) {
  const auto faults = faults_with({kRacks});
  ASSERT_FALSE(faults.empty());
  std::map<std::pair<Duration, Duration>, std::set<std::string>> together;
  for (const auto& fault : faults) together[{fault.at, fault.lasting}].insert(fault.target);
  for (const auto& [time, nodes] : together) EXPECT_EQ(nodes.size(), 3u) << "of one rack";
  // A node whose rack dies while it is dead is dead once.
  EXPECT_LT(faults_with({kNodes, kRacks}).size(), faults_with({kNodes}).size() + faults.size());
}

TEST(DrawnFaults, CanCutOffSingleNodes) {
  const auto faults =
      faults_with({"faults.partitions={ of = \"node\", mtbf = \"exponential(2h)\", mttr = \"1m\" }"});
  EXPECT_FALSE(only(faults, What::cut_node, "r1n1").empty());
  EXPECT_TRUE(only(faults, What::cut_rack, "r1").empty());
}

TEST(DrawnFaults, SlowNodesDownByTheirFactor) {
  const auto slow = "faults.slow={ mtbf = \"exponential(2h)\", mttr = \"1m\", factor = 2.5 }";
  const auto faults = faults_with({slow, kNodes});
  const auto of_one = only(faults, What::slow_node, "r1n1");
  ASSERT_FALSE(of_one.empty());
  for (const auto& fault : of_one) EXPECT_EQ(fault.factor_milli, 2500);
  EXPECT_TRUE(
      same(only(faults, What::kill_node, "r1n1"), only(faults_with({kNodes}), What::kill_node, "r1n1")));
}

TEST(DrawnFaults, GoWithTheWorkThatThereIsWithoutThem) {
  const auto with = plan_of(good(small(), {kNodes, kHorizon}));
  const auto without = plan_of(good(small(), {kHorizon}));
  EXPECT_EQ(with.heartbeat, 1s);
  EXPECT_EQ(without.heartbeat, 0s);
  ASSERT_EQ(with.workload.jobs.size(), without.workload.jobs.size());
  for (std::size_t job = 0; job < with.workload.jobs.size(); ++job) {
    EXPECT_EQ(with.workload.jobs[job].maps.at(0).compute, without.workload.jobs[job].maps.at(0).compute);
  }
}

TEST(DrawnFaults, OfNoneAreNone) {
  EXPECT_TRUE(faults_with({kNodes, "faults.nodes.mtbf=none"}).empty());
  EXPECT_EQ(plan_of(good(small(), {kNodes, "faults.nodes.mtbf=none"})).heartbeat, 0s);
}

TEST(ListedFaults, CutAndStopAsWell) {
  const auto faults =
      faults_with({"cluster.faults=[{ at = \"1s\", cut = \"r2\", for = \"1m\" }, { at = \"2s\", cut "
                   "= \"r2n1\", for = \"1m\" }, { at = \"3s\", stop = \"catalog\", for = \"1m\" }]"});
  ASSERT_EQ(faults.size(), 3u);
  EXPECT_EQ(faults[0].what, What::cut_rack);
  EXPECT_EQ(faults[1].what, What::cut_node);
  EXPECT_EQ(faults[2].what, What::stop_catalog);
}

TEST(MistakeInFaults, IsTold) {
  EXPECT_THAT(wrong(small(), {"faults.nodes={ mtbf = \"exponential(1h)\" }"}),
              HasSubstr("faults.nodes needs mttr as well, how long a fault lasts"));
  EXPECT_THAT(wrong(small(), {"faults.nodes=3"}), HasSubstr("faults.nodes must be a table, such as"));
  EXPECT_THAT(wrong(small(), {"faults.nodes={ of = \"rack\" }"}), HasSubstr("of is only for partitions"));
  EXPECT_THAT(wrong(small(), {"faults.nodes={ factor = 2 }"}), HasSubstr("factor is only for slow"));
  EXPECT_THAT(wrong(small(), {"faults.slow={ factor = 0.5 }"}), HasSubstr("factor must be 1 or more"));
  EXPECT_THAT(wrong(small(), {"faults.nods={}"}), HasSubstr("did you mean \"nodes\"?"));
  EXPECT_THAT(wrong(small(), {"faults.nodes={ mtbf = \"weibull(1h)\", mttr = \"1m\" }"}),
              HasSubstr("write weibull(1h, 0.7), with the mean and the shape"));
  EXPECT_THAT(wrong(small(), {"cluster.faults=[{ at = \"1s\", stop = \"catalogue\", for = \"1m\" }]"}),
              HasSubstr("unknown server \"catalogue\"; did you mean \"catalog\"?"));
  EXPECT_THAT(
      wrong(small(), {"cluster.faults=[{ at = \"1s\", for = \"1m\" }]"}),
      HasSubstr("a fault needs one of kill and slow, with the name of a node, cut, with that of a node"));
}

TEST(MistakeInFaults, TooManyOfThemAreRefused) {
  const auto experiment = good(small(), {"faults.nodes={ mtbf = \"10ms\", mttr = \"10ms\" }"});
  const auto plan = make_plan(experiment, cells(experiment).at(0), 1);
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, HasSubstr("[faults] draws more than 1000000 faults up to the horizon"));
}

}  // namespace
}  // namespace proffer::study
