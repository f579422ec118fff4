// Pools that change while frameworks run in them.
#include "proffer/limits.hpp"
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

AllocatorPool plain_pool(const std::string& name, std::int64_t weight_milli = 1000) {
  AllocatorPool pool;
  pool.share.name = name;
  pool.share.weight_milli = weight_milli;
  return pool;
}

class Pools : public ::testing::Test {
 protected:
  explicit Pools(AllocatorConfig config = with_pools({plain_pool("red"), plain_pool("blue")}))
      : stage(config) {}

  AdminDone answer() {
    auto answers = stage.take<AdminDone>("operator");
    return answers.size() == 1 ? answers.front() : AdminDone{0, Error{ErrorCode::type, "no answer"}, ""};
  }
  AdminDone change(const std::string& verb, const std::string& pool, ChangePool settings = {}) {
    settings.request = 7;
    settings.verb = verb;
    settings.pool = pool;
    stage.say_first("operator", settings);
    return answer();
  }
  std::string refusal(const AdminDone& done) { return done.error ? done.error->message : "it is done"; }
  AdminDone read(std::vector<AllocatorPool> pools) {
    stage.step(PoolsRead{stage.client("operator").peer, 8, std::move(pools), {}, {}, {}});
    return answer();
  }
  std::int64_t fair(const std::string& framework) {
    for (const auto& [kind, units] : stage.describe(framework).fair) {
      if (kind == kMap) return units;
    }
    return -1;
  }
  ChangePool weight(std::int64_t milli) {
    ChangePool change;
    change.weight_milli = milli;
    return change;
  }

  Stage stage;
};

TEST_F(Pools, ChangesAreRefusedWithoutEffectWhileTheyCannotBeKept) {
  stage.step(StoreRoom{Room::little, "pools.toml: No space left on device"});
  const auto done = change("create", "green");
  ASSERT_TRUE(done.error);
  EXPECT_EQ(done.error->code, ErrorCode::no_space);
  EXPECT_THAT(refusal(done), HasSubstr("pools.toml: No space left on device"));
  EXPECT_THAT(stage.kept(), IsEmpty());
  stage.step(StoreRoom{});
  EXPECT_EQ(refusal(change("create", "green")), "it is done");
  EXPECT_THAT(stage.kept(), SizeIs(1));
}

TEST_F(Pools, MoreThanTheirLimitAreRefused) {
  std::vector<AllocatorPool> pools;
  for (std::size_t n = 0; n < limits::kPools; ++n) pools.push_back(plain_pool("p" + std::to_string(n)));
  EXPECT_EQ(refusal(read(pools)), "it is done");
  EXPECT_EQ(refusal(change("create", "q")), "there can be at most 1024 pools: remove one first");
  EXPECT_EQ(refusal(change("remove", "p7")), "it is done");
  EXPECT_EQ(refusal(change("create", "q")), "it is done");
}

TEST_F(Pools, ANewWeightCountsAtOnce) {
  stage.agent("a1", 8);
  stage.framework("r", {.demand = 8, .pool = "red"});
  stage.framework("b", {.demand = 8, .pool = "blue"});
  EXPECT_EQ(fair("r"), 4);
  const auto done = change("set", "red", weight(3000));
  EXPECT_EQ(done.text, "pool red is set");
  EXPECT_EQ(done.request, 7u);
  EXPECT_EQ(fair("r"), 6);
}

TEST_F(Pools, RacksAndAgentsThatAreNotThereAreWarnedOf) {
  ChangePool places;
  places.racks = {"gpu-1", "r1"};
  EXPECT_THAT(change("set", "red", places).warnings, IsEmpty());  // nobody is there yet
  stage.agent("a1", 1);
  places.agents = {"a1", "a7"};
  EXPECT_THAT(
      change("set", "red", places).warnings,
      ElementsAre("racks of pool 'red': no agent stands in gpu-1; the pool has no slots there until one does",
                  "agents of pool 'red': no agent is called a7; the pool has no slots there until one does"));
  places.racks = {"r1"};
  places.agents = {"a1"};
  EXPECT_THAT(change("set", "red", places).warnings, IsEmpty());
}

