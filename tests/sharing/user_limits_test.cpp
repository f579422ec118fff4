// Limits of users in pools of order `capacity` or `fifo`.
#include <gmock/gmock.h>

#include <map>
#include <string>

#include "proffer/sharing/share_tree.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Kind kMap("map");

class UserLimits : public ::testing::Test {
 protected:
  void pool(const std::string& name, std::uint32_t user_limit, PoolOrder order = PoolOrder::capacity) {
    PoolSpec spec{.name = name, .order = order};
    spec.user_limit = user_limit;
    ASSERT_TRUE((tree.has_pool(name) ? tree.set_pool(spec) : tree.declare_pool(spec)).ok());
  }
  LeafId leaf(const std::string& name, const std::string& user, std::int64_t demand, std::int64_t used = 0,
              const std::string& in = "q") {
    LeafSpec spec{.name = name, .submitted = next_submit++};
    spec.user = user;
    const auto added = *tree.add_leaf(in, spec);
    names[added] = name;
    tree.set_demand(added, kMap, demand);
    tree.set_used(added, kMap, used);
    return added;
  }
  std::vector<std::string> order() {
    std::vector<std::string> visited;
    (void)tree.neediest(kMap, [&](LeafId leaf) {
      visited.push_back(names.at(leaf));
      return false;
    });
    tree.check_invariants();
    return visited;
  }
  /// So many slots, one after the other; what each leaf has then.
  std::map<std::string, std::int64_t> hand_out(std::int64_t slots) {
    for (std::int64_t slot = 0; slot < slots; ++slot) {
      const auto next = tree.neediest(kMap, [](LeafId) { return true; });
      if (next) tree.set_used(*next, kMap, tree.used(*next, kMap) + 1);
    }
    std::map<std::string, std::int64_t> used;
    for (const auto& [leaf, name] : names) used[name] = tree.used(leaf, kMap);
    return used;
  }

  ShareTree tree;
  std::map<LeafId, std::string> names;
  std::uint64_t next_submit = 1;
};

TEST_F(UserLimits, AUserWithManyJobsComesAfterOneWithASingleJobThatUsesMore) {
  pool("q", 25);
  tree.set_capacity(kMap, 8);
  for (const auto* name : {"a1", "a2", "a3", "a4"}) leaf(name, "ann", 9, 1);
  leaf("b", "bob", 9, 3);
  EXPECT_THAT(order(), ElementsAre("b", "a1", "a2", "a3", "a4"));
  pool("q", kNoUserLimit);
  EXPECT_THAT(order(), ElementsAre("a1", "a2", "a3", "a4", "b"));
}

TEST_F(UserLimits, UsersShareEquallyHoweverManyJobsTheyHave) {
  pool("q", 25);
  tree.set_capacity(kMap, 12);
  for (const auto* name : {"a1", "a2", "a3"}) leaf(name, "ann", 99);
  leaf("b", "bob", 99);
  EXPECT_THAT(hand_out(12),
              ElementsAre(std::pair("a1", 2), std::pair("a2", 2), std::pair("a3", 2), std::pair("b", 6)));
}

TEST_F(UserLimits, WhatOthersDoNotWantGoesToWhoIsBeyondTheLimit) {
  pool("q", 25);
  tree.set_capacity(kMap, 12);
  leaf("a1", "ann", 99);
  leaf("a2", "ann", 99);
  leaf("b", "bob", 2);
  EXPECT_THAT(hand_out(12), ElementsAre(std::pair("a1", 5), std::pair("a2", 5), std::pair("b", 2)));
}

TEST_F(UserLimits, NobodyIsHeldToLessThanTheLimitHoweverManyUsersThereAre) {
  pool("q", 50);
  tree.set_capacity(kMap, 8);
  leaf("a1", "ann", 9, 2);
  leaf("a2", "ann", 9, 1);
  leaf("b", "bob", 9, 2);
  leaf("c", "cy", 9, 2);
  EXPECT_THAT(order(), ElementsAre("a2", "a1", "b", "c")) << "ann may have 4 of 8, though they are three";
  pool("q", 25);
  EXPECT_THAT(order(), ElementsAre("b", "c", "a2", "a1")) << "a third of 8, rounded up";
}

TEST_F(UserLimits, APoolThatUsesItsShareCountsTheNextSlotAsWell) {
  pool("q", 1);
  tree.set_capacity(kMap, 4);
  leaf("a", "ann", 9, 2);
  leaf("b", "bob", 9, 2);
  EXPECT_THAT(order(), ElementsAre("a", "b")) << "each may have 3 of 5";
}

