#include "core/sharing/dominant_filling.hpp"

#include <gmock/gmock.h>

#include "proffer/bulk.hpp"
#include "proffer/random.hpp"
#include "proffer/sharing/share_tree.hpp"
#include "tests/sharing/linear_program.hpp"

namespace proffer::sharing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kMany = 1000;

/// So many tasks of a size, as a demand.
BulkClaim tasks(std::int64_t count, Amounts size, std::int64_t weight = 1000) {
  for (auto& units : size) units *= count;
  return {weight, std::move(size)};
}

TEST(DominantFilling, NobodyClaimsNothing) { EXPECT_THAT(dominant_filling({9, 18}, {9, 18}, {}), IsEmpty()); }

// The example of Ghodsi et al., NSDI 2011, §4.1: 9 processors and 18 GB; tasks of <1, 4> and of <3, 1>.
TEST(DominantFilling, SharesAreThoseOfThePapersExample) {
  EXPECT_THAT(dominant_filling({9000, 18000}, {9000, 18000},
                               {tasks(kMany, {1000, 4000}), tasks(kMany, {3000, 1000})}),
              ElementsAre(ElementsAre(3000, 12000), ElementsAre(6000, 2000)));
}

TEST(DominantFilling, DominantSharesFollowWeights) {
  EXPECT_THAT(
      dominant_filling({9000, 9000}, {9000, 9000}, {tasks(kMany, {1000, 0}), tasks(kMany, {1000, 0}, 2000)}),
      ElementsAre(ElementsAre(3000, 0), ElementsAre(6000, 0)));
}

TEST(DominantFilling, WhoHasAllHeWantsLeavesTheRestToTheOthers) {
  EXPECT_THAT(dominant_filling({9000, 9000}, {9000, 9000}, {tasks(1, {1000, 500}), tasks(kMany, {1000, 0})}),
              ElementsAre(ElementsAre(1000, 500), ElementsAre(8000, 0)));
}

TEST(DominantFilling, WhoNeedsNothingOfAKindThatIsUsedUpGoesOnRising) {
  EXPECT_THAT(dominant_filling({1000, 1000}, {1000, 1000},
                               {tasks(kMany, {10, 0}), tasks(kMany, {10, 0}), tasks(kMany, {0, 10})}),
              ElementsAre(ElementsAre(500, 0), ElementsAre(500, 0), ElementsAre(0, 1000)));
}

TEST(DominantFilling, ADemandForAKindThatIsNotThereIsNotMet) {
  EXPECT_THAT(dominant_filling({1000, 0}, {1000, 0}, {tasks(kMany, {1, 1}), tasks(kMany, {1, 0})}),
              ElementsAre(ElementsAre(0, 0), ElementsAre(1000, 0)));
}

struct Cluster {
  Amounts capacity;
  std::vector<BulkClaim> claims;
};

