// Blocks that lack replicas, and the time after a start.
#include "catalog/tables/lacking.hpp"

#include <gtest/gtest.h>

#include "catalog/tables/settling.hpp"

namespace proffer::catalog {
namespace {

constexpr BlockId kBlock{1};
const AgentId kAgent{Bits128{1, 1}};

Time at(std::int64_t seconds) { return time_from_us(seconds * 1'000'000); }

TEST(LackingBlocks, ABlockLacksReplicasSinceTheFirstScanThatFoundIt) {
  LackingBlocks lacking;
  lacking.scanned({kBlock}, true, at(1));
  lacking.scanned({kBlock}, true, at(5));
  EXPECT_EQ(lacking.since(kBlock), at(1));
  lacking.scanned({}, false, at(6));
  EXPECT_FALSE(lacking.contains(kBlock));
}

TEST(LackingBlocks, AnotherScanIsNeededWhileSomeBlockCanBeCopied) {
  LackingBlocks lacking;
  EXPECT_FALSE(lacking.needs_scan());
  lacking.request_scan();
  EXPECT_TRUE(lacking.needs_scan());
  lacking.scanned({kBlock}, true, at(1));
  EXPECT_TRUE(lacking.needs_scan());
  lacking.scanned({kBlock}, false, at(2));
  EXPECT_FALSE(lacking.needs_scan());
}

TEST(LackingBlocks, AgentsWhoseCopiesFailedAreKnownUntilTheyAreCleared) {
  LackingBlocks lacking;
  lacking.scanned({kBlock}, false, at(1));
  lacking.copy_failed(kBlock, kAgent);
  EXPECT_TRUE(lacking.needs_scan());
  EXPECT_TRUE(lacking.failed(kBlock).contains(kAgent));
  lacking.clear_failures(kBlock);
  EXPECT_TRUE(lacking.failed(kBlock).empty());
}

TEST(Settling, LastsForItsPeriodFromTheFirstStepOn) {
  Settling settling(true, std::chrono::seconds(15));
  EXPECT_FALSE(settling.lasts(at(1)));
  settling.begin(at(1));
  settling.begin(at(10));
  EXPECT_TRUE(settling.lasts(at(15)));
  EXPECT_FALSE(settling.lasts(at(16)));
}

TEST(Settling, NeverLastsWithoutFiles) {
  Settling settling(false, std::chrono::seconds(15));
  settling.begin(at(1));
  EXPECT_FALSE(settling.lasts(at(2)));
}

}  // namespace
}  // namespace proffer::catalog
