#include "proffer/formats/fair_scheduler_xml.hpp"

#include <gmock/gmock.h>

#include "proffer/formats/config.hpp"

namespace proffer {
namespace {

using ::testing::Contains;
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
  EXPECT_EQ(pool.share.min_share_timeout, 300s);
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
  EXPECT_EQ(all.allocator.pools[0].share.min_share,
            (Resources{{Kind("memory"), 10240}, {Kind("cpus"), 8000}}));
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
  EXPECT_EQ(pools[0].share.min_share, (Resources{{Kind("memory"), 10240}, {Kind("cpus"), 8000}}));
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
  EXPECT_EQ(wrong_in("<allocations>\n<pool name='a'>\n<weight>-1</weight></pool></allocations>"),
            "f.xml:3: pool a: weight is a number from 0, not \"-1\"");
  std::string deep = "<allocations>";
  for (int i = 0; i < 9; ++i) deep += "<queue name=\"q\">";
  for (int i = 0; i < 9; ++i) deep += "</queue>";
  EXPECT_EQ(wrong_in(deep + "</allocations>"),
            "f.xml:1: pool q.q.q.q.q.q.q.q.q: pools lie at most 8 deep in each other");
}

TEST(FairSchedulerXml, DefaultsCountForPoolsInFrontOfThem) {
  const auto all = imported(R"(
    <pool name="a"/> <pool name="b"><maxRunningJobs>9</maxRunningJobs></pool>
    <poolMaxJobsDefault>4</poolMaxJobsDefault>
    <defaultMinSharePreemptionTimeout>60</defaultMinSharePreemptionTimeout>
    <fairSharePreemptionTimeout>600</fairSharePreemptionTimeout>)");
  EXPECT_EQ(all.allocator.pools[0].share.max_running, 4u);
  EXPECT_EQ(all.allocator.pools[1].share.max_running, 9u);
  EXPECT_EQ(all.allocator.pools[0].share.min_share_timeout, 60s);
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
    <user name="ann"><maxApps>2</maxApps></user>
    <queuePlacementPolicy/>)");
  EXPECT_THAT(all.unsupported, ElementsAre("f.xml:3: pool \"a.b\" is called \"a_b\" here",
                                           "f.xml:3: pool a_b: maxResources is not supported, and left out",
                                           "f.xml:4: user ann: maxApps is not supported, and left out",
                                           "f.xml:5: queuePlacementPolicy is not supported, and left out"));
}

TEST(FairSchedulerXml, WhatCannotBeReadIsSaid) {
  EXPECT_THAT(wrong_in("<allocations>\n<pool></allocations>"), HasSubstr("f.xml:2: this is not XML"));
  EXPECT_THAT(wrong_in("<configuration/>"), HasSubstr("f.xml:1: a fair-scheduler.xml has <allocations>"));
  EXPECT_THAT(wrong_in("<?xml version=\"1.0\"?>"), HasSubstr("f.xml:1: there is no element"));
  EXPECT_EQ(wrong_in("<allocations><pool name=\"a\"><minMaps>many</minMaps></pool></allocations>"),
            "f.xml:1: pool a: minMaps is a whole number from 0, not \"many\"");
}

TEST(FairSchedulerXml, LinesAreThoseOfElementsAndNotOfWhatIsCommentedOut) {
  EXPECT_EQ(wrong_in("<?xml version=\"1.0\"?>\n<!-- <pool>\n <weight> -->\n<allocations>\n"
                     "<pool name=\"a\"/>\n<user name=\"ann\">\n<maxRunningJobs>\nx</maxRunningJobs></user>"
                     "</allocations>"),
            "f.xml:7: user ann: maxRunningJobs is a whole number from 0, not \"x\"");
}

