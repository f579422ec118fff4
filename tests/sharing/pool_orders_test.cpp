// The other orders of a pool, limits, and changes while it is in use.
#include <gmock/gmock.h>

#include <map>
#include <string>

#include "proffer/sharing/share_tree.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Kind kMap("map");
const Kind kCpu("cpu");
const Kind kMem("mem");

class PoolOrders : public ::testing::Test {
 protected:
  explicit PoolOrders(ShareBy by = ShareBy::kind) : tree(by) {}

  void pool(const PoolSpec& spec) { ASSERT_TRUE(tree.declare_pool(spec).ok()); }
  LeafId leaf(const std::string& name, const std::string& in = "", Priority priority = Priority::normal,
              const std::string& user = "") {
    const auto added = *tree.add_leaf(in, {name, 1000, next_submit++, priority, user});
    names[added] = name;
    return added;
  }
  LeafId wants(LeafId leaf, std::int64_t demand, std::int64_t used = 0, Kind kind = kMap) {
    tree.set_demand(leaf, kind, demand);
    tree.set_used(leaf, kind, used);
    return leaf;
  }
  std::vector<std::string> order(Kind kind = kMap) {
    std::vector<std::string> visited;
    (void)tree.neediest(kind, [&](LeafId leaf) {
      visited.push_back(names.at(leaf));
      return false;
    });
    tree.check_invariants();
    return visited;
  }
  std::vector<std::string> admitted() {
    std::vector<std::string> found;
    for (const auto leaf : tree.pop_admitted()) found.push_back(names.at(leaf));
    return found;
  }

  ShareTree tree;
  std::map<LeafId, std::string> names;
  std::uint64_t next_submit = 1;
};

TEST_F(PoolOrders, FifoGoesByPriorityThenBySubmitTime) {
  pool({"q", 1000, {}, PoolOrder::fifo});
  wants(leaf("first", "q"), 5, 4);
  wants(leaf("second", "q"), 5);
  wants(leaf("urgent", "q", Priority::very_high), 5, 3);
  wants(leaf("idle-time", "q", Priority::very_low), 5);
  EXPECT_THAT(order(), ElementsAre("urgent", "first", "second", "idle-time"));
}

TEST_F(PoolOrders, CapacityGoesByUsedOfCapacityThenByPriorityThenBySubmitTime) {
  pool({"", 1000, {}, PoolOrder::capacity});
  pool({"large", 3000});
  pool({"small", 1000, {{kMap, 9}}});
  wants(leaf("l", "large"), 9, 4);
  wants(leaf("s", "small"), 9, 2);
  EXPECT_THAT(order(), ElementsAre("l", "s")) << "a min share is none there";
  wants(leaf("late-but-high", "", Priority::high), 3, 0);
  wants(leaf("later", ""), 3, 0);
  EXPECT_THAT(order(), ElementsAre("late-but-high", "later", "l", "s"));
}

TEST_F(PoolOrders, InAFifoPoolTheFirstIsEntitledToAllItWants) {
  pool({"q", 1000, {}, PoolOrder::fifo});
  tree.set_capacity(kMap, 10);
  const auto first = wants(leaf("first", "q"), 7);
  const auto second = wants(leaf("second", "q"), 7);
  EXPECT_EQ(tree.fair_share(first, kMap), 7);
  EXPECT_EQ(tree.fair_share(second, kMap), 3);
  const auto urgent = wants(leaf("urgent", "q", Priority::high), 4);
  EXPECT_EQ(tree.fair_share(urgent, kMap), 4);
  EXPECT_EQ(tree.fair_share(first, kMap), 6);
}

TEST_F(PoolOrders, DeadlineGoesByWhoIsDueFirstThenAsFifo) {
  pool({"", 1000, {}, PoolOrder::deadline});
  const auto due = [&](const std::string& name, Time time, Priority priority = Priority::normal) {
    const auto added = *tree.add_leaf("", {name, 1000, next_submit++, priority, "", time});
    names[added] = name;
    return wants(added, 4);
  };
  tree.set_capacity(kMap, 10);
  const auto never = wants(leaf("never", "", Priority::very_high), 4, 0);
  const auto late = due("late", time_from_us(20));
  const auto soon = due("soon", time_from_us(10));
  const auto high = due("late-but-high", time_from_us(20), Priority::high);
  EXPECT_THAT(order(), ElementsAre("soon", "late-but-high", "late", "never"));
  EXPECT_EQ(tree.fair_share(soon, kMap), 4);
  EXPECT_EQ(tree.fair_share(high, kMap), 4);
  EXPECT_EQ(tree.fair_share(late, kMap), 2);
  EXPECT_EQ(tree.fair_share(never, kMap), 0);
}

