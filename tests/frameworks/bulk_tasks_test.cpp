// Jobs whose tasks take bulk resources: which of them fit an offer, and what is told of them.
#include <gmock/gmock.h>

#include "proffer/bulk.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer {
namespace {

using namespace proffer::testing;

Offer bulk_offer(std::int64_t cpus, std::int64_t memory) {
  return {OfferId{1, 1}, agent(1), {{kCpus, cpus}, {kMemory, memory}}, false};
}

/// A job of tasks NUMBER-0, NUMBER-1, ... that run anywhere.
JobId bulk_job(PolicyBench& bench, std::uint32_t number, int tasks, const Resources& need) {
  const auto id = bench.job(number, {.need = need});
  for (int i = 0; i < tasks; ++i) {
    bench.pool.add(id, anywhere(std::to_string(number) + "-" + std::to_string(i), kCpus));
  }
  return id;
}

TEST(BulkTasks, AreLaunchedAsLongAsTheyFit) {
  PolicyBench bench("greedy");
  bulk_job(bench, 1, 5, {{kCpus, 1000}, {kMemory, 4}});
  EXPECT_THAT(bench.offers({bulk_offer(9000, 9)}, 0s), ElementsAre("1-0@any", "1-1@any", "too-small"));
}

TEST(BulkTasks, OfOtherJobsTakeWhatTheFirstDoesNotFitInto) {
  PolicyBench bench("greedy");
  bulk_job(bench, 1, 5, {{kCpus, 1000}, {kMemory, 6}});
  bulk_job(bench, 2, 1, {{kCpus, 1000}, {kMemory, 3}});
  EXPECT_THAT(bench.offers({bulk_offer(9000, 9)}, 0s), ElementsAre("1-0@any", "2-0@any", "too-small"));
}

TEST(BulkTasks, GoToTheJobWhoseDominantShareIsLeast) {
  PolicyBench bench("greedy");
  for (const auto& [kind, units] : Resources{{kCpus, 9000}, {kMemory, 18}}) {
    bench.standings.push_back({.kind = kind, .fair = units});
  }
  bulk_job(bench, 1, 9, {{kCpus, 1000}, {kMemory, 4}});
  bulk_job(bench, 2, 9, {{kCpus, 3000}, {kMemory, 1}});
  EXPECT_THAT(bench.offers({bulk_offer(9000, 18)}, 0s),
              ElementsAre("1-0@any", "2-0@any", "1-1@any", "2-1@any", "1-2@any"));
}

TEST(BulkTasks, AreDemandedInEachKindAndTheLargestIsTold) {
  PolicyBench bench("greedy");
  bulk_job(bench, 1, 2, {{kCpus, 1000}, {kMemory, 6}});
  const auto second = bulk_job(bench, 2, 3, {{kCpus, 2000}, {kMemory, 1}});
  EXPECT_EQ(bench.pool.demand(kCpus), 8000);
  EXPECT_EQ(bench.pool.demand(kMemory), 15);
  EXPECT_EQ(bench.pool.largest_need(), (Resources{{kCpus, 2000}, {kMemory, 6}}));
  EXPECT_EQ(bench.pool.need(second, kCpus), (Resources{{kCpus, 2000}, {kMemory, 1}}));
}

TEST(BulkTasks, HaveAFairShareInTasks) {
  PolicyBench bench("greedy");
  const auto first = bulk_job(bench, 1, 90, {{kCpus, 1000}, {kMemory, 4}});
  const auto second = bulk_job(bench, 2, 90, {{kCpus, 3000}, {kMemory, 1}});
  for (const auto& [kind, units] : Resources{{kCpus, 9000}, {kMemory, 18}}) bench.pool.entitle(kind, units);
  EXPECT_EQ(bench.pool.fair_share(first, kCpus, 9000), 3);
  EXPECT_EQ(bench.pool.fair_share(second, kCpus, 9000), 2);
}

TEST(BulkTasks, RoomForSoManyOfThemIsTrimmedByTheSmallest) {
  PolicyBench bench("greedy");
  bulk_job(bench, 1, 2, {{kCpus, 1000}, {kMemory, 6}});
  bulk_job(bench, 2, 2, {{kCpus, 500}});
  EXPECT_EQ(bench.pool.trimmed({{kCpus, 9000}, {kMemory, 18}}, kCpus, 4),
            (Resources{{kCpus, 2000}, {kMemory, 18}}));
}

}  // namespace
}  // namespace proffer
