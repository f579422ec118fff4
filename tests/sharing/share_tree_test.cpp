#include "proffer/sharing/share_tree.hpp"

#include <gmock/gmock.h>

#include <map>
#include <string>

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Kind kMap("map");
const Kind kReduce("reduce");

/// "leaf f wants 4 of 'map' and uses 1", and who comes next.
class ShareTreeTest : public ::testing::Test {
 protected:
  void pool(const std::string& name, std::int64_t weight_milli = 1000, Resources min_share = {}) {
    ASSERT_TRUE(tree.declare_pool({name, weight_milli, min_share}).ok());
  }
  LeafId leaf(const std::string& name, const std::string& in = "", std::int64_t weight_milli = 1000) {
    const auto added = tree.add_leaf(in, {name, weight_milli, next_submit++});
    leaves[*added] = name;
    return *added;
  }
  LeafId wants(LeafId leaf, std::int64_t demand, std::int64_t used = 0) {
    tree.set_demand(leaf, kMap, demand);
    tree.set_used(leaf, kMap, used);
    return leaf;
  }
  std::vector<std::string> order(Kind kind = kMap) {
    std::vector<std::string> names;
    (void)tree.neediest(kind, [&](LeafId leaf) {
      names.push_back(leaves.at(leaf));
      return false;
    });
    tree.check_invariants();
    return names;
  }
  /// Hands out `slots`, each to the neediest.
  std::map<std::string, std::int64_t> hand_out(int slots) {
    std::map<std::string, std::int64_t> got;
    for (int i = 0; i < slots; ++i) {
      const auto next = tree.neediest(kMap, [](LeafId) { return true; });
      if (!next) break;
      tree.set_used(*next, kMap, tree.used(*next, kMap) + 1);
      ++got[leaves.at(*next)];
    }
    tree.check_invariants();
    return got;
  }

  ShareTree tree;
  std::map<LeafId, std::string> leaves;
  std::uint64_t next_submit = 1;
};

TEST_F(ShareTreeTest, WhoUsesLessGoesFirst) {
  wants(leaf("a"), 10, 3);
  wants(leaf("b"), 10, 1);
  EXPECT_THAT(order(), ElementsAre("b", "a"));
}

TEST_F(ShareTreeTest, UsedIsSeenInProportionToWeight) {
  wants(leaf("light"), 10, 2);
  wants(leaf("heavy", "", 3000), 10, 5);
  EXPECT_THAT(order(), ElementsAre("heavy", "light"));
}

TEST_F(ShareTreeTest, OnlyThoseWithDemandAboveUsedAreVisited) {
  wants(leaf("full"), 2, 2);
  wants(leaf("idle"), 0);
  wants(leaf("over"), 1, 3);
  wants(leaf("hungry"), 3, 2);
  EXPECT_THAT(order(), ElementsAre("hungry"));
}

TEST_F(ShareTreeTest, TiesGoToTheEarlierSubmitThenToTheName) {
  next_submit = 7;
  wants(leaf("late"), 1);
  next_submit = 5;
  wants(leaf("z"), 1);
  next_submit = 5;
  wants(leaf("b"), 1);
  EXPECT_THAT(order(), ElementsAre("b", "z", "late"));
}

TEST_F(ShareTreeTest, BelowMinShareGoesFirstByTheSmallerFraction) {
  pool("none");
  pool("much", 1000, {{kMap, 10}});
  pool("little", 1000, {{kMap, 4}});
  wants(leaf("n", "none"), 50, 0);
  wants(leaf("m", "much"), 50, 6);
  wants(leaf("l", "little"), 50, 2);
  EXPECT_THAT(order(), ElementsAre("l", "m", "n"));
}

TEST_F(ShareTreeTest, AMinShareCountsOnlyAsFarAsTheDemand) {
  pool("owed", 1000, {{kMap, 10}});
  pool("other", 1000, {{kMap, 10}});
  wants(leaf("a", "owed"), 4, 2);     // 2 / 4
  wants(leaf("b", "other"), 100, 4);  // 4 / 10
  EXPECT_THAT(order(), ElementsAre("b", "a"));
}

TEST_F(ShareTreeTest, PoolsShareFirstThenTheirLeaves) {
  pool("crowd");
  pool("single");
  for (const auto* name : {"c1", "c2", "c3"}) wants(leaf(name, "crowd"), 100);
  wants(leaf("s", "single"), 100);
  const auto got = hand_out(60);
  EXPECT_EQ(got.at("s"), 30);
  EXPECT_EQ(got.at("c1"), 10);
  EXPECT_EQ(got.at("c3"), 10);
}

TEST_F(ShareTreeTest, WhatAPoolDoesNotWantGoesToTheOthers) {
  pool("small");
  pool("large");
  wants(leaf("s", "small"), 5);
  wants(leaf("l", "large"), 100);
  const auto got = hand_out(60);
  EXPECT_EQ(got.at("s"), 5);
  EXPECT_EQ(got.at("l"), 55);
}

TEST_F(ShareTreeTest, OneLeafOverItsDemandDoesNotHideItsSibling) {
  pool("p");
  wants(leaf("ending", "p"), 0, 5);
  wants(leaf("hungry", "p"), 3, 0);
  EXPECT_THAT(order(), ElementsAre("hungry"));
}

