#include "proffer/study/experiment.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/study_experiment/vocabulary.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

TEST(Speculation, IsOffUnlessTheFrameworkWantsIt) {
  const auto usual = plan_of(good(small())).frameworks.at(0).speculation;
  EXPECT_FALSE(usual.on);
  EXPECT_EQ(usual.after, 60s);
  const auto set =
      plan_of(good(small(), {"framework.speculative=true", "framework.speculative_cap=0.25",
                             "framework.speculative_slowness=2", "framework.speculative_after=15s"}))
          .frameworks.at(0)
          .speculation;
  EXPECT_TRUE(set.on);
  EXPECT_EQ(set.cap_milli, 250);
  EXPECT_EQ(set.slowness_milli, 2000);
  EXPECT_EQ(set.after, 15s);
  EXPECT_THAT(wrong(small(), {"framework.speculative_slowness=1"}),
              testing::HasSubstr("the slowness must be above 1"));
}

TEST(Experiment, TheTopOfTheFileIsRead) {
  const auto experiment =
      good(small("schema = 1\ntitle = \"Side by side\"\nmode = \"live\"\n"
                 "seeds = { from = 5, count = 3 }\n"));
  EXPECT_EQ(experiment.name, "small");
  EXPECT_EQ(experiment.title, "Side by side");
  EXPECT_TRUE(experiment.live);
  EXPECT_EQ(experiment.first_seed, 5u);
  EXPECT_EQ(experiment.seed_count, 3u);
}

TEST(Experiment, SeedsMayBeAddedUntilAFigureIsKnown) {
  const auto rule =
      good(small("seeds = { count = 5, until = \"2%\", of = \"makespan\", most = 40 }\n")).until;
  EXPECT_DOUBLE_EQ(rule.precision, 0.02);
  EXPECT_EQ(rule.measure, "makespan");
  EXPECT_EQ(rule.most, 40u);
}

TEST(Experiment, SeedsMayBeACount) { EXPECT_EQ(good(small("seeds = 10\n")).seed_count, 10u); }

TEST(Plan, NodesAreNamedByRackAndSorted) {
  const auto plan = plan_of(good(small()));
  ASSERT_EQ(plan.nodes.size(), 6u);
  EXPECT_EQ(plan.nodes[0].name, "r1n1");
  EXPECT_EQ(plan.nodes[5].name, "r2n3");
  EXPECT_EQ(plan.nodes[5].rack, "r2");
  EXPECT_EQ(plan.nodes[5].slots[Kind("map")], 4);
}

TEST(Plan, InputNodesArePlacesOfTheBlocks) {
  const auto plan = plan_of(good(small("",
                                       "[[workload]]\nname = \"hot\"\nbins = [{ maps = 2 }]\n"
                                       "input_nodes = [\"r1n2\"]\n")));
  EXPECT_EQ(plan.workload.files.back().blocks.size(), 2u);
  EXPECT_THAT(plan.workload.files.back().blocks.back().nodes, ElementsAre("r1n2"));
}

TEST(Plan, AnyNumberOfNodesIsSpreadOverTheRacks) {
  const auto plan = plan_of(good(small(), {"cluster={ racks = 4, nodes = 93, slots = { map = 4 } }"}));
  ASSERT_EQ(plan.nodes.size(), 93u);
  EXPECT_EQ(std::count_if(plan.nodes.begin(), plan.nodes.end(), [](auto& node) { return node.rack == "r1"; }),
            23);
  EXPECT_EQ(plan.nodes.back().name, "r4n24");
}

TEST(Plan, NodesMayBeListed) {
  const auto text = small("",
                          "[[cluster.node]]\nname = \"a\"\nrack = \"x\"\n[[cluster.node]]\nname = \"b\"\n"
                          "slots = { map = 1 }\n");
  auto listed = text;
  listed.erase(listed.find("nodes_per_rack"), std::string("nodes_per_rack = 3\n").size());
  const auto plan = plan_of(good(listed));
  ASSERT_EQ(plan.nodes.size(), 2u);
  EXPECT_EQ(plan.nodes[0].rack, "x");
  EXPECT_EQ(plan.nodes[0].slots[Kind("map")], 4);
  EXPECT_EQ(plan.nodes[1].slots[Kind("map")], 1);
}

TEST(Plan, JobsAreDealtOutInTurn) {
  const auto plan = plan_of(good(small()));
  ASSERT_EQ(plan.frameworks.size(), 2u);
  std::vector<std::string> frameworks;
  for (const auto& job : plan.workload.jobs) frameworks.push_back(job.framework);
  EXPECT_THAT(frameworks, ElementsAre("hadoop-0", "hadoop-1", "hadoop-0", "hadoop-1"));
}

