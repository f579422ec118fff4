// `proffer plan`: the analysis of delay scheduling as a command.
#include <gmock/gmock.h>

#include "cluster.hpp"

namespace proffer {
namespace {

using ::testing::AllOf;
using testing::Cluster;
using ::testing::HasSubstr;
using testing::proffer;

const std::vector<std::string> kPaper{"plan", "--nodes", "100", "--slots", "8", "--tasks", "20"};

testing::Ran plan(std::vector<std::string> more) {
  more.insert(more.begin(), kPaper.begin(), kPaper.end());
  return proffer(more);
}

TEST(PlanCommand, TellsTheWaitForALocalityWithTheTermsOfTheFormula) {
  // EuroSys 2010, §3.4: 0.23 M slots, 2.9% of a task with 8 slots a node.
  const auto ran = plan({"--locality", "0.95", "--task-time", "10s"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("-(100/3) ln( 1 / 2 ) = 23.1 slots"),
                             HasSubstr("D T / S = 23.1 x 10 s / 800 = 0.289 s"),
                             HasSubstr("wait,node_wait=289ms,rack_wait=0s,reset=on-launch"),
                             HasSubstr("skip,node_skips=23,rack_skips=0,reset=on-launch")));
}

TEST(PlanCommand, TellsWhatAWaitGives) {
  // EuroSys 2010, §6.2: 27 slots a second, 620 nodes, 10 s, the last task.
  const auto ran = proffer({"plan", "--nodes", "620", "--slots", "1", "--tasks", "1", "--task-time",
                            "22963ms", "--wait", "10s", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\"skips\": 269.99"), HasSubstr("\"locality_of_last_task\": 0.72")));
}

TEST(PlanCommand, AsksARunningClusterForNodesAndSlots) {
  const Cluster cluster(3);
  const auto ran = cluster({"plan", "--skips", "10"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("M = 3 nodes, S = 6 slots"));
}

TEST(PlanCommand, SaysWhatItNeeds) {
  const auto ran = proffer({"plan", "--nodes", "100"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("write --nodes and --slots (of each node), or --allocator"));
  EXPECT_EQ(plan({"--wait", "1s", "--skips", "3"}).exit_code, 2);
  EXPECT_EQ(plan({"--locality", "1"}).exit_code, 2);
  EXPECT_EQ(plan({"--task-time", "0s"}).exit_code, 2);
  EXPECT_EQ(plan({"--kind", "No Kind"}).exit_code, 2);
  for (const auto* rate : {"0", "-3", "inf"}) {
    EXPECT_THAT(plan({"--rate", rate}).err, HasSubstr("is wrong: write a number above 0")) << rate;
  }
  EXPECT_THAT(plan({"--skips", "-1"}).err, HasSubstr("-1 is wrong: write 0 or more"));
}

TEST(PlanCommand, AMeasuredReleaseRateTakesThePlaceOfSlotsOverTime) {
  EXPECT_THAT(plan({"--wait", "10s", "--rate", "27"}).out,
              HasSubstr("D  = W rho = 10 s x 27 a second = 270.0 slots to let pass"));
}

TEST(PlanCommand, SaysHowLongAShareTakesAndHowOftenLongTasksBlockData) {
  const auto ran = plan({"--share", "80", "--long", "0.9"});
  EXPECT_THAT(ran.out, HasSubstr("F T / S = 80 x 10 s / 800 = 1 s until"));
  EXPECT_THAT(ran.out, HasSubstr("phi^(R L) = 0.9^(3 x 8) = 0.0798"));
}

}  // namespace
}  // namespace proffer