TEST_F(Pools, WhatIsRunByAPoolAboveItsNewShareGoesOn) {
  stage.agent("a1", 2);
  stage.framework("r", {.demand = 2, .pool = "red"});
  stage.run("r", "a1", "t1");
  stage.framework("b", {.demand = 2, .pool = "blue"});
  change("set", "blue", weight(100'000));
  EXPECT_THAT(stage.take<Kill>("a1"), IsEmpty());
}

TEST_F(Pools, ACreatedPoolTakesFrameworks) {
  EXPECT_EQ(change("create", "green.dark", weight(500)).text, "pool green.dark is created");
  stage.framework("g", {.demand = 1, .pool = "green.dark"});
  EXPECT_THAT(stage.take<Subscribed>("g"), SizeIs(1));
  EXPECT_THAT(refusal(change("create", "green.dark")), HasSubstr("is there already"));
}

TEST_F(Pools, APoolWithAFrameworkStays) {
  stage.framework("r", {.demand = 1, .pool = "red"});
  EXPECT_EQ(refusal(change("remove", "red")),
            "pool 'red' has the framework 'r' in it: move or end that first");
  stage.say("r", Teardown{});
  EXPECT_EQ(change("remove", "red").text, "pool red is removed");
  stage.framework("r2", {.pool = "red"});
  EXPECT_EQ(stage.error("r2"), ErrorCode::unknown_pool);
}

TEST_F(Pools, APoolThatThereIsNotIsNamedWithThoseThatThereAre) {
  EXPECT_EQ(refusal(change("set", "rde")), "there is no pool 'rde'; the pools are 'blue', 'red'");
}

TEST_F(Pools, WhatIsWrongChangesNothing) {
  EXPECT_THAT(refusal(change("set", "red", weight(0))), HasSubstr("the weight of pool 'red' is not above 0"));
  ChangePool order;
  order.order = "lifo";
  EXPECT_THAT(refusal(change("set", "red", order)), HasSubstr("it is fair, fifo or capacity"));
  EXPECT_THAT(refusal(change("paint", "red")), HasSubstr("not 'paint'"));
  EXPECT_THAT(stage.kept(), IsEmpty());
}

TEST_F(Pools, WhatNoFileMaySayIsRefused) {
  EXPECT_THAT(refusal(change("set", "", weight(2000))), HasSubstr("the root has all there is"));
  ChangePool promise;
  promise.min_share = {{kMap, 1}};
  EXPECT_EQ(change("create", "red.dark", promise).text, "pool red.dark is created");
  ChangePool order;
  order.order = "fifo";
  EXPECT_EQ(refusal(change("set", "red", order)),
            "min_share of the pool \"red.dark\" would do nothing: the pool around it has the order \"fifo\", "
            "not \"fair\"; leave it out");
  EXPECT_EQ(change("set", "blue", order).text, "pool blue is set");
  EXPECT_THAT(refusal(change("create", "blue.dark", promise)),
              HasSubstr("min_share of the pool \"blue.dark\""));
  EXPECT_THAT(stage.kept(), SizeIs(2));
}

TEST_F(Pools, AUserLimitCountsAtOnceAndIsKept) {
  stage.agent("a1", 6);
  for (const auto* name : {"r1", "r2"}) stage.framework(name, {.demand = 6, .pool = "red", .user = "ann"});
  stage.framework("r3", {.demand = 6, .pool = "red", .user = "bob"});
  EXPECT_EQ(fair("r3"), 2);
  ChangePool limit;
  limit.order = "capacity";
  limit.user_limit = 25;
  EXPECT_EQ(change("set", "red", limit).text, "pool red is set");
  EXPECT_EQ(fair("r3"), 3);
  ASSERT_THAT(stage.kept(), SizeIs(1));
  ASSERT_TRUE(stage.kept().back().pools);
  EXPECT_EQ(stage.kept().back().pools->at(0).share.user_limit, 25u);
  limit.user_limit = 0;
  EXPECT_THAT(refusal(change("set", "red", limit)), HasSubstr("not from 1 to 100"));
}

ChangePool min_share(Kind kind, std::int64_t units) {
  ChangePool change;
  change.min_share = {{kind, units}};
  return change;
}

TEST_F(Pools, AMinShareOfAKindThatNoAgentHasIsSetWithAWarning) {
  stage.agent("a1", 4);
  const auto done = change("set", "red", min_share(Kind("maps"), 3));
  EXPECT_EQ(done.text, "pool red is set");
  EXPECT_THAT(done.warnings, ElementsAre("min_share of pool 'red': no agent has slots of kind maps (there "
                                         "are map); it counts once one has"));
}

TEST_F(Pools, WhoPromisesMoreThanThereIsIsToldEachTimeAndTheLogOnce) {
  stage.agent("a1", 4);
  for (const int units : {1000, 1001}) {
    EXPECT_THAT(change("set", "red", min_share(kMap, units)).warnings,
                ElementsAre("pools are promised " + std::to_string(units) +
                            " slots of kind map and the cluster has 4: each gets its part of them"));
  }
  EXPECT_THAT(stage.traces<PoolWarned>(), SizeIs(1));
  EXPECT_THAT(change("set", "red", min_share(kMap, 4)).warnings, IsEmpty());
}

TEST_F(Pools, NoPoolIsNamedRoot) {
  EXPECT_EQ(refusal(change("create", "root.x")),
            "the name of pool 'root.x' cannot begin with root, which is the pool around all others: write "
            "what comes behind it");
  EXPECT_EQ(refusal(change("create", "")), "the root is there already");
}

TEST_F(Pools, AFileSaysWhichOfItsChangesWantARestart) {
  PoolsRead read{stage.client("operator").peer, 8, {plain_pool("red")}, {}, {}, {}, {"share_by", "batch"}};
  stage.step(read);
  EXPECT_THAT(answer().warnings, ElementsAre("changed in the file since the allocator was started, and "
                                             "counts after a restart: share_by, batch"));
}

TEST_F(Pools, PreemptionWithoutPoolsIsReadWithAWarning) {
  PoolsRead read{stage.client("operator").peer, 8, {}, {}, {}, {}};
  read.preemption.mode = PreemptionMode::on;
  stage.step(read);
  EXPECT_THAT(answer().warnings, ElementsAre(HasSubstr("preemption = \"on\" does nothing: only pools")));
  read.pools = {plain_pool("red")};
  stage.step(read);
  EXPECT_THAT(answer().warnings, ElementsAre(HasSubstr("set fair_share_timeout, or")));
  read.preemption.fair_share_timeout = kSecond;
  stage.step(read);
  EXPECT_THAT(answer().warnings, IsEmpty());
}

TEST_F(Pools, WhatIsSetCanBeReadBack) {
  ChangePool settings;
  settings.min_share_timeout = 20 * kSecond;
  settings.return_after = 30 * kSecond;
  change("set", "red", settings);
  const auto state = stage.describe();
  EXPECT_EQ(state.pools.at(2).min_share_timeout, 20 * kSecond);
  EXPECT_EQ(state.pools.at(2).return_after, 30 * kSecond);
  EXPECT_EQ(state.preemption, "off");
  EXPECT_EQ(state.preemption_deadline, 5 * kSecond);
}

TEST_F(Pools, APoolWithPoolsInItStays) {
  change("create", "red.dark");
  EXPECT_THAT(refusal(change("remove", "red")), HasSubstr("remove those first"));
  change("remove", "red.dark");
  EXPECT_EQ(change("remove", "red").text, "pool red is removed");
}

TEST_F(Pools, AHigherLimitLetsInWhoWaited) {
  ChangePool limit;
  limit.max_running = 1;
  change("set", "red", limit);
  stage.agent("a1", 2);
  stage.framework("r1", {.demand = 1, .pool = "red"});
  stage.framework("r2", {.demand = 1, .pool = "red"});
  EXPECT_EQ(stage.offers("r2"), "");
  limit.max_running = 2;
  change("set", "red", limit);
  EXPECT_EQ(stage.offers("r2"), "a1:1*");
}

TEST_F(Pools, ChangesAreKept) {
  change("set", "red", weight(2000));
  ASSERT_THAT(stage.kept(), SizeIs(1));
  ASSERT_TRUE(stage.kept().back().pools);
  EXPECT_EQ(stage.kept().back().pools->at(0).share.weight_milli, 2000);
}

TEST_F(Pools, AFileThatWasReadCountsInsteadOfWhatWasKept) {
  change("set", "red", weight(2000));
  EXPECT_EQ(read({plain_pool("red"), plain_pool("green")}).text, "pools: 1 created, 1 set, 1 removed (blue)");
  EXPECT_FALSE(stage.kept().back().pools);
  EXPECT_EQ(refusal(change("set", "blue")), "there is no pool 'blue'; the pools are 'green', 'red'");
}

TEST_F(Pools, AFileThatTakesAPoolFromUnderAFrameworkChangesNothing) {
  stage.framework("b", {.demand = 1, .pool = "blue"});
  EXPECT_EQ(refusal(read({plain_pool("red")})),
            "pool 'blue' has the framework 'b' in it: move or end that first (the pools stay as they were)");
}

TEST_F(Pools, AFileThatCannotBeReadChangesNothing) {
  stage.step(
      PoolsRead{stage.client("operator").peer, 8, {}, {}, {}, Error{ErrorCode::invalid, "f.toml:3:1: no"}});
  EXPECT_EQ(refusal(answer()), "f.toml:3:1: no (the pools stay as they were)");
  EXPECT_EQ(stage.traces<MessageRefused>().back().type, "RELOAD_POOLS");
}

ChangePool racks(std::vector<std::string> names) {
  ChangePool change;
  change.racks = std::move(names);
  return change;
}

TEST_F(Pools, RacksCountAtOnceAndWhatWasOfferedElsewhereIsTakenBack) {
  stage.agent("a1", 1, "r1");
  stage.agent("a2", 1, "r2");
  stage.framework("r", {.demand = 2, .pool = "red"});
  stage.offers("r");
  EXPECT_EQ(change("set", "red", racks({"r2"})).text, "pool red is set");
  EXPECT_THAT(stage.take<Rescind>("r"), SizeIs(1));
  EXPECT_THAT(stage.held("r", "a1"), IsEmpty());
  EXPECT_THAT(stage.held("r", "a2"), SizeIs(1));
  EXPECT_EQ(fair("r"), 1);
  EXPECT_EQ(change("set", "red", racks({})).text, "pool red is set");
  EXPECT_EQ(stage.offers("r"), "a1:1*");
}

TEST_F(Pools, WhatRunsWhereAPoolMayNotBeAnyMoreGoesOn) {
  stage.agent("a1", 2, "r1");
  stage.framework("r", {.demand = 2, .pool = "red"});
  stage.run("r", "a1", "t1");
  stage.offers("r");
  change("set", "red", racks({"r2"}));
  EXPECT_THAT(stage.take<Kill>("a1"), IsEmpty());
  EXPECT_EQ(stage.describe("r").used[kMap], 1);
  stage.finish("a1", "t1");
  EXPECT_EQ(stage.offers("r"), "");
}

TEST_F(Pools, APoolBelowARestrictedOneIsRestrictedWithIt) {
  stage.agent("a1", 1, "r1");
  change("set", "red", racks({"r2"}));
  change("create", "red.dark");
  stage.framework("d", {.demand = 1, .pool = "red.dark"});
  EXPECT_EQ(stage.offers("d"), "");
  change("set", "red", racks({"r1", "r2"}));
  EXPECT_EQ(stage.offers("d"), "a1:1*");
}

TEST_F(Pools, AFileMayGiveAPoolOtherAgents) {
  stage.agent("a1", 1, "r1");
  stage.framework("r", {.demand = 1, .pool = "red"});
  auto moved = plain_pool("red");
  moved.agents = {"a2"};
  EXPECT_EQ(read({moved, plain_pool("blue")}).text, "pools: 0 created, 1 set, 0 removed");
  EXPECT_THAT(stage.take<Rescind>("r"), SizeIs(1));
  stage.agent("a2", 1, "r1");
  EXPECT_EQ(stage.offers("r"), "a1:1* a2:1");
  EXPECT_THAT(stage.held("r", "a2"), SizeIs(1));
}

TEST_F(Pools, AgentsThatWereAPoolsAloneAreAnybodysWhenItNeedsNone) {
  stage.agent("a1", 2);
  ChangePool own;
  own.private_agents = 1;
  change("set", "red", own);
  stage.framework("r", {.demand = 1, .pool = "red"});
  EXPECT_EQ(stage.offers("r"), "a1:1*");
  stage.framework("b", {.demand = 1, .pool = "blue"});
  EXPECT_EQ(stage.offers("b"), "");
  change("set", "blue", weight(2000));
  EXPECT_EQ(stage.offers("b"), "") << "other changes leave them its own";
  own.private_agents = 0;
  change("set", "red", own);
  EXPECT_EQ(stage.offers("b"), "a1:1*");
}

TEST_F(Pools, APoolSaysWhereItMayBeOfferedSlots) {
  auto places = racks({"r2", "r1"});
  places.agents = {"a9"};
  change("set", "red", places);
  const auto pools = stage.describe().pools;
  EXPECT_EQ(pools.at(2).name, "red");
  EXPECT_THAT(pools.at(2).racks, ElementsAre("r1", "r2"));
  EXPECT_THAT(pools.at(2).agents, ElementsAre("a9"));
}

TEST_F(Pools, AMovedFrameworkLosesOffersThatItMayNotHaveAnyMore) {
  stage.agent("a1", 1, "r1");
  change("set", "blue", racks({"r2"}));
  stage.framework("r", {.demand = 1, .pool = "red"});
  EXPECT_EQ(stage.offers("r"), "a1:1*");
  stage.say_first("operator", MoveFramework{9, "r", "blue"});
  EXPECT_THAT(stage.take<Rescind>("r"), SizeIs(1));
}

TEST_F(Pools, AFileThatWasReadSetsPreemptionToo) {
  PoolsRead read{stage.client("operator").peer, 8, {plain_pool("red"), plain_pool("blue")}, {}, {}, {}};
  read.preemption.mode = PreemptionMode::on;
  read.preemption.fair_share_timeout = 10 * kSecond;
  stage.step(read);
  EXPECT_EQ(answer().text, "pools: 0 created, 0 set, 0 removed; preemption is set");
  stage.agent("a1", 2);
  stage.framework("r", {.demand = 9, .pool = "red"});
  stage.accept("r", "a1", {"t1", "t2"});
  stage.framework("b", {.demand = 9, .pool = "blue"});
  stage.pass(10 * kSecond);
  EXPECT_THAT(stage.take<Preempt>("r"), SizeIs(1));
}

TEST_F(Pools, LimitsOfUsersInAFileThatWasReadCountAtOnce) {
  stage.agent("a1", 4);
  stage.framework("r", {.demand = 2, .pool = "red", .user = "ann"});
  stage.framework("b", {.demand = 2, .pool = "blue", .user = "ann"});
  EXPECT_EQ(fair("b"), 2);
  PoolsRead read{stage.client("operator").peer, 8, {plain_pool("red"), plain_pool("blue")}, {}, {}, {}};
  read.users = {{"ann", 1}};
  stage.step(read);
  EXPECT_EQ(answer().text, "pools: 0 created, 0 set, 0 removed; limits of users are set");
  EXPECT_EQ(stage.traces<UserLimited>().back().max_running, 1u);
  EXPECT_EQ(fair("b"), 0);
  read.users = {};
  stage.step(read);
  EXPECT_TRUE(stage.traces<UserLimited>().back().removed);
  EXPECT_EQ(fair("b"), 2);
}

TEST_F(Pools, AFileWhosePreemptionDoesNotGoWithDominantSharesChangesNothing) {
  auto config = with_pools({plain_pool("red")});
  config.share_by = ShareBy::dominant;
  Stage dominant(config);
  PoolsRead read{dominant.client("operator").peer, 8, {plain_pool("green")}, {}, {{"ann", 1}}, {}};
  read.preemption.fair_share_timeout = 10 * kSecond;
  dominant.step(read);
  EXPECT_THAT(dominant.take<AdminDone>("operator").at(0).error->message,
              HasSubstr("fair_share_timeout does not go with share_by \"dominant\""));
  EXPECT_THAT(dominant.traces<UserLimited>(), IsEmpty());
  EXPECT_THAT(dominant.kept(), IsEmpty());
}

class LimitedUsers : public Pools {
 protected:
  static AllocatorConfig config() {
    auto config = with_pools({plain_pool("red"), plain_pool("blue")});
    config.users = {{"ann", 1}};
    return config;
  }
  LimitedUsers() : Pools(config()) {}
};

TEST_F(LimitedUsers, AUserHasHisLimitOverAllPoolsFromTheStart) {
  stage.agent("a1", 6);
  stage.framework("r", {.demand = 2, .pool = "red", .user = "ann"});
  stage.framework("b", {.demand = 2, .pool = "blue", .user = "ann"});
  stage.framework("c", {.demand = 2, .pool = "blue", .user = "bob"});
  EXPECT_EQ(stage.offers("b"), "");
  EXPECT_EQ(fair("r") + fair("c"), 4);
}

Subscribe of_priority(const std::string& name, const std::string& priority) {
  Subscribe subscribe;
  subscribe.name = name;
  subscribe.pool = "red";
  subscribe.demand = {{{kMap, 1}}};
  subscribe.priority = priority;
  return subscribe;
}

TEST_F(Pools, FrameworksOfHigherPriorityComeFirstInAPoolOfOrderFifo) {
  ChangePool order;
  order.order = "fifo";
  change("set", "red", order);
  stage.say_first("low", of_priority("low", "low"));
  stage.say_first("usual", of_priority("usual", ""));
  stage.say_first("high", of_priority("high", "very-high"));
  stage.agent("a1", 2);
  EXPECT_EQ(stage.offers("high"), "a1:1");
  EXPECT_EQ(stage.offers("usual"), "a1:1");
  EXPECT_EQ(stage.offers("low"), "");
  EXPECT_EQ(stage.describe("high").priority, "very-high");
}

TEST_F(Pools, APriorityThatThereIsNotIsRefused) {
  stage.say_first("f", of_priority("f", "urgent"));
  EXPECT_THAT(stage.error_text("f"), HasSubstr("there is no priority 'urgent': it is very-high, high"));
}

TEST_F(Pools, AFrameworkMovesWithWhatItRuns) {
  stage.agent("a1", 4);
  stage.framework("r", {.demand = 4, .pool = "red", .failover = 60 * kSecond});
  stage.run("r", "a1", "t1");
  stage.say_first("operator", MoveFramework{9, "r", "blue"});
  EXPECT_EQ(answer().text, "framework r is in blue");
  EXPECT_EQ(stage.describe("r").pool, "blue");
  EXPECT_EQ(stage.describe("r").used[kMap], 1);
  EXPECT_EQ(change("remove", "red").text, "pool red is removed");
}

TEST_F(Pools, NobodyMovesToAPoolThatThereIsNot) {
  stage.framework("r", {.demand = 4, .pool = "red"});
  stage.say_first("operator", MoveFramework{9, "r", "pink"});
  EXPECT_THAT(refusal(answer()), HasSubstr("there is no pool 'pink'"));
  stage.say_first("operator", MoveFramework{9, "nobody", "red"});
  EXPECT_EQ(refusal(answer()), "there is no framework 'nobody'");
}

class StarvingPools : public Pools {
 protected:
  static AllocatorConfig config() {
    auto owed = plain_pool("owed");
    owed.share.min_share_timeout = 10 * kSecond;
    auto config = with_pools({plain_pool("greedy"), owed});
    config.preemption.mode = PreemptionMode::on;
    return config;
  }
  StarvingPools() : Pools(config()) {}
};

TEST_F(StarvingPools, AMinShareThatIsSetStartsItsClockThen) {
  stage.agent("a1", 2);
  stage.framework("greedy", {.demand = 9, .pool = "greedy"});
  stage.accept("greedy", "a1", {"t1", "t2"});
  stage.framework("owed", {.demand = 2, .pool = "owed"});
  stage.pass(60 * kSecond);
  EXPECT_THAT(stage.take<Preempt>("greedy"), IsEmpty());
  ChangePool promise;
  promise.min_share = {{kMap, 1}};
  change("set", "owed", promise);
  stage.pass(9 * kSecond);
  EXPECT_THAT(stage.take<Preempt>("greedy"), IsEmpty());
  stage.pass(1 * kSecond);
  EXPECT_THAT(stage.take<Preempt>("greedy"), SizeIs(1));
}

}  // namespace
}  // namespace proffer
