// What a task does to the names in its sandbox must not harm its agent.
#include <gtest/gtest.h>

#include <fstream>

#include "proffer/frameworks/task_said.hpp"
#include "tests/live_run/stage.hpp"

namespace proffer::live::run_test {
namespace {

using ::testing::IsEmpty;

/// How `script` ended, after which a second run shows that the executor still works.
std::vector<std::string> said_after(const std::string& script) {
  Stage stage;
  stage.sh(1, script);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{0, 0}));
  stage.sh(2, "true");
  EXPECT_EQ(stage.exit_of(2).exit, (ExitStatus{0, 0}));
  return stage.said_by(1);
}

TEST(HostileTask, AFifoInPlaceOfAStreamHoldsNobodyUp) {
  EXPECT_THAT(said_after("rm stdout stderr; mkfifo stdout stderr"), IsEmpty());
}

TEST(HostileTask, ALinkInPlaceOfAStreamIsNotFollowed) {
  const Folder folder;
  std::ofstream(folder.path("secret")) << "of somebody else\n";
  EXPECT_THAT(said_after("rm stdout; ln -s " + folder.path("secret") + " stdout"), IsEmpty());
}

TEST(HostileTask, ADeviceInPlaceOfAStreamIsNotRead) {
  EXPECT_THAT(said_after("rm stdout; ln -s /dev/zero stdout"), IsEmpty());
}

TEST(HostileTask, AFolderInPlaceOfAStreamSaysNothing) {
  EXPECT_THAT(said_after("rm stdout stderr; mkdir stdout stderr"), IsEmpty());
}

}  // namespace
}  // namespace proffer::live::run_test