TEST(Plan, AWorkloadMayBeForSomeFrameworksOnly) {
  const auto plan = plan_of(good(small(), {"workload.frameworks=[\"hadoop-1\"]"}));
  EXPECT_THAT(plan.workload.jobs, Each(Field(&WorkloadJob::framework, "hadoop-1")));
}

TEST(Plan, AFrameworksJobsAreFairUnlessItSaysOtherwise) {
  EXPECT_EQ(plan_of(good(small())).frameworks[0].sharing.mode, PoolOrder::fair);
  EXPECT_EQ(plan_of(good(small(), {"framework.mode=fifo"})).frameworks[1].sharing.mode, PoolOrder::fifo);
}

TEST(Plan, AFrameworkMayLimitTheUsersOfItsJobs) {
  const auto plan = plan_of(good(small(), {"framework.mode=capacity", "framework.user_limit=25"}));
  EXPECT_EQ(plan.frameworks[1].sharing.user_limit, 25u);
  EXPECT_EQ(plan_of(good(small())).frameworks[0].sharing.user_limit, kNoUserLimit);
}

TEST(Plan, JobsAreDealtOutAmongPoolsAndUsers) {
  const auto plan =
      plan_of(good(small(), {"workload.pools=[\"a\",\"b\"]", "workload.users=[\"u\",\"v\",\"w\"]",
                             "framework.pools=[{name=\"a\"},{name=\"b\"}]"}));
  const auto& jobs = plan.workload.jobs;
  ASSERT_GT(jobs.size(), 2u);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(jobs[i].pool, i % 2 == 0 ? "a" : "b");
    EXPECT_EQ(jobs[i].user, std::string(1, static_cast<char>('u' + i % 3)));
  }
}

TEST(Plan, JobsAreOnlyDealtOutAmongPoolsThatThereAre) {
  EXPECT_THAT(wrong(small(), {"workload.pools=[\"a\",\"c\"]", "framework.pools=[{name=\"a\"},{name=\"b\"}]"}),
              ::testing::HasSubstr("unknown pool \"c\""));
}

// Central HFS: one framework with pools inside.
TEST(Plan, AFrameworkMayHavePoolsOfJobs) {
  const auto plan = plan_of(good(
      small(),
      {"framework.pools=[{ name = \"a\", order = \"fifo\" }, { name = \"b\", min_share = { map = 3 } }]"}));
  const auto& pools = plan.frameworks[0].sharing.pools;
  ASSERT_EQ(pools.size(), 2u);
  EXPECT_EQ(pools[0].order, PoolOrder::fifo);
  EXPECT_EQ(pools[1].min_share[Kind("map")], 3);
}

TEST(Plan, AFrameworkPreemptsAmongItsOwnPools) {
  const auto plan = plan_of(good(
      small(), {R"(framework.pools=[{ name = "p", min_share_timeout = "20s" }])", "framework.preemption=log",
                "framework.fair_share_timeout=30s", "framework.fair_share_threshold=0.25"}));
  const auto& framework = plan.frameworks.at(0);
  EXPECT_EQ(framework.sharing.preemption.mode, PreemptionMode::log);
  EXPECT_EQ(framework.sharing.preemption.fair_share_timeout, std::chrono::seconds(30));
  EXPECT_EQ(framework.sharing.preemption.fair_share_threshold_milli, 250);
  EXPECT_EQ(framework.sharing.pools.at(0).min_share_timeout, std::chrono::seconds(20));
  EXPECT_EQ(plan.allocator.preemption.mode, PreemptionMode::off);
}

TEST(Plan, FrameworksAndUsersOfThemHaveLimitsAlike) {
  const auto plan = plan_of(good(small("", "[[user]]\nname = \"ann\"\nmax_running = 1\n"),
                                 {"framework.users=[{ name = \"bob\", max_running = 2 }]"}));
  EXPECT_THAT(plan.allocator.users, ElementsAre(UserLimit{"ann", 1}));
  EXPECT_THAT(plan.frameworks.at(1).sharing.users, ElementsAre(UserLimit{"bob", 2}));
  EXPECT_THAT(wrong(small(), {"framework.users=[{ name = \"bob\" }]"}), HasSubstr("needs max_running"));
}

TEST(Plan, SharesMayBeDominantAtBothLevels) {
  const auto plan = plan_of(good(small(), {"framework.share_by=dominant", "allocator.share_by=dominant"}));
  EXPECT_EQ(plan.frameworks.at(0).sharing.share_by, ShareBy::dominant);
  EXPECT_EQ(plan.allocator.share_by, ShareBy::dominant);
}

