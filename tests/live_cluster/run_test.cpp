// `proffer run`, as one meets it first.
#include <gmock/gmock.h>

#include <filesystem>

#include "cluster.hpp"

namespace proffer {
namespace {

using testing::Cluster;
using ::testing::HasSubstr;

TEST(Run, ShowsWhatTheTaskWrites) {
  Cluster cluster(1);
  const auto ran = cluster({"run", "--", "sh", "-c", "echo hello; echo oh >&2"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, "hello\n");
  EXPECT_THAT(ran.err, HasSubstr("oh\ntask 0 on n01 finished"));
}

TEST(Run, FindsTheClusterThroughTheUsersFile) {
  Cluster cluster(1);
  const testing::Folder folder;
  std::filesystem::create_directory(folder.path() + "/proffer");
  const auto& allocator = cluster.processes().allocator_endpoint();
  folder.file("proffer/proffer.toml", "[client]\nallocator = \"" + allocator + "\"\n");
  ::setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
  EXPECT_EQ(testing::proffer({"status"}).exit_code, 0);
  const auto elsewhere = testing::proffer({"status", "--allocator", "tcp://127.0.0.1:1"});
  EXPECT_EQ(elsewhere.exit_code, 3) << "a flag wins";
  folder.file("proffer/proffer.toml", "[client]\nallocater = \"x\"\n");
  const auto wrong = testing::proffer({"status"});
  ::unsetenv("XDG_CONFIG_HOME");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("proffer.toml:2:1"));
}

}  // namespace
}  // namespace proffer
