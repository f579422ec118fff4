// Bulk resources: offers of several kinds at once, by dominant shares.
#include <gtest/gtest.h>

#include "proffer/bulk.hpp"
#include "proffer/random.hpp"
#include "tests/allocator/stage.hpp"
#include "tests/sharing/linear_program.hpp"

namespace proffer {
namespace {

Resources bulk(std::int64_t cpus, std::int64_t memory) { return {{kCpus, cpus}, {kMemory, memory}}; }

/// The demand for so many tasks of a size.
Demand tasks(std::int64_t count, const Resources& size) {
  Demand demand;
  for (const auto kind : kBulkKinds) demand.kinds[kind] = count * size[kind];
  demand.task = {size.begin(), size.end()};
  return demand;
}

void want(Stage& s, const std::string& framework, const Demand& demand) {
  s.say(framework, Revive{{kCpus}, demand});
}

/// A framework that wants nothing else.
void framework(Stage& s, const std::string& name, const Demand& demand, const std::string& pool = "") {
  s.framework(name, {.demand = 0, .pool = pool});
  want(s, name, demand);
}

TaskSpec task(const Stage& s, const std::string& id, const Resources& size) {
  auto spec = s.task(id);
  spec.resources = size;
  return spec;
}

std::string accept(Stage& s, const std::string& framework, const TaskSpec& task, const Demand& demand,
                   DeclineReason rest = DeclineReason::no_pending_task) {
  Accept accept;
  accept.accept = 1;
  accept.offers = s.held(framework, "a1");
  accept.tasks = {task};
  accept.rest_refuse_for = Duration::zero();
  accept.rest_reason = rest;
  accept.demand = demand;
  return s.accept(framework, accept);
}

// The example of Ghodsi et al., NSDI 2011, §4.1.
TEST(Bulk, OffersAreByDominantShareTaskByTask) {
  Stage s;
  framework(s, "a", tasks(1000, bulk(1000, 4)));
  framework(s, "b", tasks(1000, bulk(3000, 1)));
  s.agent("a1", bulk(9000, 18));
  EXPECT_EQ(s.offers("a"), "a1:cpus:3000:memory:12");
  EXPECT_EQ(s.offers("b"), "a1:cpus:6000:memory:2");
}

TEST(Bulk, SlotsAreOfferedBesideThem) {
  Stage s;
  s.framework("f", {.demand = 2});
  want(s, "f", tasks(1, bulk(1000, 100)));
  s.agent("a1", {{kMap, 2}, {kCpus, 4000}, {kMemory, 1000}});
  EXPECT_EQ(s.offers("f"), "a1:cpus:1000:memory:100 a1:2");
}

TEST(Bulk, WhoDoesNotSayWhatATaskTakesIsOfferedAllThatIsFree) {
  Stage s;
  auto demand = tasks(1, bulk(1000, 4));
  demand.task.clear();
  framework(s, "f", demand);
  s.agent("a1", bulk(9000, 18));
  EXPECT_EQ(s.offers("f"), "a1:cpus:9000:memory:18");
}

TEST(Bulk, NobodyIsOfferedWhatNoTaskOfHisFitsInto) {
  Stage s;
  framework(s, "large", tasks(10, bulk(1000, 20)));
  s.agent("a1", bulk(9000, 18));
  EXPECT_EQ(s.offers("large"), "");
  want(s, "large", tasks(10, bulk(1000, 10)));
  EXPECT_EQ(s.offers("large"), "a1:cpus:1000:memory:10*");
}

TEST(Bulk, TasksTakeTheirPartAndTheRestIsOfferedOn) {
  Stage s;
  framework(s, "f", tasks(1, bulk(2000, 8)));
  framework(s, "g", tasks(9, bulk(1000, 1)));
  s.agent("a1", bulk(8000, 18));
  EXPECT_EQ(s.offers("f"), "a1:cpus:2000:memory:8");
  EXPECT_EQ(s.offers("g"), "a1:cpus:6000:memory:6");
  EXPECT_EQ(accept(s, "f", task(s, "t", bulk(1000, 4)), tasks(1, bulk(1000, 4))), "t");
  EXPECT_EQ(s.offers("g"), "a1:cpus:1000:memory:1");
  s.ack_launch("a1", "t");
  s.finish("a1", "t");
  EXPECT_EQ(s.offers("f"), "a1:cpus:1000:memory:4");
  EXPECT_EQ(s.offers("g"), "");
}

TEST(Bulk, ATaskThatTakesMoreThanWasOfferedIsTooLarge) {
  Stage s;
  framework(s, "f", tasks(1, bulk(2000, 8)));
  s.agent("a1", bulk(8000, 18));
  s.offers("f");
  EXPECT_EQ(accept(s, "f", task(s, "t", bulk(2000, 9)), {}), "t=REJECTED(too-large)");
}

TEST(Bulk, WhoFindsAllTooSmallIsNotShownItAgainAndAgain) {
  Stage s;
  framework(s, "f", tasks(9, bulk(1000, 1)));
  s.agent("a1", bulk(8000, 18));
  EXPECT_EQ(s.offers("f"), "a1:cpus:8000:memory:8");
  s.decline("f", "a1", {DeclineReason::too_small, {}, {}});
  EXPECT_EQ(s.offers("f"), "");
  want(s, "f", tasks(9, bulk(500, 1)));
  EXPECT_EQ(s.offers("f"), "a1:cpus:4500:memory:9*");
}

TEST(Bulk, WhatIsLeftOfAnOfferComesBackWithWhatElseIsFree) {
  Stage s;
  framework(s, "f", tasks(1, bulk(4000, 9)));
  s.agent("a1", bulk(8000, 18));
  EXPECT_EQ(s.offers("f"), "a1:cpus:4000:memory:9");
  auto demand = tasks(1, bulk(4000, 9));
  demand.kinds[kCpus] += 1000;
  demand.kinds[kMemory] += 1;
  EXPECT_EQ(accept(s, "f", task(s, "t", bulk(1000, 1)), demand, DeclineReason::too_small), "t");
  EXPECT_EQ(s.offers("f"), "a1:cpus:4000:memory:9");
}

TEST(Bulk, TasksOfUnlikeSizesAreOfferedTheMostOrWhatThereIs) {
  Stage s;
  auto demand = tasks(9, bulk(8000, 48));
  demand.least = {{kCpus, 1000}, {kMemory, 1}};
  framework(s, "f", demand);
  s.agent("a1", bulk(9000, 18));
  s.agent("a2", bulk(2000, 64));
  EXPECT_EQ(s.offers("f"), "a1:cpus:8000:memory:18 a2:cpus:2000:memory:48");
}

TEST(Bulk, TinyTasksAreOfferedSeveralAtATime) {
  Stage s;
  framework(s, "f", tasks(100'000, bulk(1, 1)));
  framework(s, "g", tasks(100'000, bulk(1, 1)));
  s.agent("a1", bulk(64'000, 64'000));
  EXPECT_EQ(s.offers("f"), "a1:cpus:32004:memory:32004");
  EXPECT_EQ(s.offers("g"), "a1:cpus:31996:memory:31996");
}

TEST(Bulk, MemoryAloneIsNobodys) {
  Stage s;
  s.agent("a1", {{kMap, 1}, {kMemory, 4}});
  EXPECT_EQ(s.error("a1"), ErrorCode::invalid);
}

TEST(Bulk, WhatWasDeclinedAsTooSmallIsNotShownAgainWithoutMore) {
  Stage s;
  auto demand = tasks(9, bulk(1000, 1));
  demand.task.clear();
  framework(s, "f", demand);
  framework(s, "g", tasks(1, bulk(1000, 9)));
  s.agent("a1", bulk(4000, 9));
  EXPECT_EQ(s.offers("f"), "a1:cpus:4000:memory:9");
  s.decline("f", "a1", {DeclineReason::too_small, {}, {}});
  EXPECT_EQ(s.offers("g"), "a1:cpus:1000:memory:9");
  EXPECT_EQ(s.offers("f"), "");
  accept(s, "g", task(s, "t", bulk(500, 9)), tasks(1, bulk(500, 9)));
  EXPECT_EQ(s.offers("f"), "");  // no more than f has seen
  s.agent("a2", bulk(1000, 1));
  EXPECT_EQ(s.offers("f"), "a2:cpus:1000:memory:1");
}

TEST(Bulk, ATasksSizeNamesCpusAndNoSlots) {
  Stage s;
  s.framework("f", {.demand = 0});
  auto demand = tasks(1, Resources{{kMemory, 5}});
  want(s, "f", demand);
  EXPECT_EQ(s.error("f"), ErrorCode::invalid);
}

TEST(Bulk, PoolsWithGuaranteesAreToldThatBulkHasNone) {
  AllocatorPool pool{{"p"}};
  pool.share.min_share.set(kCpus, 1000);
  Stage s(with_pools({pool}));
  s.agent("a1", bulk(4000, 9));
  s.pass(5 * kSecond);
  const auto warnings = s.traces<PoolWarned>();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].why.find("without guarantees"), std::string::npos);
}

// ---- against linear programs ----

struct Tenant {
  std::int64_t weight = 1000;
  std::int64_t count = 0;
  Resources size;
};

/// Tasks take between a two-thousandth and a five-hundredth of the cluster in each kind that they need. With
/// smaller ones what is left of a kind when the largest task fits no more may be much to the smallest.
Tenant draw(Random& random, const Resources& cluster) {
  Tenant tenant;
  tenant.weight = 500 * (1 + static_cast<std::int64_t>(random.below(8)));
  tenant.count = 1 + static_cast<std::int64_t>(random.below(1000));
  for (const auto& [kind, units] : cluster) {
    if (kind != kCpus && random.below(4) == 0) continue;
    const auto least = static_cast<std::uint64_t>(units / 2000);
    tenant.size.set(kind, static_cast<std::int64_t>(least + random.below(3 * least)));
  }
  return tenant;
}

double dominant(const Resources& of, const Resources& cluster) {
  double largest = 0;
  for (const auto& [kind, units] : of) largest = std::max(largest, double(units) / double(cluster[kind]));
  return largest;
}

/// Shares that were offered differ from a linear program's by so much at most, as a part of the cluster.
double largest_difference(Random& random) {
  const Resources cluster{{kCpus, 100'000 + std::int64_t(random.below(1'000'000))},
                          {kMemory, 100'000 + std::int64_t(random.below(1'000'000))},
                          {kGpus, 10'000 + std::int64_t(random.below(10'000))}};
  std::vector<Tenant> tenants;
  std::vector<AllocatorPool> pools;
  std::vector<sharing::BulkClaim> claims;
  for (auto n = 2 + random.below(6); n > 0; --n) {
    tenants.push_back(draw(random, cluster));
    const auto& tenant = tenants.back();
    pools.push_back({{"p" + std::to_string(pools.size()), tenant.weight}});
    claims.push_back({tenant.weight, {}});
    for (const auto& [kind, units] : cluster)
      claims.back().demand.push_back(tenant.count * tenant.size[kind]);
  }
  auto config = with_pools(pools);
  Stage s(config);
  s.check_every(1000);
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    framework(s, "f" + std::to_string(i), tasks(tenants[i].count, tenants[i].size), pools[i].share.name);
  }
  s.agent("a1", cluster);
  sharing::Amounts capacity;
  for (const auto& [kind, units] : cluster) capacity.push_back(units);
  const auto parts = sharing::dominant_parts_by_linear_programs(capacity, claims);
  double largest = 0;
  for (std::size_t i = 0; i < tenants.size(); ++i) {
    Resources held;
    for (const auto& offer : s.client("f" + std::to_string(i)).offers) held += offer.resources;
    Resources wanted;
    for (const auto& [kind, units] : tenants[i].size) wanted.set(kind, units * tenants[i].count);
    largest = std::max(largest, std::abs(dominant(held, cluster) - parts[i] * dominant(wanted, cluster)));
  }
  return largest;
}

TEST(Bulk, OffersOfAThousandRandomClustersAreThoseOfLinearProgramsUpToAFewTasks) {
  double largest = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Random random(seed);
    const auto difference = largest_difference(random);
    EXPECT_LE(difference, 0.01) << "seed " << seed;
    largest = std::max(largest, difference);
  }
  RecordProperty("largest_difference", std::to_string(largest));
  std::cout << "largest difference: " << largest << '\n';
}

}  // namespace
}  // namespace proffer
