// Clients that are killed, and others that go on where they were.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cluster.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using testing::eventually;
using ::testing::HasSubstr;
using testing::read_file;

struct Resuming : ::testing::Test {
  static constexpr int kMaps = 8;
  Cluster cluster{2};
  std::string folder = cluster.folder().path();
  std::string state = folder + "/state";
  std::string log = folder + "/log";
  std::string starts = folder + "/starts";

  std::size_t started() const {
    const auto text = read_file(starts);
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
  }
  void let_end() { cluster.folder().file("gate", ""); }
  std::string wait_for_gate() const { return "while [ ! -e " + folder + "/gate ]; do sleep 0.05; done"; }
  bool is_removed() const { return !std::filesystem::exists(state); }
};

TEST_F(Resuming, AJobKilledAtHalfOfItsMapsGoesOnAndFinishedMapsAreNotRunAgain) {
  const auto local = cluster.folder().file("numbers", testing::numbered_blocks(kMaps, 1024));
  ASSERT_EQ(cluster({"put", "--block-size", "1KiB", local, "/in"}).exit_code, 0);
  const auto mapper =
      "read -r n; echo $n >> " + starts + "; if [ $n -ge 4 ]; then " + wait_for_gate() + "; fi; echo $n";
  auto former = cluster.start(
      {"mr", "--state-dir", state, "-input", "/in", "-output", "/out", "-mapper", mapper, "-reducer", "cat"},
      log);
  ASSERT_TRUE(eventually([&] { return started() == kMaps && cluster.running("mr") == 4; }, 60s))
      << read_file(log);
  EXPECT_THAT(read_file(log), HasSubstr("proffer mr --resume " + state));
  former.signal(SIGKILL);
  former.wait_exit(10s);
  auto later = cluster.start({"mr", "--resume", state}, log);
  let_end();
  ASSERT_EQ(later.wait_exit(60s), 0) << read_file(log);
  EXPECT_EQ(started(), kMaps) << "no map was run again";
  EXPECT_EQ(cluster({"cat", "/out"}).out, "0\n1\n2\n3\n4\n5\n6\n7\n");
  EXPECT_TRUE(is_removed());
}

TEST_F(Resuming, ARunKilledInBetweenGoesOnAndShowsWhatItsTasksWrite) {
  const auto script = "echo {} >> " + starts + "; " + wait_for_gate() + "; echo task {}";
  auto former = cluster.start({"run", "--state-dir", state, "-n", "2", "--", "sh", "-c", script}, log);
  ASSERT_TRUE(eventually([&] { return started() == 2; }, 60s)) << read_file(log);
  former.signal(SIGKILL);
  former.wait_exit(10s);
  let_end();
  const auto later = cluster({"run", "--resume", state});
  EXPECT_EQ(later.exit_code, 0) << later.err;
  EXPECT_THAT(later.out, HasSubstr("task 0\n"));
  EXPECT_THAT(later.out, HasSubstr("task 1\n"));
  EXPECT_EQ(started(), 2u);
  EXPECT_TRUE(is_removed());
}

TEST_F(Resuming, WhereThereIsNothingToGoOnWithThatIsSaid) {
  const auto nowhere = cluster({"mr", "--resume", folder + "/none"});
  EXPECT_NE(nowhere.exit_code, 0);
  EXPECT_THAT(nowhere.err, HasSubstr(folder + "/none"));
  const std::string home = ::getenv("XDG_STATE_HOME");
  ::setenv("XDG_STATE_HOME", folder.c_str(), 1);
  const auto none = cluster({"run", "--resume"});
  ::setenv("XDG_STATE_HOME", home.c_str(), 1);
  EXPECT_NE(none.exit_code, 0);
  EXPECT_THAT(none.err, HasSubstr("there is nothing to go on with"));
}

TEST_F(Resuming, AFolderInUseIsNotTakenByAnotherCommand) {
  const auto file = cluster.folder().file("mine", "");
  const auto taken = cluster({"run", "--state-dir", folder, "--", "true"});
  EXPECT_NE(taken.exit_code, 0);
  EXPECT_THAT(taken.err, HasSubstr("is in use"));
  EXPECT_TRUE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace proffer