TEST(Plan, TimeoutsOfFairSharesDoNotGoWithDominantOnes) {
  for (const std::string section : {"framework", "allocator"}) {
    EXPECT_THAT(wrong(small(), {section + ".share_by=dominant", section + ".fair_share_timeout=30s"}),
                HasSubstr("fair_share_timeout does not go with share_by \"dominant\""));
  }
}

TEST(Plan, PreemptionIsTheAllocators) {
  const auto plan = plan_of(good(small("", "[[pool]]\nname = \"p\"\nmin_share_timeout = \"20s\"\n"),
                                 {"allocator.preemption=on", "allocator.fair_share_timeout=30s"}));
  EXPECT_EQ(plan.allocator.preemption.mode, PreemptionMode::on);
  EXPECT_EQ(plan.allocator.preemption.fair_share_timeout, std::chrono::seconds(30));
  EXPECT_EQ(plan.allocator.pools.at(0).share.min_share_timeout, std::chrono::seconds(20));
}

TEST(Plan, SettingsReachTheirPlaces) {
  const auto plan = plan_of(good(small("horizon = \"2h\"\nwarm_up = \"10m\"\ndrain = \"5m\"\n", R"(
[cost]
reading = "penalty"
start_up = "2s"
remote_rate = "22MB/s"
nic_rate = "unlimited"
any_factor = 1.5
[store]
replication = 2
block_size = "64MiB"
placement = "random"
[allocator]
offer_timeout = "10s"
latency = "3ms"
report_period = "5.5s"
)")));
  EXPECT_EQ(plan.horizon, 2h);
  EXPECT_EQ(plan.warm_up, 10min);
  EXPECT_EQ(plan.drain, 5min);
  EXPECT_EQ(plan.cost.reading, CostModel::Reading::penalty);
  EXPECT_EQ(plan.cost.start_up, 2s);
  EXPECT_EQ(plan.cost.remote_rate, 22'000'000u);
  EXPECT_EQ(plan.cost.nic_rate, 0u);
  EXPECT_EQ(plan.cost.any_factor_milli, 1500);
  EXPECT_EQ(plan.replication, 2u);
  EXPECT_EQ(plan.placement, Placement::random);
  EXPECT_EQ(plan.workload.files[0].blocks[0].bytes, 64u << 20);
  EXPECT_EQ(plan.allocator.offer_timeout, 10s);
  EXPECT_EQ(plan.latency, 3ms);
  EXPECT_EQ(plan.allocator.report_period, 5500ms);
}

TEST(Plan, NodesOfAKindAreNumberedAndDealtOutOverTheRacks) {
  auto text = small();
  text.replace(text.find("racks = 2"), text.find("[[framework]]") - text.find("racks = 2"), R"(racks = 2
slots = { map = 4 }
[[cluster.node]]
name = "old"
count = 3
speed = 0.5
disk_rate = "100MB/s"
[[cluster.node]]
name = "new"
count = 2
slots = { map = 8 }
nic_rate = "unlimited"
[[cluster.node]]
name = "odd"
rack = "r7"
)");
  std::vector<std::string> names;
  const auto nodes = plan_of(good(text)).nodes;
  for (const auto& node : nodes) names.push_back(node.name + " " + node.rack);
  EXPECT_THAT(names, ElementsAre("old-0 r1", "old-1 r2", "old-2 r1", "new-0 r1", "new-1 r2", "odd r7"));
  EXPECT_EQ(nodes[2].speed_milli, 500);
  EXPECT_EQ(nodes[2].disk_rate, 100'000'000u);
  EXPECT_EQ(nodes[2].nic_rate, std::nullopt);
  EXPECT_EQ(nodes[3].nic_rate, 0u);
  EXPECT_EQ(nodes[3].slots[Kind("map")], 8);
  EXPECT_EQ(nodes[3].speed_milli, 1000);
  EXPECT_EQ(plan_of(good(text, {"cluster.node.old.speed=0.25"})).nodes[0].speed_milli, 250);
}

TEST(Plan, HeartbeatsAreOffUntilSomethingCanBreak) {
  EXPECT_EQ(plan_of(good(small())).heartbeat, 0s);
  const auto faults = "cluster.faults=[{ at = \"20m\", kill = \"r1n2\", for = \"5m\" }]";
  const auto plan = plan_of(good(small(), {faults}));
  EXPECT_EQ(plan.heartbeat, 1s);
  ASSERT_EQ(plan.faults.size(), 1u);
  EXPECT_EQ(plan.faults[0].target, "r1n2");
  EXPECT_EQ(plan.faults[0].lasting, 5min);
  EXPECT_EQ(plan_of(good(small(), {"allocator.heartbeat=3s"})).allocator.disconnected_after, 15s);
}

TEST(Plan, APolicyIsATextOrATable) {
  for (const auto* policy :
       {"wait,node_wait=5s,reset=never", "{ name = \"wait\", node_wait = \"5s\", reset = \"never\" }"}) {
    const auto plan = plan_of(good(small(), {std::string("framework.policy=") + policy}));
    EXPECT_EQ(plan.frameworks[1].policy.name, "wait");
    EXPECT_EQ(plan.frameworks[1].policy.settings,
              (std::map<std::string, std::string>{{"node_wait", "5s"}, {"reset", "never"}}));
  }
}

TEST(Plan, AStaticPartitionGivesEachFrameworkItsOwnNodes) {
  const auto plan = plan_of(good(small(), {"allocator.partition=static"}));
  ASSERT_EQ(plan.allocator.pools.size(), 2u);
  EXPECT_THAT(plan.allocator.pools[0].agents, ElementsAre("r1n1", "r1n2", "r1n3"));
  EXPECT_THAT(plan.allocator.pools[1].agents, ElementsAre("r2n1", "r2n2", "r2n3"));
  EXPECT_EQ(plan.frameworks[1].pool, plan.allocator.pools[1].share.name);
}

TEST(Plan, AStaticPartitionKeepsThePoolsAbove) {
  const auto pools = "[[pool]]\nname = \"research\"\nweight = 2.5\n";
  const auto plan =
      plan_of(good(small("", pools), {"allocator.partition=static", "framework.pool=research"}));
  EXPECT_EQ(plan.frameworks[0].pool, "research.static-hadoop-0");
  EXPECT_EQ(plan.allocator.pools[0].share.weight_milli, 2500);
}

TEST(Plan, APolicyNeverChangesTheWork) {
  const auto experiment = good(small("",
                                     "[sweep]\n\"framework.policy\" = [\"greedy\", \"wait\"]\n"
                                     "\"cluster.racks\" = [1, 2]\n"));
  const auto a = plan_of(experiment, "policy=greedy racks=1", 7).workload;
  const auto b = plan_of(experiment, "policy=wait racks=2", 7).workload;
  const auto c = plan_of(experiment, "policy=greedy racks=1", 8).workload;
  const auto first = [](const Workload& workload) { return workload.jobs[3].maps[4].compute; };
  EXPECT_EQ(first(a), first(b));
  EXPECT_NE(first(a), first(c));
}

TEST(Plan, SeveralWorkloadsBecomeOne) {
  const auto plan = plan_of(good(small("",
                                       "[[workload]]\nname = \"late\"\nstart = \"118s\"\npool = \"p3\"\n"
                                       "arrivals = { process = \"fixed\", gap = \"1s\" }\n"
                                       "map_time = \"12s\"\nsetup = \"uniform(15s, 18s)\"\n"
                                       "bins = [{ name = \"short\", maps = 800, jobs = 3 }]\n")));
  ASSERT_EQ(plan.workload.jobs.size(), 7u);
  const auto& last = plan.workload.jobs.back();
  EXPECT_EQ(last.name, "late-003");
  EXPECT_EQ(last.submit, 120s);
  EXPECT_EQ(last.pool, "p3");
  EXPECT_EQ(last.bin, "short");
  EXPECT_EQ(last.maps[0].compute, 12s);
  EXPECT_GE(last.setup, 15s);
}

std::string shared_data() {
  if (const auto* folder = std::getenv("PROFFER_SHARED")) return folder;
  return PROFFER_SOURCE_DIR "/../shared";
}

TEST(Plan, ATraceIsReadFromBesideTheFile) {
  const auto trace = "data/swim/FB-2009_samples_24_times_1hr_0.tsv";
  if (!std::ifstream(shared_data() + "/" + trace)) GTEST_SKIP() << "the trace is not here";
  auto text =
      small("", "[[workload]]\nscale = { jobs = 0.5 }\ntrace = \"swim:" + std::string(trace) + "\"\n");
  const auto experiment = parse_experiment(text, "e.toml", shared_data());
  ASSERT_TRUE(experiment) << experiment.error().message;
  const auto plan = make_plan(*experiment, cells(*experiment)[0], 1);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_GT(plan->workload.jobs.size(), 2900u);
  EXPECT_LT(plan->workload.jobs.size(), 3000u);
}

}  // namespace
}  // namespace proffer::study
