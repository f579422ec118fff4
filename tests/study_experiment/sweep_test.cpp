#include "tests/study_experiment/vocabulary.hpp"

namespace proffer::study {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

TEST(Sweep, WithoutOneThereIsOneCellWithoutAName) {
  const auto all = cells(good(small()));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, "");
  EXPECT_EQ(all[0].folder, "all");
}

TEST(Sweep, EveryCombinationIsACellAndTheLastKeyGoesFastest) {
  const auto experiment =
      good(small("", "[sweep]\n\"store.replication\" = [1, 2]\n\"cluster.racks\" = [3, 4, 5]\n"));
  EXPECT_THAT(names_of(experiment),
              ElementsAre("replication=1 racks=3", "replication=1 racks=4", "replication=1 racks=5",
                          "replication=2 racks=3", "replication=2 racks=4", "replication=2 racks=5"));
  const auto plan = plan_of(experiment, "replication=2 racks=4");
  EXPECT_EQ(plan.replication, 2u);
  EXPECT_EQ(plan.nodes.size(), 12u);
}

TEST(Sweep, DottedKeysNeedNoQuotes) {
  const auto experiment = good(small("", "[sweep]\nallocator.latency = [\"1ms\", \"2ms\"]\n"));
  EXPECT_EQ(plan_of(experiment, "latency=2ms").latency, 2ms);
}

TEST(Sweep, AVariableIsPutInWhereItIsNamed) {
  const auto text = small("", "[sweep]\nnode_wait = [\"0s\", \"5s\"]\njobs = [5, 50]\n");
  auto with = text;
  with.replace(with.find("jobs = 4"), 8, "jobs = \"${jobs}\"");
  with.replace(with.find("count = 2"), 9, "policy = \"wait,node_wait=${node_wait},rack_wait=${node_wait}\"");
  const auto plan = plan_of(good(with), "node_wait=5s jobs=50");
  EXPECT_EQ(plan.workload.jobs.size(), 50u);
  EXPECT_EQ(plan.frameworks[0].policy.settings.at("rack_wait"), "5s");
}

TEST(Sweep, APolicyIsCalledAsItIsWrittenOnALine) {
  const auto experiment = good(small("",
                                     "[sweep]\n\"framework.policy\" = [\"greedy\", "
                                     "{ name = \"skip\", node_skips = 20 }]\n"));
  EXPECT_THAT(names_of(experiment), ElementsAre("policy=greedy", "policy=skip,node_skips=20"));
  EXPECT_EQ(plan_of(experiment, "policy=skip,node_skips=20").frameworks[0].policy.settings.at("node_skips"),
            "20");
}

TEST(Sweep, OneOfSeveralTablesIsFoundByItsName) {
  const auto experiment = good(small("",
                                     "[[framework]]\nname = \"prod.etl\"\n[sweep]\n"
                                     "\"framework.prod.etl.policy\" = [\"wait\"]\n"));
  const auto plan = plan_of(experiment, "policy=wait");
  EXPECT_EQ(plan.frameworks[0].policy.name, "greedy");
  EXPECT_EQ(plan.frameworks[2].policy.name, "wait");
}

TEST(NamedCell, SetsWhatItNamesAndIsCrossedWithTheSweep) {
  const auto experiment = good(small("", R"(
[[cell]]
name = "static"
set = { "allocator.partition" = "static" }
[[cell]]
name = "no delay"
[sweep]
"store.replication" = [2, 3]
)"));
  EXPECT_THAT(names_of(experiment), ElementsAre("static replication=2", "static replication=3",
                                                "no delay replication=2", "no delay replication=3"));
  EXPECT_EQ(cells(experiment)[3].folder, "no_delay_replication=3");
  EXPECT_EQ(plan_of(experiment, "static replication=2").allocator.pools.size(), 2u);
  EXPECT_EQ(plan_of(experiment, "no delay replication=3").allocator.pools.size(), 0u);
}

TEST(Folder, NamesAreSafeAndUnique) {
  const auto experiment = good(small("",
                                     "[[cell]]\nname = \"../a\"\n[[cell]]\nname = \"..:a\"\n"
                                     "[[cell]]\nname = \"summary.json\"\n[[cell]]\nname = \"-x\"\n"));
  std::vector<std::string> folders;
  for (const auto& cell : cells(experiment)) folders.push_back(cell.folder);
  EXPECT_THAT(folders, ElementsAre("_._a", "_._a_2", "summary.json_2", "_x"));
}

TEST(Override, ChangesASetting) {
  EXPECT_EQ(plan_of(good(small(), {"store.replication=1"})).replication, 1u);
  EXPECT_EQ(plan_of(good(small(), {"horizon=2h"})).horizon, 2h);
  EXPECT_EQ(good(small(), {"seeds.count=4"}).seed_count, 4u);
}

TEST(Override, LeavesOneValueOfWhatIsSwept) {
  const auto text = small("", "[sweep]\n\"store.replication\" = [1, 2]\n\"cluster.racks\" = [3, 4]\n");
  EXPECT_THAT(names_of(good(text, {"store.replication=5"})),
              ElementsAre("replication=5 racks=3", "replication=5 racks=4"));
}

TEST(Override, GoesBeforeWhatACellSets) {
  const auto text =
      small("", "[[cell]]\nname = \"a\"\nset = { framework.policy = \"wait\" }\n[[cell]]\nname = \"b\"\n");
  const auto experiment = good(text, {"framework.policy=skip,node_skips=3"});
  EXPECT_EQ(plan_of(experiment, "a").frameworks[0].policy.name, "skip");
  EXPECT_EQ(plan_of(experiment, "b").frameworks[0].policy.name, "skip");
}

TEST(Override, GivesAVariableItsValue) {
  auto text = small();
  text.replace(text.find("jobs = 4"), 8, "jobs = \"${jobs}\"");
  EXPECT_THAT(names_of(good(text, {"jobs=7"})), ElementsAre("jobs=7"));
}

TEST(Override, ClaimsAboutCellsThatAreGoneAreLeftOut) {
  const auto text =
      small("",
            "[sweep]\n\"store.replication\" = [1, 2]\n[[check]]\nexpr = \"a{replication=1} > 0\"\n"
            "[[check]]\nexpr = \"a > 0\"\n[report]\nbaseline = \"1\"\n"
            "[[paper]]\ncell = \"1\"\nmeasure = \"a\"\nvalue = 3\n");
  EXPECT_EQ(good(text).checks.size(), 2u);
  const auto experiment = good(text, {"store.replication=2"});
  EXPECT_EQ(experiment.checks.size(), 1u);
  EXPECT_TRUE(experiment.paper.empty());
  EXPECT_EQ(experiment.report.baseline, "");
}

}  // namespace
}  // namespace proffer::study