TEST_F(PoolOrders, APoolWithinAnotherKeepsItsOwnOrder) {
  pool({"a", 1000, {}, PoolOrder::fifo});
  wants(leaf("a1", "a"), 9, 6);
  wants(leaf("a2", "a"), 9, 0);
  wants(leaf("b"), 9, 5);
  EXPECT_THAT(order(), ElementsAre("b", "a1", "a2"));
}

// ---- limits ----

TEST_F(PoolOrders, ThoseBeyondTheLimitOfAPoolWaitWithoutDemand) {
  pool({.name = "p", .max_running = 2});
  for (const auto* name : {"a", "b", "c", "d"}) wants(leaf(name, "p"), 5);
  EXPECT_THAT(order(), ElementsAre("a", "b"));
  EXPECT_EQ(tree.pools(kMap).at(1).demand, 10);
  EXPECT_EQ(tree.pools(kMap).at(1).waiting, 2u);
}

TEST_F(PoolOrders, WhoWaitsGetsThePlaceOfWhoLeaves) {
  pool({.name = "p", .max_running = 1});
  const auto a = wants(leaf("a", "p"), 5);
  const auto b = wants(leaf("b", "p"), 5);
  wants(leaf("c", "p"), 5);
  EXPECT_TRUE(tree.waits(b));
  EXPECT_EQ(tree.demand(b, kMap), 5) << "as it was set";
  tree.remove_leaf(a);
  EXPECT_THAT(admitted(), ElementsAre("b"));
  EXPECT_THAT(order(), ElementsAre("b"));
}

TEST_F(PoolOrders, PlacesGoByPriority) {
  pool({.name = "p", .max_running = 1});
  wants(leaf("early", "p"), 5, 2);
  wants(leaf("urgent", "p", Priority::high), 5);
  EXPECT_THAT(order(), ElementsAre("urgent"));
  EXPECT_EQ(tree.pools(kMap).at(1).used, 2) << "what it uses counts still";
}

TEST_F(PoolOrders, ALimitOfAPoolCountsThosePoolsBelowIt) {
  pool({.name = "p", .max_running = 2});
  pool({.name = "p.a"});
  pool({.name = "p.b"});
  wants(leaf("a1", "p.a"), 1);
  wants(leaf("b1", "p.b"), 1);
  wants(leaf("b2", "p.b"), 1);
  EXPECT_THAT(order(), ElementsAre("a1", "b1"));
}

TEST_F(PoolOrders, AUserHasLimitsInAPoolAndOverAll) {
  pool({.name = "p", .max_running_per_user = 1});
  wants(leaf("ann1", "p", Priority::normal, "ann"), 1);
  wants(leaf("ann2", "p", Priority::normal, "ann"), 1);
  wants(leaf("bob1", "p", Priority::normal, "bob"), 1);
  wants(leaf("ann3", "", Priority::normal, "ann"), 1);
  EXPECT_THAT(order(), ElementsAre("ann1", "bob1", "ann3"));
  tree.set_user_limit("ann", 1);
  EXPECT_THAT(order(), ElementsAre("ann1", "bob1"));
  tree.set_user_limit("ann", {});
  EXPECT_THAT(admitted(), ElementsAre("ann3"));
}

// ---- changes ----

TEST_F(PoolOrders, AMovedLeafTakesItsNumbersAlong) {
  pool({"a"});
  pool({"b"});
  const auto moves = wants(leaf("moves", "a"), 9, 4);
  wants(leaf("stays", "a"), 9, 1);
  ASSERT_TRUE(tree.move_leaf(moves, "b").ok());
  EXPECT_EQ(tree.path_of(moves).back(), tree.find_pool("b"));
  EXPECT_THAT(order(), ElementsAre("stays", "moves"));
  EXPECT_EQ(tree.pools(kMap).at(1).used, 1);
  EXPECT_EQ(tree.pools(kMap).at(2).demand, 9);
  EXPECT_EQ(tree.move_leaf(moves, "c").error().code, ErrorCode::unknown_pool);
}

