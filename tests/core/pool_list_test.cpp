// All settings of a pool, by their one list.
#include "proffer/pool_list.hpp"

#include <gmock/gmock.h>

#include "proffer/limits.hpp"

namespace proffer {
namespace {

/// A pool no setting of which is as usual.
AllocatorPool unusual_pool() {
  AllocatorPool pool;
  pool.share = {"research.ml", 2500, {}, PoolOrder::capacity, 3, 2, std::chrono::seconds(20), 50};
  pool.share.min_share.set(Kind("map"), 7);
  pool.racks = {"r1"};
  pool.agents = {"a7", "a8"};
  pool.private_agents = 4;
  pool.return_after = std::chrono::seconds(9);
  return pool;
}

TEST(PoolList, EverySettingThatIsWishedForIsSet) {
  ChangePool change;
  for_each_pool_setting(
      [&](const auto& setting) { EXPECT_TRUE(add_setting(setting.key, unusual_pool(), change)); });
  AllocatorPool pool;
  pool.share.name = "research.ml";
  ASSERT_TRUE(apply_settings(change, pool));
  EXPECT_EQ(pool, unusual_pool());
}

TEST(PoolList, AKeyThatIsNotListedIsNoSetting) {
  ChangePool change;
  EXPECT_FALSE(add_setting("colour", unusual_pool(), change));
  EXPECT_EQ(change, ChangePool{});
}

TEST(PoolList, AnEmptyChangeSetsNothing) {
  auto pool = unusual_pool();
  ASSERT_TRUE(apply_settings(ChangePool{}, pool));
  EXPECT_EQ(pool, unusual_pool());
}

TEST(PoolList, ATimeoutOfZeroIsNone) {
  ChangePool change;
  change.min_share_timeout = Duration::zero();
  auto pool = unusual_pool();
  ASSERT_TRUE(apply_settings(change, pool));
  EXPECT_FALSE(pool.share.min_share_timeout);
}

TEST(PoolList, ValuesOutOfRangeAreRefused) {
  auto pool = unusual_pool();
  ChangePool change;
  change.return_after = Duration::zero();
  EXPECT_EQ(apply_settings(change, pool).error().message, "return_after is above 0");
  change = {};
  change.order = "lifo";
  EXPECT_EQ(apply_settings(change, pool).error().message,
            "there is no order 'lifo': it is fair, fifo or capacity");
  change = {};
  change.min_share[Kind("map")] = -1;
  EXPECT_EQ(apply_settings(change, pool).error().message, "a min share of -1");
}

TEST(PoolList, ALineOfAnEventLogKeepsWhatAShareTreeNeeds) {
  auto spec = unusual_pool().share;
  spec.min_share_timeout.reset();  // in no trace
  EXPECT_EQ(spec_of(pool_note(unusual_pool())), spec);
}

TEST(PoolList, DescribeShowsTheFirstPlacesOnly) {
  auto pool = unusual_pool();
  for (std::size_t i = 0; i < kPlacesShown + 5; ++i) pool.racks.insert("rack" + std::to_string(i));
  PoolState state;
  describe_settings(pool, state);
  EXPECT_EQ(state.racks.size(), kPlacesShown);
  EXPECT_EQ(state.order, "capacity");
  EXPECT_EQ(state.return_after, pool.return_after);
}

}  // namespace
}  // namespace proffer
