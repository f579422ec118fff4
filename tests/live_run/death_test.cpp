// Nothing is left behind: not by an agent that is killed, nor by a launcher.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "tests/live_run/stage.hpp"

namespace proffer::live::run_test {
namespace {

/// A line "task launcher" of a task that goes on and on.
constexpr const char* kNamesItself = "setsid sleep 1000 & echo $$ $PPID $!; exec sleep 1000";

struct Pids {
  pid_t task = 0;
  pid_t launcher = 0;
  pid_t strayed = 0;
};
Pids pids_in(const std::string& line) {
  std::istringstream words(line);
  Pids pids;
  words >> pids.task >> pids.launcher >> pids.strayed;
  return pids;
}

TEST(Death, OfAnAgentByKill9EndsLauncherAndTasks) {
  Folder folder;
  const auto config = config_in(folder);
  const auto agent = ::fork();
  ASSERT_GE(agent, 0);
  if (agent == 0) {
    auto executor = Executor::start(config);
    if (!executor) ::_exit(1);
    (*executor)->carry_out(shell(1, kNamesItself));
    for (;;) ::pause();
  }
  const auto out = folder.path("sandboxes/fw.00000000/t1/stdout");
  ASSERT_TRUE(eventually([&] { return contents(out).find('\n') != std::string::npos; }));
  const auto [task, launcher, strayed] = pids_in(contents(out));
  EXPECT_TRUE(lives(task));
  EXPECT_TRUE(lives(launcher));
  EXPECT_TRUE(lives(strayed));
  ::kill(agent, SIGKILL);
  ::waitpid(agent, nullptr, 0);
  EXPECT_TRUE(
      eventually([&, t = task, l = launcher, s = strayed] { return !lives(t) && !lives(l) && !lives(s); }));
}

TEST(Death, OfTheExecutorEndsLauncherAndTasks) {
  Stage stage;
  stage.sh(1, kNamesItself);
  const auto [task, launcher, strayed] = pids_in(stage.first_line_of(1));
  stage.close();
  EXPECT_FALSE(lives(task));
  EXPECT_FALSE(lives(launcher));
  EXPECT_FALSE(lives(strayed));
}

TEST(Death, OfTheLauncherEndsItsTasksAndTheNextRunStartsAnother) {
  Stage stage;
  stage.sh(1, kNamesItself);
  const auto pids = pids_in(stage.first_line_of(1));
  ::kill(pids.launcher, SIGKILL);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{0, SIGKILL}));
  EXPECT_TRUE(eventually([&] { return !lives(pids.task); }));
  ::kill(pids.strayed, SIGKILL);  // nobody else knows of it
  stage.sh(2, "echo $PPID; exit 3");
  EXPECT_EQ(stage.exit_of(2).exit.code, 3);
  EXPECT_NE(stage.first_line_of(2), std::to_string(pids.launcher));
}

TEST(Death, OfALauncherThatIsToldToEndEndsItsTasks) {
  Stage stage;
  stage.sh(1, kNamesItself);
  const auto pids = pids_in(stage.first_line_of(1));
  ::kill(pids.launcher, SIGTERM);
  EXPECT_EQ(stage.exit_of(1).exit.signal, SIGKILL);
  EXPECT_TRUE(eventually([&] { return !lives(pids.task) && !lives(pids.strayed); }));
}

}  // namespace
}  // namespace proffer::live::run_test