std::int64_t between(Random& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

/// One to three kinds, up to ten claims: with other weights, without need of some kinds, soon content.
Cluster draw(Random& random) {
  Cluster cluster;
  const auto kinds = 1 + random.below(3);
  for (std::uint64_t k = 0; k < kinds; ++k)
    cluster.capacity.push_back(between(random, 1'000'000, 1'000'000'000));
  for (auto n = 1 + random.below(10); n > 0; --n) {
    Amounts demand;
    for (const auto capacity : cluster.capacity) {
      demand.push_back(random.below(4) == 0 ? 0 : between(random, capacity / 1000, 2 * capacity));
    }
    if (demand[0] == 0) demand[0] = 1 + cluster.capacity[0] / 100;  // tasks take some processors
    cluster.claims.push_back({between(random, 1, 8) * 500, std::move(demand)});
  }
  return cluster;
}

TEST(DominantFilling, SharesOfAThousandRandomClustersAreThoseOfLinearPrograms) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    const auto [capacity, claims] = draw(random);
    const auto shares = dominant_filling(capacity, capacity, claims);
    const auto parts = dominant_parts_by_linear_programs(capacity, claims);
    for (std::size_t i = 0; i < claims.size(); ++i) {
      for (std::size_t k = 0; k < capacity.size(); ++k) {
        const auto exact = parts[i] * static_cast<double>(claims[i].demand[k]);
        EXPECT_NEAR(static_cast<double>(shares[i][k]), exact, 1 + 1e-6 * static_cast<double>(capacity[k]))
            << "seed " << seed << ", claim " << i << ", kind " << k;
      }
    }
  }
}

// ---- the tree ----

LeafId leaf(ShareTree& tree, const std::string& name, const std::string& pool = "") {
  return tree.add_leaf(pool, {.name = name}).value();
}

void demand(ShareTree& tree, LeafId leaf, std::int64_t cpus, std::int64_t memory) {
  tree.set_demand(leaf, kCpus, cpus);
  tree.set_demand(leaf, kMemory, memory);
}

ShareTree papers_example() {
  ShareTree tree;
  tree.set_capacity(kCpus, 9000);
  tree.set_capacity(kMemory, 18000);
  return tree;
}

TEST(BulkShares, LeavesAreEntitledByDominantShareWhateverSlotsAreSharedBy) {
  auto tree = papers_example();
  const auto a = leaf(tree, "a");
  const auto b = leaf(tree, "b");
  demand(tree, a, 1'000'000, 4'000'000);
  demand(tree, b, 3'000'000, 1'000'000);
  EXPECT_EQ(tree.fair_share(a, kCpus), 3000);
  EXPECT_EQ(tree.fair_share(a, kMemory), 12000);
  EXPECT_EQ(tree.fair_share(b, kCpus), 6000);
  EXPECT_EQ(tree.fair_share(b, kMemory), 2000);
  tree.check_invariants();
}

TEST(BulkShares, SharesFollowAChangeOfAnotherKind) {
  auto tree = papers_example();
  const auto a = leaf(tree, "a");
  const auto b = leaf(tree, "b");
  demand(tree, a, 9000, 36000);
  demand(tree, b, 9000, 0);
  EXPECT_EQ(tree.fair_share(b, kCpus), 6000);  // a is at two thirds of the memory
  tree.set_demand(a, kMemory, 0);
  EXPECT_EQ(tree.fair_share(b, kCpus), 4500);
  tree.check_invariants();
}

TEST(BulkShares, TheNeediestIsWhoseDominantShareIsLeast) {
  auto tree = papers_example();
  const auto a = leaf(tree, "a");
  const auto b = leaf(tree, "b");
  demand(tree, a, 90000, 90000);
  demand(tree, b, 90000, 90000);
  tree.set_used(a, kCpus, 1000);
  tree.set_used(a, kMemory, 4000);  // 2/9
  tree.set_used(b, kCpus, 3000);    // 1/3
  const auto anybody = [](LeafId) { return true; };
  EXPECT_EQ(tree.neediest(kCpus, anybody), a);
  tree.set_used(a, kMemory, 8000);  // 4/9
  EXPECT_EQ(tree.neediest(kCpus, anybody), b);
  tree.check_invariants();
}

TEST(BulkShares, PoolsDivideWhatTheyAreEntitledTo) {
  auto tree = papers_example();
  ASSERT_TRUE(tree.declare_pool({"p", 2000}).ok());
  const auto alone = leaf(tree, "alone");
  const auto first = leaf(tree, "first", "p");
  const auto second = leaf(tree, "second", "p");
  for (const auto each : {alone, first, second}) demand(tree, each, 90000, 0);
  EXPECT_EQ(tree.fair_share(alone, kCpus), 3000);
  EXPECT_EQ(tree.fair_share(first, kCpus), 3000);
  EXPECT_EQ(tree.fair_share(second, kCpus), 3000);
}

}  // namespace
}  // namespace proffer::sharing
