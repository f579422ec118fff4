// Fair shares as real numbers.
#include "study/measures/fair_shares.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <random>

#include "proffer/sharing/share_tree.hpp"

namespace proffer::study {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

const Kind kMaps{"map"};

/// Pools with these settings, and tenants in them.
FairShares tree_of(const std::vector<PoolSpec>& pools, const std::vector<FairShares::Tenant>& tenants) {
  Plan plan;
  for (const auto& pool : pools) plan.allocator.pools.push_back({pool});
  FairShares shares(plan);
  for (const auto& tenant : tenants) shares.add(tenant);
  return shares;
}

PoolSpec weighing(const std::string& name, std::int64_t weight) {
  PoolSpec pool;
  pool.name = name;
  pool.weight_milli = weight * 1000;
  return pool;
}

TEST(Fill, IsNotRoundedToWholeSlots) {
  EXPECT_THAT(fill(16, {{3, 0, 100}, {2, 0, 100}, {1, 0, 100}}),
              ElementsAre(DoubleNear(8, 1e-9), DoubleNear(16 / 3.0, 1e-9), DoubleNear(8 / 3.0, 1e-9)));
}

TEST(Fill, GivesWhatSomeDoNotWantToTheOthers) {
  EXPECT_THAT(fill(10, {{1, 0, 1}, {1, 0, kNoLimit}, {2, 0, kNoLimit}}),
              ElementsAre(1, DoubleNear(3, 1e-9), DoubleNear(6, 1e-9)));
}

TEST(Fill, KeepsGuaranteesAndScalesThemDownWhereTheyAreTooMany) {
  EXPECT_THAT(fill(10, {{1, 7, 8}, {1, 0, 100}}), ElementsAre(7, DoubleNear(3, 1e-9)));
  EXPECT_THAT(fill(10, {{1, 15, 20}, {1, 5, 20}}), ElementsAre(DoubleNear(7.5, 1e-9), DoubleNear(2.5, 1e-9)));
}

TEST(FairShares, GoLevelByLevel) {
  const auto shares = tree_of({weighing("a", 1), weighing("b", 2)}, {{"x", "a"}, {"y", "a"}, {"z", "b"}});
  EXPECT_THAT(shares.split(kMaps, 10, {100, 100, 100}),
              Pointwise(DoubleNear(1e-9), {10 / 6.0, 10 / 6.0, 20 / 3.0}));
}

TEST(FairShares, OfAPoolInOrderGoToWhoCameFirst) {
  PoolSpec fifo;
  fifo.name = "q";
  fifo.order = PoolOrder::fifo;
  const auto shares = tree_of({fifo}, {{"x", "q"}, {"y", "q", "", Priority::high}, {"z", "q"}});
  EXPECT_THAT(shares.split(kMaps, 10, {6, 3, 6}), Pointwise(DoubleNear(1e-9), {6, 3, 1}));
}

TEST(FairShares, OfAUserAreLimitedWhileOthersWantMore) {
  PoolSpec limited;
  limited.name = "q";
  limited.order = PoolOrder::capacity;
  limited.user_limit = 25;
  const auto shares = tree_of({limited}, {{"x", "q", "ann"}, {"y", "q", "ann"}, {"z", "q", "bob"}});
  EXPECT_THAT(shares.split(kMaps, 12, {100, 100, 100}), Pointwise(DoubleNear(1e-9), {3, 3, 6}));
  EXPECT_THAT(shares.split(kMaps, 12, {100, 100, 2}), Pointwise(DoubleNear(1e-9), {5, 5, 2}));
}

TEST(FairShares, WaitWhereALimitHoldsThem) {
  PoolSpec one;
  one.name = "q";
  one.max_running = 1;
  const auto shares = tree_of({one}, {{"x", "q"}, {"y", "q"}, {"z", ""}});
  EXPECT_FALSE(shares.waits(0));
  EXPECT_TRUE(shares.waits(1));
  EXPECT_FALSE(shares.waits(2));
}

/// Other code must agree: each level of the allocator's tree rounds by less than a slot.
TEST(FairShares, AreThoseOfTheAllocatorButForRounding) {
  std::mt19937_64 random(7);
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  for (int round = 0; round < 300; ++round) {
    std::vector<PoolSpec> pools;
    for (const auto* name : {"a", "b", "a.c"}) {
      pools.push_back(weighing(name, draw(1, 4)));
      if (draw(0, 1) == 1) pools.back().min_share.set(kMaps, draw(0, 12));
      if (draw(0, 3) == 0) pools.back().order = PoolOrder::fifo;
      if (pools.back().order != PoolOrder::fair) pools.back().min_share = {};
    }
    const std::vector<std::string> places{"", "a", "b", "a.c"};
    std::vector<FairShares::Tenant> tenants;
    ShareTree tree;
    for (const auto& pool : pools) ASSERT_TRUE(tree.declare_pool(pool));
    tree.set_capacity(kMaps, draw(1, 60));
    std::vector<double> demands;
    std::vector<LeafId> leaves;
    for (int i = 0; i < 8; ++i) {
      tenants.push_back({"t" + std::to_string(i), places[static_cast<std::size_t>(draw(0, 3))]});
      leaves.push_back(*tree.add_leaf(tenants.back().pool, {.name = tenants.back().name,
                                                            .submitted = static_cast<std::uint64_t>(i)}));
      const auto demand = draw(0, 25);
      demands.push_back(demand);
      tree.set_demand(leaves.back(), kMaps, demand);
    }
    const auto shares =
        tree_of(pools, tenants).split(kMaps, static_cast<double>(tree.capacity(kMaps)), demands);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0),
                std::min(static_cast<double>(tree.capacity(kMaps)),
                         std::accumulate(demands.begin(), demands.end(), 0.0)),
                1e-9);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      EXPECT_NEAR(shares[i], static_cast<double>(tree.fair_share(leaves[i], kMaps)), 3) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace proffer::study