TEST_F(ShareTreeTest, TheVisitStopsAtTheFirstWhoAccepts) {
  wants(leaf("a"), 1);
  const auto b = wants(leaf("b"), 1);
  int asked = 0;
  const auto found = tree.neediest(kMap, [&](LeafId leaf) {
    ++asked;
    return leaf == b;
  });
  EXPECT_EQ(found, b);
  EXPECT_EQ(asked, 2);
}

TEST_F(ShareTreeTest, KindsAreSharedIndependently) {
  const auto a = wants(leaf("a"), 5, 4);
  const auto b = wants(leaf("b"), 5, 1);
  tree.set_demand(a, kReduce, 2);
  tree.set_demand(b, kReduce, 2);
  tree.set_used(b, kReduce, 1);
  EXPECT_THAT(order(kMap), ElementsAre("b", "a"));
  EXPECT_THAT(order(kReduce), ElementsAre("a", "b"));
}

TEST_F(ShareTreeTest, ARemovedLeafLeavesNothingBehind) {
  pool("p");
  const auto gone = wants(leaf("gone", "p"), 5, 3);
  wants(leaf("stays", "p"), 5, 1);
  tree.remove_leaf(gone);
  EXPECT_THAT(order(), ElementsAre("stays"));
  EXPECT_EQ(tree.pools(kMap).at(1).used, 1);
  const auto fresh = leaf("fresh", "p");
  EXPECT_EQ(fresh, gone) << "ids are dense";
  EXPECT_EQ(tree.used(fresh, kMap), 0);
  EXPECT_EQ(tree.demand(fresh, kMap), 0);
}

TEST_F(ShareTreeTest, FairSharesAreSplitLevelByLevel) {
  pool("research", 3000);
  pool("research.ml");
  pool("research.db");
  pool("batch");
  tree.set_capacity(kMap, 40);
  const auto ml = wants(leaf("ml", "research.ml"), kUnbounded);
  const auto db = wants(leaf("db", "research.db"), 10);
  const auto batch = wants(leaf("b", "batch"), kUnbounded);
  EXPECT_EQ(tree.fair_share(ml, kMap), 20);
  EXPECT_EQ(tree.fair_share(db, kMap), 10);
  EXPECT_EQ(tree.fair_share(batch, kMap), 10);
}

TEST_F(ShareTreeTest, FairSharesFollowDemandAndCapacity) {
  tree.set_capacity(kMap, 10);
  const auto a = wants(leaf("a"), kUnbounded);
  const auto b = wants(leaf("b"), kUnbounded);
  EXPECT_EQ(tree.fair_share(a, kMap), 5);
  wants(b, 2);
  EXPECT_EQ(tree.fair_share(a, kMap), 8);
  tree.set_capacity(kMap, 20);
  EXPECT_EQ(tree.fair_share(a, kMap), 18);
  wants(leaf("c"), kUnbounded);
  EXPECT_EQ(tree.fair_share(a, kMap), 9);
}

TEST_F(ShareTreeTest, PoolsAreSeenDepthFirstWithTheirSums) {
  pool("b");
  pool("a.x");
  wants(leaf("f", "a.x"), 4, 2);
  wants(leaf("g", "b"), kUnbounded, 1);
  tree.set_capacity(kMap, 8);
  std::vector<std::string> seen;
  for (const auto& pool : tree.pools(kMap)) {
    seen.push_back(pool.name + " " + std::to_string(pool.used) + "/" + std::to_string(pool.fair) + " of " +
                   std::to_string(pool.leaves));
  }
  EXPECT_THAT(seen, ElementsAre(" 3/8 of 2", "a 2/4 of 1", "a.x 2/4 of 1", "b 1/4 of 1"));
}

TEST_F(ShareTreeTest, BadPoolsAreRefused) {
  pool("p");
  EXPECT_EQ(tree.declare_pool({"p", 1000, {}}).error().code, ErrorCode::exists);
  EXPECT_EQ(tree.declare_pool({"a..b", 1000, {}}).error().code, ErrorCode::invalid);
  EXPECT_EQ(tree.declare_pool({"a b", 1000, {}}).error().code, ErrorCode::invalid);
  EXPECT_EQ(tree.declare_pool({"q", 0, {}}).error().code, ErrorCode::invalid);
  EXPECT_EQ(tree.declare_pool({"q", kUnbounded, {}}).error().code, ErrorCode::invalid);
  EXPECT_EQ(tree.declare_pool({"1.2.3.4.5.6.7.8.9", 1000, {}}).error().code, ErrorCode::invalid);
  const auto refused = tree.add_leaf("nowhere", {"f", 1000, 1});
  EXPECT_EQ(refused.error().code, ErrorCode::unknown_pool);
  EXPECT_THAT(refused.error().message, HasSubstr("nowhere"));
}

TEST_F(ShareTreeTest, AParentMadeOnTheWayCanStillBeDeclared) {
  pool("a.b");
  EXPECT_TRUE(tree.has_pool("a"));
  EXPECT_TRUE(tree.declare_pool({"a", 5000, {}}).ok());
  EXPECT_EQ(tree.pools(kMap).at(1).weight_milli, 5000);
}

}  // namespace
}  // namespace proffer
