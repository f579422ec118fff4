#include "proffer/formats/fair_scheduler_xml.hpp"

#include <gmock/gmock.h>

#include "proffer/formats/config.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

const Kind kMaps("map");
const Kind kReduces("reduce");

ImportedPools imported(const std::string& inside) {
  auto result = import_fair_scheduler_xml(
      "<?xml version=\"1.0\"?>\n<allocations>" + inside + "</allocations>", "f.xml");
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : ImportedPools{};
}
std::string wrong_in(const std::string& text) {
  return import_fair_scheduler_xml(text, "f.xml").error().message;
}

TEST(FairSchedulerXml, PoolsOfHadoop1AreRead) {
  const auto all = imported(R"(
    <pool name="research">
      <minMaps>5</minMaps> <minReduces>2</minReduces>
      <maxRunningJobs>3</maxRunningJobs> <weight>2.5</weight>
      <schedulingMode>fifo</schedulingMode>
      <minSharePreemptionTimeout>300</minSharePreemptionTimeout>
    </pool>)");
  ASSERT_EQ(all.allocator.pools.size(), 1u);
  const auto& pool = all.allocator.pools[0];
  EXPECT_EQ(pool.share.name, "research");
  EXPECT_EQ(pool.share.min_share, (Resources{{kMaps, 5}, {kReduces, 2}}));
  EXPECT_EQ(pool.share.max_running, 3u);
  EXPECT_EQ(pool.share.weight_milli, 2500);
  EXPECT_EQ(pool.share.order, PoolOrder::fifo);
  EXPECT_EQ(pool.min_share_timeout, 300s);
  EXPECT_THAT(all.unsupported, IsEmpty());
}

TEST(FairSchedulerXml, QueuesOfYarnLieWithinEachOther) {
  const auto all = imported(R"(
    <queue name="root">
      <schedulingPolicy>drf</schedulingPolicy>
      <queue name="sales"><minResources>10240 mb, 8 vcores</minResources>
        <queue name="eu"><maxRunningApps>7</maxRunningApps></queue>
      </queue>
    </queue>)");
  ASSERT_EQ(all.allocator.pools.size(), 2u);
  EXPECT_EQ(all.allocator.pools[0].share.min_share, (Resources{{Kind("mem"), 10240}, {Kind("cpus"), 8}}));
  EXPECT_EQ(all.allocator.pools[1].share.name, "sales.eu");
  EXPECT_EQ(all.allocator.pools[1].share.max_running, 7u);
  EXPECT_EQ(all.allocator.share_by, ShareBy::dominant);
}

