// What is the agent's own fault when a run fails, and what is the task's.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "live/run/task_process.hpp"
#include "tests/live_host/small_disk.hpp"
#include "tests/live_run/stage.hpp"

namespace proffer::live::run_test {
namespace {

using ::testing::HasSubstr;
using What = AgentFault::What;

StartRun worker_run(std::uint64_t n) {
  auto run = command(n, {});
  run.task.work = std::make_shared<Work>(ReduceWork{});
  return run;
}

void expect_fault(const RunExited& exited, What what, const std::string& why) {
  EXPECT_EQ(exited.spawn_error, "");
  ASSERT_TRUE(exited.fault) << "exit code " << exited.exit.code;
  EXPECT_EQ(exited.fault->what, what);
  EXPECT_THAT(exited.fault->why, HasSubstr(why));
}

TEST(AgentsFault, ASandboxThatCannotBeMade) {
  Stage stage;
  std::filesystem::remove_all(stage.folder().path("sandboxes"));
  stage.sh(1, "true");
  expect_fault(stage.exit_of(1), What::start, "cannot make the folder");
  EXPECT_FALSE(stage.started(1));
}

TEST(AgentsFault, AWorkerThatIsMissing) {
  Stage stage([](ExecutorConfig& config) { config.worker_path = "/no/proffer-worker"; });
  stage.start(worker_run(1));
  expect_fault(stage.exit_of(1), What::start, "cannot start \"/no/proffer-worker\"");
}

TEST(AgentsFault, ALauncherThatCannotBeStartedAgain) {
  const Folder folder;
  const auto copy = folder.path("launcher");
  std::filesystem::copy_file(std::string(PROFFER_BIN_DIR) + "/proffer-launcher", copy);
  Stage stage([&](ExecutorConfig& config) { config.launcher_path = copy; });
  std::filesystem::remove(copy);
  const auto launcher = stage.launcher();
  send_signal(launcher, SIGKILL);
  ASSERT_TRUE(eventually([&] { return !lives(launcher); }));
  stage.executor().take_events();
  stage.sh(1, "true");
  expect_fault(stage.exit_of(1), What::start, "cannot start " + copy);
}

TEST(AgentsFault, NoDescriptorsForAnotherProcess) {
  Stage stage;
  const rlimit few{20, 20};
  ASSERT_EQ(::prlimit(stage.launcher(), RLIMIT_NOFILE, &few, nullptr), 0);
  stage.sh(1, "true");
  expect_fault(stage.exit_of(1), What::start, "Too many open files");
}

TEST(AgentsFault, ASandboxThatIsGoneIsNoProgramThatIsMissing) {
  Packet spawn;
  spawn.text = "/no/such/folder";
  spawn.argv = {"/bin/true"};
  const auto process = start_process(spawn, [](pid_t) { return Result<>(); });
  ASSERT_FALSE(process);
  EXPECT_NE(process.error().code, ErrorCode::invalid);
}

TEST(TasksFault, ACommandThatIsNone) {
  Stage stage;
  std::ofstream(stage.folder().path("text")) << "no program";
  ::chmod(stage.folder().path("text").c_str(), 0755);
  std::uint64_t n = 0;
  for (const std::string name : {"no-such-program", "./missing", "/etc", "/etc/passwd/x"}) {
    stage.start(command(++n, {name}));
    const auto exited = stage.exit_of(n);
    EXPECT_NE(exited.spawn_error, "") << name;
    EXPECT_FALSE(exited.fault) << name;
  }
}

class FullDisk : public ::testing::Test {
 protected:
  FullDisk() : disk(stage.folder().path("sandboxes"), "256k") {}
  const bool own_mounts = test::SmallDisk::has_own_mounts();  // before the stage's launcher is started
  Stage stage;
  test::SmallDisk disk;
};

TEST_F(FullDisk, LosesNoOutputSilently) {
  PROFFER_NEEDS_DISK(disk);
  stage.sh(1, "head -c 1000000 /dev/zero; echo done >&2");
  const auto exited = stage.exit_of(1);
  EXPECT_EQ(exited.exit, (ExitStatus{0, 0})) << "the task does not notice";
  expect_fault(exited, What::output, "bytes of its stdout could not be kept: No space left on device");
}

TEST_F(FullDisk, LosesASingleWordNeither) {
  PROFFER_NEEDS_DISK(disk);
  stage.sh(1, "while ! test -e ../go; do sleep 0.01; done; echo precious");
  stage.wait_until([&] { return stage.started(1); });
  disk.fill();
  std::filesystem::create_directory(stage.sandbox(1) + "/../go");
  expect_fault(stage.exit_of(1), What::output, "9 bytes of its stdout could not be kept");
}

TEST_F(FullDisk, FailsProbesUntilThereIsRoomAgain) {
  PROFFER_NEEDS_DISK(disk);
  Stage real([&](ExecutorConfig& config) {
    config.sandboxes_dir = stage.folder().path("sandboxes");
    config.worker_path = std::string(PROFFER_BIN_DIR) + "/proffer-worker";
  });
  disk.fill();
  EXPECT_THAT(real.probe(), HasSubstr("No space left on device"));
  disk.make_room();
  EXPECT_EQ(real.probe(), "");
}

TEST(Probe, SucceedsWhereRunsCanAndLeavesNothingBehind) {
  Stage stage(
      [](ExecutorConfig& config) { config.worker_path = std::string(PROFFER_BIN_DIR) + "/proffer-worker"; });
  EXPECT_EQ(stage.probe(), "");
  EXPECT_EQ(stage.probe(), "") << "and again";
  EXPECT_FALSE(exists(stage.folder().path("sandboxes/~probe.00000000")));
}

TEST(Probe, SaysWhyRunsCannotBeStarted) {
  Stage stage([](ExecutorConfig& config) { config.worker_path = "/no/proffer-worker"; });
  EXPECT_THAT(stage.probe(), HasSubstr("cannot start \"/no/proffer-worker\""));
  std::filesystem::remove_all(stage.folder().path("sandboxes"));
  EXPECT_THAT(stage.probe(), HasSubstr("cannot make the folder"));
}

TEST(Remark, TellsHowMuchWasCutOffAndIsNoFailure) {
  Stage stage([](ExecutorConfig& config) { config.stream_cap_bytes = 1000; });
  stage.sh(1, "head -c 5000 /dev/zero; head -c 1000 /dev/zero >&2");
  const auto exited = stage.exit_of(1);
  EXPECT_FALSE(exited.fault);
  EXPECT_EQ(exited.remark, "its stdout was cut off: its last 4000 bytes were dropped");
}

}  // namespace
}  // namespace proffer::live::run_test