TEST_F(UserLimits, CountOnlyUsersWithDemand) {
  pool("q", 25);
  tree.set_capacity(kMap, 8);
  leaf("a1", "ann", 9, 3);
  leaf("a2", "ann", 9, 2);
  const auto other = leaf("b", "bob", 9, 3);
  EXPECT_THAT(order(), ElementsAre("b", "a2", "a1"));
  tree.set_used(other, kMap, 0);
  tree.set_demand(other, kMap, 0);
  EXPECT_THAT(order(), ElementsAre("a2", "a1"));
  tree.remove_leaf(other);
  leaf("c", "cy", 9, 0);
  EXPECT_THAT(order(), ElementsAre("c", "a2", "a1"));
}

TEST_F(UserLimits, HoldNoPoolsAmongTheLeaves) {
  pool("q", 25);
  tree.set_capacity(kMap, 8);
  ASSERT_TRUE(tree.declare_pool({"q.inner"}).ok());
  leaf("i", "ann", 9, 5, "q.inner");
  leaf("a", "ann", 9, 0);
  leaf("b", "bob", 9, 4);
  leaf("c", "cy", 9, 0);
  EXPECT_THAT(order(), ElementsAre("a", "c", "i", "b")) << "each user may have 4 of 10";
}

TEST_F(UserLimits, EntitlementsFollowTheOrder) {
  pool("q", 25);
  tree.set_capacity(kMap, 12);
  const auto a1 = leaf("a1", "ann", 99);
  const auto a2 = leaf("a2", "ann", 99);
  const auto b = leaf("b", "bob", 4);
  EXPECT_EQ(tree.fair_share(b, kMap), 4);
  tree.set_demand(b, kMap, 99);
  EXPECT_EQ(tree.fair_share(b, kMap), 6);
  EXPECT_EQ(tree.fair_share(a1, kMap) + tree.fair_share(a2, kMap), 6);
}

TEST_F(UserLimits, OfAQueueLetItsUsersComeOneAfterTheOtherAndEachOnlySoFar) {
  pool("q", 25, PoolOrder::fifo);
  tree.set_capacity(kMap, 12);
  const auto a1 = leaf("a1", "ann", 4);
  const auto a2 = leaf("a2", "ann", 99);
  const auto b = leaf("b", "bob", 99);
  EXPECT_THAT(hand_out(12), ElementsAre(std::pair("a1", 4), std::pair("a2", 2), std::pair("b", 6)));
  EXPECT_EQ(tree.fair_share(a1, kMap), 4);
  EXPECT_EQ(tree.fair_share(a2, kMap), 2);
  EXPECT_EQ(tree.fair_share(b, kMap), 6);
  tree.set_demand(b, kMap, 1);
  EXPECT_EQ(tree.fair_share(a2, kMap), 7) << "what nobody else wants";
}

TEST_F(UserLimits, AreOfEachPoolAndNotOfTheOrdersThatHaveNone) {
  pool("q", 25);
  ASSERT_TRUE(tree.declare_pool({"f"}).ok());
  tree.set_capacity(kMap, 8);
  EXPECT_TRUE(tree.any_user_limit());
  PoolSpec fair{.name = "q"};
  fair.user_limit = 25;
  ASSERT_TRUE(tree.set_pool(fair).ok());
  EXPECT_FALSE(tree.any_user_limit());
}

TEST_F(UserLimits, AreFromOneToAHundredPercent) {
  PoolSpec spec{.name = "x", .order = PoolOrder::capacity};
  for (const auto wrong : {0u, 101u}) {
    spec.user_limit = wrong;
    EXPECT_THAT(tree.declare_pool(spec).error().message, HasSubstr("not from 1 to 100"));
  }
}

TEST_F(UserLimits, CountForLeavesThatWereThereBeforeThePoolWasDeclared) {
  ASSERT_TRUE(tree.declare_pool({"q.inner"}).ok());
  tree.set_capacity(kMap, 4);
  leaf("a1", "ann", 9, 1);
  leaf("a2", "ann", 9, 1);
  leaf("b", "bob", 9, 1);
  PoolSpec spec{.name = "q", .order = PoolOrder::capacity};
  spec.user_limit = 25;
  ASSERT_TRUE(tree.declare_pool(spec).ok());
  EXPECT_THAT(order(), ElementsAre("b", "a1", "a2"));
}

}  // namespace
}  // namespace proffer
