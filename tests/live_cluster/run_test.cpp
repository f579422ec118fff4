// `proffer run`, as one meets it first.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

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

TEST(Run, GivesEachTaskItsPartOfBulkResourcesAndTellsItSo) {
  Cluster cluster(1, "", {{Kind("map"), 1}, {Kind("cpus"), 3000}, {Kind("memory"), 2048}});
  const auto folder = cluster.folder().path();
  const auto all_there = "while [ $(ls " + folder + " | grep -c ^task-) -lt 2 ]; do sleep 0.02; done";
  const auto ran = cluster({"run", "-n", "2", "--need", "cpus=1.5,memory=1GiB", "--", "sh", "-c",
                            "touch " + folder + "/task-{}; " + all_there +
                                "; echo $PROFFER_CPUS processors and $PROFFER_MEMORY_MIB MiB"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.out, "1.5 processors and 1024 MiB\n1.5 processors and 1024 MiB\n");
  EXPECT_THAT(cluster({"status"}).out, HasSubstr("cpus=3 map=1 memory=2GiB"));
}

TEST(Run, StartsARigidBagWhenThereAreSlotsForAllOfIt) {
  Cluster cluster(4, "", {{Kind("map"), 2}});
  const auto folder = cluster.folder().path();
  const auto wait_for = [&](const std::string& what) { return "while " + what + "; do sleep 0.02; done"; };
  auto others = cluster.start({"run", "-n", "4", "--", "sh", "-c",
                               "touch " + folder + "/other-{}; " + wait_for("[ ! -e " + folder + "/gate ]")},
                              folder + "/others");
  const auto soon = std::chrono::seconds(30);
  ASSERT_TRUE(testing::eventually([&] { return std::filesystem::exists(folder + "/other-3"); }, soon));
  // Each of the bag waits until it sees all of them: they would wait for ever if some were not started.
  const auto all_there = "[ $(ls " + folder + " | grep -c ^rank-) -lt 6 ]";
  auto ranks = cluster.start({"run", "-n", "6", "--rigid", "--", "sh", "-c",
                              "touch " + folder + "/rank-{}; " + wait_for(all_there) + "; echo done {}"},
                             folder + "/ranks");
  const auto holds_four = [&] {
    auto status = cluster({"status", "-o", "json"}).out;
    std::erase_if(status, [](char c) { return c == ' ' || c == '\n'; });
    return status.find("\"offered\":{\"map\":4}") != std::string::npos;
  };
  ASSERT_TRUE(testing::eventually(holds_four, soon));
  EXPECT_FALSE(std::filesystem::exists(folder + "/rank-0")) << "none starts before all can";
  cluster.folder().file("gate", "");
  EXPECT_EQ(ranks.wait_exit(soon), 0) << testing::read_file(folder + "/ranks");
  EXPECT_EQ(others.wait_exit(soon), 0);
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