TEST(FairSchedulerXml, LimitsOfSingleUsersAreTheirs) {
  const auto all = imported(R"(
    <user name="ann"><maxRunningJobs>9</maxRunningJobs></user>
    <user name="bob"><maxRunningApps>2</maxRunningApps></user>
    <user name="ann"><maxRunningJobs>3</maxRunningJobs></user>)");
  EXPECT_EQ(all.allocator.users, (std::vector<UserLimit>{{"bob", 2}, {"ann", 3}}));
  const auto config = parse_config(print_pools(all), "p.toml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->allocator.allocator.users, all.allocator.users);
}

TEST(FairSchedulerXml, ALimitOfZeroJobsIsNamedAndNoLimit) {
  const auto all = imported(R"(
    <pool name="a"><maxRunningJobs>0</maxRunningJobs></pool>
    <userMaxJobsDefault>0</userMaxJobsDefault>
    <user name="ann"><maxRunningJobs>0</maxRunningJobs></user>)");
  EXPECT_EQ(all.allocator.pools.at(0).share.max_running, 0u);
  EXPECT_THAT(all.allocator.users, IsEmpty());
  EXPECT_THAT(
      all.unsupported,
      ElementsAre("f.xml:3: pool a: maxRunningJobs 0 lets nothing run in Hadoop; here 0 is no limit, so "
                  "that is not supported, and left out: jobs do run",
                  HasSubstr("f.xml:4: userMaxJobsDefault 0"),
                  HasSubstr("f.xml:5: user ann: maxRunningJobs 0")));
}

TEST(FairSchedulerXml, DefaultsOfZeroJobsAreNamed) {
  const auto all = imported("<poolMaxJobsDefault>0</poolMaxJobsDefault><pool name=\"a\"/>");
  EXPECT_EQ(all.allocator.pools.at(0).share.max_running, 0u);
  EXPECT_THAT(all.unsupported, ElementsAre(HasSubstr("poolMaxJobsDefault 0 lets nothing run")));
  EXPECT_EQ(wrong_in("<allocations><queueMaxAppsDefault>few</queueMaxAppsDefault></allocations>"),
            "f.xml:1: queueMaxAppsDefault is a whole number from 0, not \"few\"");
}

TEST(FairSchedulerXml, DrfOfOneQueueAloneIsNamedAndFair) {
  const auto all = imported(R"(
    <queue name="a"/>
    <queue name="b"><schedulingPolicy>drf</schedulingPolicy></queue>)");
  EXPECT_EQ(all.allocator.share_by, ShareBy::kind);
  EXPECT_EQ(all.allocator.pools.at(1).share.order, PoolOrder::fair);
  EXPECT_THAT(all.unsupported,
              ElementsAre(HasSubstr("f.xml:4: pool b: schedulingPolicy drf is not supported")));
}

TEST(FairSchedulerXml, DrfByDefaultOrOfTheRootIsForAll) {
  const std::string queue = "<queue name=\"a\"><schedulingPolicy>drf</schedulingPolicy></queue>";
  const auto by_default =
      imported("<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>" + queue);
  EXPECT_EQ(by_default.allocator.share_by, ShareBy::dominant);
  EXPECT_THAT(by_default.unsupported, IsEmpty());
  const auto by_root = imported("<queue name=\"root\"><schedulingPolicy>drf</schedulingPolicy>" + queue +
                                "<queue name=\"b\"/></queue>");
  EXPECT_EQ(by_root.allocator.share_by, ShareBy::dominant);
  EXPECT_THAT(by_root.unsupported, ElementsAre(HasSubstr("drf counts for all pools here")));
}

TEST(FairSchedulerXml, FairBesideDrfIsNamed) {
  const auto all = imported(R"(<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>
    <queue name="a"><schedulingPolicy>fair</schedulingPolicy></queue>)");
  EXPECT_THAT(all.unsupported,
              ElementsAre(HasSubstr("f.xml:3: pool a: schedulingPolicy fair is not supported")));
}

TEST(FairSchedulerXml, PoliciesMayBeNamedByTheirClasses) {
  const std::string package = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.";
  const auto all =
      imported("<queue name=\"root\"><schedulingPolicy>" + package +
               "DominantResourceFairnessPolicy</schedulingPolicy><queue name=\"a\"><schedulingPolicy>" +
               package + "FifoPolicy</schedulingPolicy></queue><queue name=\"b\">" +
               "<schedulingPolicy>org.example.Lottery</schedulingPolicy></queue></queue>");
  EXPECT_EQ(all.allocator.share_by, ShareBy::dominant);
  EXPECT_EQ(all.allocator.pools.at(0).share.order, PoolOrder::fifo);
  EXPECT_THAT(all.unsupported, Contains(HasSubstr("pool b: schedulingPolicy org.example.Lottery is not")));
}

TEST(FairSchedulerXml, AWeightOfZeroIsTheSmallestThereIs) {
  const auto all = imported(
      "<queue name=\"a\"><weight>0</weight></queue>"
      "<queue name=\"b\"><weight>2e9</weight></queue>");
  EXPECT_EQ(all.allocator.pools.at(0).share.weight_milli, 1);
  EXPECT_EQ(all.allocator.pools.at(1).share.weight_milli, 1'000'000'000);
  EXPECT_THAT(
      all.unsupported,
      ElementsAre("f.xml:2: pool a: weight 0 is not supported: it is 0.001 here, the smallest there is",
                  HasSubstr("pool b: weight 2e9 is not supported: it is 1000000 here")));
}

TEST(FairSchedulerXml, ATimeoutOfZeroIsAsShortAsCanBe) {
  const auto all = imported(R"(<queue name="a">
    <minSharePreemptionTimeout>0</minSharePreemptionTimeout></queue>)");
  EXPECT_EQ(all.allocator.pools.at(0).share.min_share_timeout, 1s);
  EXPECT_THAT(all.unsupported,
              ElementsAre(HasSubstr("f.xml:3: pool a: minSharePreemptionTimeout 0 is at once")));
}

TEST(FairSchedulerXml, ThresholdsCountFromNobodyToTheWholeShare) {
  const std::string timeout = "<fairSharePreemptionTimeout>60</fairSharePreemptionTimeout>";
  const auto whole = imported(timeout + "<fairSharePreemptionThreshold>1.5</fairSharePreemptionThreshold>");
  EXPECT_EQ(whole.allocator.preemption.fair_share_threshold_milli, 1000);
  const auto nobody = imported(timeout + "<fairSharePreemptionThreshold>0</fairSharePreemptionThreshold>");
  EXPECT_FALSE(nobody.allocator.preemption.fair_share_timeout);
  EXPECT_THAT(nobody.unsupported, ElementsAre(HasSubstr("with a threshold of 0")));
}

TEST(FairSchedulerXml, FairShareTimeoutsBesideDrfAreNamedAsTheyWouldBeRefused) {
  const auto all = imported(
      "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
      "<fairSharePreemptionTimeout>60</fairSharePreemptionTimeout><queue name=\"a\"/>");
  EXPECT_THAT(all.unsupported, ElementsAre(HasSubstr("fairSharePreemptionTimeout together with drf")));
  EXPECT_TRUE(parse_config(print_pools(all), "p.toml"));
}

TEST(FairSchedulerXml, AQueueHasTheTimeoutOfTheQueueAroundIt) {
  const auto all = imported(
      "<defaultMinSharePreemptionTimeout>120</defaultMinSharePreemptionTimeout>"
      "<queue name=\"a\"><minSharePreemptionTimeout>10</minSharePreemptionTimeout><queue name=\"x\"/>"
      "<queue name=\"y\"><minSharePreemptionTimeout>5</minSharePreemptionTimeout></queue></queue>"
      "<queue name=\"b\"/>");
  std::vector<Duration> timeouts;
  for (const auto& pool : all.allocator.pools) timeouts.push_back(pool.share.min_share_timeout.value());
  using std::chrono::seconds;
  EXPECT_THAT(timeouts, ElementsAre(seconds(10), seconds(10), seconds(5), seconds(120)));
}

TEST(FairSchedulerXml, MinSharesThatCannotBeReadAreLeftOutWhole) {
  for (const std::string wrong : {"5 vcores, X mb", "2vcores junk", "2 vcores 3 mb", "5 mb, 6 mb"}) {
    const auto all = imported("<queue name=\"a\"><minResources>" + wrong + "</minResources></queue>");
    EXPECT_THAT(all.allocator.pools.at(0).share.min_share, IsEmpty()) << wrong;
    EXPECT_THAT(all.unsupported, ElementsAre(HasSubstr("minResources \"" + wrong + "\""))) << wrong;
  }
  for (const std::string good : {"2vcores,10mb", "10.0 MB, 2 Vcores", "vcores=2, memory-mb=10"}) {
    const auto all = imported("<queue name=\"a\"><minResources>" + good + "</minResources></queue>");
    EXPECT_EQ(all.allocator.pools.at(0).share.min_share,
              (Resources{{Kind("memory"), 10}, {Kind("cpus"), 2000}}));
  }
}

TEST(FairSchedulerXml, OfAPoolThatStandsTwiceTheLaterSettingsCount) {
  const auto all = imported(R"(
    <pool name="a"><minMaps>5</minMaps><weight>2</weight></pool>
    <pool name="a"><weight>3</weight></pool>)");
  ASSERT_EQ(all.allocator.pools.size(), 1u);
  EXPECT_EQ(all.allocator.pools[0].share.weight_milli, 3000);
  EXPECT_EQ(all.allocator.pools[0].share.min_share, (Resources{{kMaps, 5}}));
  EXPECT_THAT(all.unsupported, ElementsAre(HasSubstr("f.xml:4: pool a stands in line 3 already")));
}

TEST(FairSchedulerXml, ATimeoutWithinAFifoQueueIsNamed) {
  const auto all = imported(R"(<queue name="a"><schedulingPolicy>fifo</schedulingPolicy><queue name="b">
    <minSharePreemptionTimeout>9</minSharePreemptionTimeout></queue></queue>)");
  EXPECT_FALSE(all.allocator.pools.at(1).share.min_share_timeout);
  EXPECT_THAT(all.unsupported,
              ElementsAre(HasSubstr("f.xml:3: pool a.b: minSharePreemptionTimeout in a fifo")));
}

TEST(FairSchedulerXml, FifoByDefaultIsForJobsAndNotForQueuesOfQueues) {
  const auto all = imported(R"(<defaultPoolSchedulingMode>fifo</defaultPoolSchedulingMode>
    <queue name="a"><queue name="b"/></queue>)");
  EXPECT_EQ(all.allocator.pools.at(0).share.order, PoolOrder::fair);
  EXPECT_EQ(all.allocator.pools.at(1).share.order, PoolOrder::fifo);
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
