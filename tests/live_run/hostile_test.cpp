// What a task does to the names in its sandbox must not harm its agent.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "live/os/open_file.hpp"
#include "live/os/replace_file.hpp"
#include "live/run/capped_file.hpp"
#include "tests/live_run/stage.hpp"

namespace proffer::live::run_test {
namespace {

using ::testing::HasSubstr;
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

/// Where the maps of job 5 of the stage's framework leave their outputs.
std::string outputs_of(const Stage& stage) { return stage.folder().path("outputs/" + to_hex({3, 4}) + "/5"); }

StartRun map_run() {
  MapWork work;
  work.job = {5};
  work.job_token = "t0ken";
  auto run = command(1, {});
  run.task.work = std::make_shared<Work>(std::move(work));
  return run;
}

TEST(HostileTask, AFifoWhereTheTokenOfItsJobIsWrittenHoldsNobodyUp) {
  Stage stage;
  std::filesystem::create_directories(outputs_of(stage));
  ASSERT_EQ(::mkfifo((outputs_of(stage) + "/.token.part").c_str(), 0600), 0);
  stage.start(map_run());
  EXPECT_EQ(stage.exit_of(1).spawn_error, "");
  EXPECT_EQ(contents(outputs_of(stage) + "/.token"), "t0ken");
}

TEST(HostileTask, AFolderWhereTheTokenOfItsJobIsWrittenIsNoFaultOfTheNextTask) {
  Stage stage;
  std::filesystem::create_directories(outputs_of(stage) + "/.token.part/below");
  stage.start(map_run());
  const auto exited = stage.exit_of(1);
  EXPECT_EQ(exited.spawn_error, "");
  ASSERT_TRUE(exited.fault);
  EXPECT_THAT(exited.fault->why, HasSubstr("/.token.part: File exists"));
}

/// A folder with things that are no plain files, each as a name.
class NoPlainFile : public ::testing::TestWithParam<const char*> {
 protected:
  NoPlainFile() {
    std::ofstream(folder.path("secret")) << "of somebody else";
    EXPECT_EQ(::mkfifo(folder.path("fifo").c_str(), 0600), 0);
    std::filesystem::create_symlink(folder.path("secret"), folder.path("link"));
    std::filesystem::create_symlink("/dev/zero", folder.path("device"));
    std::filesystem::create_symlink(folder.path("fifo"), folder.path("link-to-fifo"));
    std::filesystem::create_directory(folder.path("folder"));
  }
  std::string path() const { return folder.path(GetParam()); }
  bool is_folder() const { return path().ends_with("folder"); }
  void expect_secret_kept() const { EXPECT_EQ(contents(folder.path("secret")), "of somebody else"); }
  Folder folder;
};

TEST_P(NoPlainFile, IsNotReadNorWaitedFor) {
  EXPECT_FALSE(open_plain(path(), O_RDONLY));
  EXPECT_FALSE(open_plain(path(), O_RDWR | O_CREAT));
  EXPECT_FALSE(OpenFile::to_read(path()));
}

TEST_P(NoPlainFile, IsReplacedByAStreamOfATask) {
  auto file = CappedFile::create(path(), 100);
  EXPECT_EQ(file.ok(), !is_folder());
  if (!file) return;
  file->append("of the task");
  EXPECT_EQ(contents(path()), "of the task");
  expect_secret_kept();
}

TEST_P(NoPlainFile, IsReplacedByAFileOfTheAgents) {
  ASSERT_EQ(std::rename(path().c_str(), folder.path("mine.part").c_str()), 0);
  const auto written = replace_file(folder.path("mine"), "of the agent");
  EXPECT_EQ(written.ok(), !is_folder());
  EXPECT_EQ(contents(folder.path("mine")), is_folder() ? "" : "of the agent");
  expect_secret_kept();
}

INSTANTIATE_TEST_SUITE_P(, NoPlainFile,
                         ::testing::Values("fifo", "link", "device", "link-to-fifo", "folder"));

}  // namespace
}  // namespace proffer::live::run_test