TEST_F(PoolOrders, WhatRunsIsDemandOfWhoWantsNothing) {
  const auto done = wants(leaf("done"), 0, 5);
  const auto hungry = wants(leaf("hungry"), 9, 0);
  tree.set_capacity(kMap, 8);
  tree.set_running(done, kMap, 5);
  EXPECT_EQ(tree.fair_share(done, kMap), 4);
  EXPECT_EQ(tree.fair_share(hungry, kMap), 4);
  EXPECT_EQ(tree.demand(done, kMap), 0);
  EXPECT_THAT(order(), ElementsAre("hungry"));
}

TEST_F(PoolOrders, WhoRunsAndHasToWaitIsEntitledToWhatItRuns) {
  pool({.name = "p"});
  wants(leaf("first", "p"), 9, 0);
  const auto second = wants(leaf("second", "p"), 9, 3);
  tree.set_running(second, kMap, 3);
  tree.set_capacity(kMap, 8);
  ASSERT_TRUE(tree.set_pool({.name = "p", .max_running = 1}).ok());
  ASSERT_TRUE(tree.waits(second));
  EXPECT_EQ(tree.fair_share(second, kMap), 3);
  EXPECT_THAT(order(), ElementsAre("first"));
}

TEST_F(PoolOrders, AMoveFreesAPlace) {
  pool({.name = "p", .max_running = 1});
  const auto a = wants(leaf("a", "p"), 1);
  wants(leaf("b", "p"), 1);
  ASSERT_TRUE(tree.move_leaf(a, "").ok());
  EXPECT_THAT(admitted(), ElementsAre("b"));
}

TEST_F(PoolOrders, SettingsOfAPoolChangeAtOnce) {
  pool({"a"});
  pool({"b"});
  tree.set_capacity(kMap, 8);
  wants(leaf("a1", "a"), 9, 3);
  const auto a2 = wants(leaf("a2", "a"), 9, 1);
  wants(leaf("b1", "b"), 9, 1);
  EXPECT_THAT(order(), ElementsAre("b1", "a2", "a1"));
  ASSERT_TRUE(tree.set_pool({"a", 9000, {}, PoolOrder::fifo}).ok());
  EXPECT_THAT(order(), ElementsAre("a1", "a2", "b1"));
  EXPECT_EQ(tree.fair_share(a2, kMap), 0);
  ASSERT_TRUE(tree.set_pool({"b", 1000, {{kMap, 4}}}).ok());
  EXPECT_THAT(order(), ElementsAre("b1", "a1", "a2"));
  EXPECT_EQ(tree.set_pool({"c"}).error().code, ErrorCode::unknown_pool);
}

TEST_F(PoolOrders, ALiftedLimitLetsAllIn) {
  pool({.name = "p", .max_running = 1});
  for (const auto* name : {"a", "b", "c"}) wants(leaf(name, "p"), 5);
  ASSERT_TRUE(tree.set_pool({.name = "p"}).ok());
  EXPECT_THAT(admitted(), ElementsAre("b", "c"));
}

TEST_F(PoolOrders, OnlyAnEmptyPoolIsRemoved) {
  pool({"a"});
  pool({"a.b"});
  const auto held = wants(leaf("f", "a.b"), 1);
  EXPECT_THAT(tree.remove_pool("a.b").error().message, HasSubstr("not empty"));
  EXPECT_FALSE(tree.remove_pool("a").ok());
  EXPECT_FALSE(tree.remove_pool("").ok());
  EXPECT_EQ(tree.remove_pool("c").error().code, ErrorCode::unknown_pool);
  tree.remove_leaf(held);
  ASSERT_TRUE(tree.remove_pool("a.b").ok());
  EXPECT_FALSE(tree.has_pool("a.b"));
  tree.check_invariants();
  pool({"a.b", 2000});
  wants(leaf("g", "a.b"), 1);
  EXPECT_THAT(order(), ElementsAre("g"));
}

// ---- promises ----

TEST_F(PoolOrders, BrokenPromisesAreNamed) {
  pool({"a", 1000, {{kMap, 6}}});
  pool({"b", 1000, {{kMap, 6}}});
  pool({"a.x", 1000, {{kMap, 5}}});
  tree.set_capacity(kMap, 12);
  EXPECT_THAT(tree.warnings(), IsEmpty());
  tree.set_capacity(kMap, 8);
  EXPECT_THAT(tree.warnings(),
              ElementsAre(ShareTree::Warning{"", kMap, 12, 8}, ShareTree::Warning{"a", kMap, 5, 4}));
}

