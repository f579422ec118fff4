// Agents whose disks are full, as those who write into the store meet them.
#include <gmock/gmock.h>

#include "store_cluster.hpp"
#include "tests/live_host/small_disk.hpp"

namespace proffer::live {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

TEST(FullAgents, PutSaysThatThereIsNoSpaceAndWhereAndWorksWhenThereIsSome) {
  const test::SmallDisk disk("16m");
  if (!disk.mounted()) GTEST_SKIP() << "a test of full disks needs the right to mount a file system";
  StoreCluster cluster({2, 2, {}, {}, disk.path()});
  const auto client = cluster.client();
  const TempDir local;
  const auto file = local.write("file", std::string(2 << 20, 'x'));
  disk.fill();
  const StoreOptions options{2, 2 << 20, seconds(10)};
  const auto refused = put_path(cluster.context(), *client, file, "/f", options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(to_string(refused.error().code), "no-space");
  EXPECT_THAT(refused.error().message, HasSubstr("no agent could store a block of /f: no space is left"));
  EXPECT_THAT(refused.error().message, HasSubstr(cluster.endpoint(1)));
  EXPECT_THAT(refused.error().message, HasSubstr(cluster.endpoint(2)));
  disk.make_room();
  EXPECT_TRUE(put_path(cluster.context(), *client, file, "/f", options).ok());
}

}  // namespace
}  // namespace proffer::live