TEST(FairSchedulerXml, QueuesOfYarnArePrintedAsAConfigurationThatIsRead) {
  const auto text = print_pools(imported(R"(
    <queue name="root">
      <schedulingPolicy>drf</schedulingPolicy> <weight>2</weight> <minResources>9 mb</minResources>
      <queue name="sales"><minResources>10240 mb, 8 vcores</minResources>
        <minSharePreemptionTimeout>60</minSharePreemptionTimeout>
        <queue name="eu"><schedulingPolicy>fifo</schedulingPolicy>
          <queue name="fr"><minResources>1 vcores</minResources></queue>
        </queue>
      </queue>
    </queue>
    <defaultFairSharePreemptionThreshold>1.0</defaultFairSharePreemptionThreshold>)"));
  const auto config = parse_config(text, "p.toml");
  ASSERT_TRUE(config) << config.error().message << "\n" << text;
  const auto& pools = config->allocator.allocator.pools;
  ASSERT_EQ(pools.size(), 3u);
  EXPECT_EQ(pools[0].share.min_share, (Resources{{Kind("mem"), 10240}, {Kind("cpus"), 8}}));
}

TEST(FairSchedulerXml, WhatWouldDoNothingIsNamed) {
  const auto all = imported(R"(
    <queue name="root"><weight>2</weight>
      <queue name="a"><schedulingPolicy>fifo</schedulingPolicy>
        <queue name="b"><minResources>1 vcores</minResources></queue>
      </queue>
    </queue>)");
  EXPECT_THAT(all.unsupported,
              ElementsAre(HasSubstr("pool root: weight"), HasSubstr("pool a.b: a min share")));
  EXPECT_THAT(all.allocator.pools[1].share.min_share, IsEmpty());
}

TEST(FairSchedulerXml, WhatIsOutOfRangeIsSaid) {
  EXPECT_EQ(
      wrong_in("<allocations><fairSharePreemptionThreshold>1.5</fairSharePreemptionThreshold></allocations>"),
      "f.xml: fairSharePreemptionThreshold is a number above 0 and at most 1, not \"1.5\"");
  std::string deep = "<allocations>";
  for (int i = 0; i < 9; ++i) deep += "<queue name=\"q\">";
  for (int i = 0; i < 9; ++i) deep += "</queue>";
  EXPECT_EQ(wrong_in(deep + "</allocations>"),
            "f.xml: pool q.q.q.q.q.q.q.q.q: pools lie at most 8 deep in each other");
}

TEST(FairSchedulerXml, DefaultsCountForPoolsInFrontOfThem) {
  const auto all = imported(R"(
    <pool name="a"/> <pool name="b"><maxRunningJobs>9</maxRunningJobs></pool>
    <poolMaxJobsDefault>4</poolMaxJobsDefault>
    <defaultMinSharePreemptionTimeout>60</defaultMinSharePreemptionTimeout>
    <fairSharePreemptionTimeout>600</fairSharePreemptionTimeout>)");
  EXPECT_EQ(all.allocator.pools[0].share.max_running, 4u);
  EXPECT_EQ(all.allocator.pools[1].share.max_running, 9u);
  EXPECT_EQ(all.allocator.pools[0].min_share_timeout, 60s);
  EXPECT_EQ(all.allocator.preemption.fair_share_timeout, 600s);
}

TEST(FairSchedulerXml, LimitsOfUsersOverAllPoolsAreTheRoots) {
  const auto all = imported("<userMaxJobsDefault>5</userMaxJobsDefault><pool name=\"a\"/>");
  ASSERT_EQ(all.allocator.pools.size(), 2u);
  EXPECT_EQ(all.allocator.pools[0].share.name, "");
  EXPECT_EQ(all.allocator.pools[0].share.max_running_per_user, 5u);
}

TEST(FairSchedulerXml, WhatHasNoCounterpartIsNamed) {
  const auto all = imported(R"(
    <queue name="a.b"><maxResources>1 mb, 1 vcores</maxResources></queue>
    <user name="ann"><maxRunningApps>2</maxRunningApps></user>
    <queuePlacementPolicy/>)");
  EXPECT_THAT(all.unsupported,
              ElementsAre(HasSubstr("\"a.b\" is called \"a_b\" here"), HasSubstr("maxResources"),
                          HasSubstr("user ann"), HasSubstr("queuePlacementPolicy")));
}

TEST(FairSchedulerXml, WhatCannotBeReadIsSaid) {
  EXPECT_THAT(wrong_in("<allocations>\n<pool></allocations>"), HasSubstr("f.xml:2: this is not XML"));
  EXPECT_THAT(wrong_in("<configuration/>"), HasSubstr("<allocations> around all"));
  EXPECT_EQ(wrong_in("<allocations><pool name=\"a\"><minMaps>many</minMaps></pool></allocations>"),
            "f.xml: pool a: minMaps is a whole number from 0, not \"many\"");
}

TEST(FairSchedulerXml, WhatIsPrintedCanBeReadAsAConfiguration) {
  const auto text = print_pools(imported(R"(
    <userMaxJobsDefault>5</userMaxJobsDefault>
    <pool name="a"><minMaps>5</minMaps><weight>0.5</weight></pool>
    <fairSharePreemptionTimeout>600</fairSharePreemptionTimeout>)"));
  const auto config = parse_config(text, "p.toml");
  ASSERT_TRUE(config) << config.error().message << "\n" << text;
  const auto& pools = config->allocator.allocator.pools;
  ASSERT_EQ(pools.size(), 2u);
  EXPECT_EQ(pools[0].share.max_running_per_user, 5u);
  EXPECT_EQ(pools[1].share.weight_milli, 500);
  EXPECT_EQ(config->allocator.allocator.preemption.fair_share_timeout, 600s);
}

}  // namespace
}  // namespace proffer