TEST_F(PoolOrders, GuaranteesAreScaledDownWithThoseOfTheirSiblings) {
  pool({"a", 1000, {{kMap, 9}}});
  pool({"b", 1000, {{kMap, 3}}});
  tree.set_capacity(kMap, 8);
  wants(leaf("a1", "a"), 20);
  wants(leaf("b1", "b"), 20);
  EXPECT_EQ(tree.numbers(*tree.find_pool("a"), kMap).guaranteed, 6);
  EXPECT_EQ(tree.numbers(*tree.find_pool("b"), kMap).guaranteed, 2);
  tree.set_capacity(kMap, 80);
  EXPECT_EQ(tree.numbers(*tree.find_pool("b"), kMap).guaranteed, 3);
}

TEST_F(PoolOrders, PathsLeadToTheRoot) {
  pool({"a.b"});
  const auto path = tree.path_of(leaf("f", "a.b"));
  ASSERT_EQ(path.size(), 3u);
  EXPECT_EQ(path[1], tree.find_pool("a.b"));
  EXPECT_TRUE(tree.is_within(path[0], path[2]));
  EXPECT_FALSE(tree.is_within(path[2], path[0]));
  EXPECT_TRUE(tree.is_within(path[2], *tree.find_pool("")));
}

// ---- dominant share ----

class DominantShares : public PoolOrders {
 protected:
  DominantShares() : PoolOrders(ShareBy::dominant) {
    tree.set_capacity(kCpu, 9);
    tree.set_capacity(kMem, 18);
  }
  /// Hands out tasks of fixed size, each to whoever comes first.
  std::map<std::string, int> hand_out(const std::map<LeafId, std::pair<int, int>>& sizes) {
    std::map<std::string, int> tasks;
    for (std::int64_t cpu = 9, mem = 18;;) {
      const auto next = tree.neediest(kCpu, [](LeafId) { return true; });
      const auto [c, m] = sizes.at(*next);
      if (cpu < c || mem < m) return tasks;
      cpu -= c;
      mem -= m;
      tree.set_used(*next, kCpu, tree.used(*next, kCpu) + c);
      tree.set_used(*next, kMem, tree.used(*next, kMem) + m);
      tree.check_invariants();
      ++tasks[names.at(*next)];
    }
  }
};

// Ghodsi et al., NSDI 2011, figure 2: <1 CPU, 4 GB> and <3 CPU, 1 GB> on <9 CPU, 18 GB>.
TEST_F(DominantShares, AreEqualisedAsInThePaper) {
  const auto a = wants(leaf("a"), kUnbounded, 0, kCpu);
  const auto b = wants(leaf("b"), kUnbounded, 0, kCpu);
  const auto tasks = hand_out({{a, {1, 4}}, {b, {3, 1}}});
  EXPECT_EQ(tasks.at("a"), 3);
  EXPECT_EQ(tasks.at("b"), 2);
}

TEST_F(DominantShares, FollowTheCapacity) {
  const auto a = wants(wants(leaf("a"), 9, 3, kCpu), 9, 0, kMem);
  const auto b = wants(wants(leaf("b"), 9, 0, kCpu), 9, 5, kMem);
  EXPECT_THAT(order(kCpu), ElementsAre("b", "a")) << "5/18 before 3/9";
  tree.set_capacity(kMem, 10);
  EXPECT_THAT(order(kCpu), ElementsAre("a", "b")) << "3/9 before 5/10";
  ASSERT_TRUE(tree.declare_pool({"p", 4000}).ok());
  ASSERT_TRUE(tree.move_leaf(b, "p").ok());
  EXPECT_THAT(order(kMem), ElementsAre("b", "a")) << "5/10 by weight 4";
  tree.remove_leaf(a);
  EXPECT_THAT(order(kCpu), ElementsAre("b"));
}

TEST_F(DominantShares, OfWhoLeavesCountNoMoreInAnyKind) {
  pool({.name = "p"});
  tree.set_capacity(kCpu, 10);
  tree.set_capacity(kMem, 10);
  for (const auto* name : {"goes", "moves", "stays"}) {
    const auto one = wants(leaf(name, "p"), 9, 1, kCpu);
    wants(one, 9, 4, kMem);
  }
  tree.remove_leaf(LeafId{0});
  tree.check_invariants();
  ASSERT_TRUE(tree.move_leaf(LeafId{1}, "").ok());
  tree.check_invariants();
}

}  // namespace
}  // namespace proffer
