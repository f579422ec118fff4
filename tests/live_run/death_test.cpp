// Runs outlive whoever started them: the agent, the launcher, and both.
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "live/run/run_folders.hpp"
#include "tests/live_run/stage.hpp"

namespace proffer::live::run_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using What = AgentFault::What;

/// A line "task strayed" of a task that goes on and on; of the two processes the second has left its group.
constexpr const char* kNamesItself = "setsid sleep 1000 & echo $$ $!; exec sleep 1000";
/// Names itself, and ends once there is a file `go` in its sandbox.
constexpr const char* kWaitsToGo = "echo $$; while ! test -e go; do sleep 0.01; done; echo done; exit 7";

struct Pids {
  pid_t task = 0;
  pid_t strayed = 0;
};
Pids pids_in(const std::string& line) {
  std::istringstream words(line);
  Pids pids;
  words >> pids.task >> pids.strayed;
  return pids;
}

void kill_and_wait(pid_t pid) {
  send_signal(pid, SIGKILL);
  EXPECT_TRUE(eventually([&] { return !lives(pid); }));
}

void let_go(const Stage& stage, std::uint64_t n) { std::ofstream(stage.sandbox(n) + "/go") << ""; }

std::vector<std::uint64_t> living(const RunsListed& list) {
  std::vector<std::uint64_t> numbers;
  for (const auto& run : list.living) numbers.push_back(run.launch.n);
  return numbers;
}

/// An agent in a process of its own, which starts some scripts as runs 1, 2, ... and then waits.
class OtherAgent {
 public:
  OtherAgent(const ExecutorConfig& config, const std::vector<std::string>& scripts) : pid_(::fork()) {
    if (pid_ != 0) return;
    auto executor = Executor::start(config);
    if (!executor) ::_exit(1);
    std::uint64_t n = 0;
    for (const auto& script : scripts) (*executor)->carry_out(shell(++n, script));
    for (;;) {
      ::poll(nullptr, 0, 5);
      (*executor)->take_events();
    }
  }
  ~OtherAgent() { kill_9(); }
  OtherAgent(const OtherAgent&) = delete;
  OtherAgent& operator=(const OtherAgent&) = delete;
  void kill_9() {
    if (pid_ <= 0) return;
    send_signal(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_;
};

enum class Dies { agent, launcher, both };

/// A stage that takes over from an agent in another process.
class Outlives : public ::testing::TestWithParam<Dies> {
 protected:
  Outlives() { stage.close(); }

  std::string line_of(std::uint64_t n) {
    EXPECT_TRUE(eventually([&] { return stage.out(n).find('\n') != std::string::npos; }));
    return stage.out(n).substr(0, stage.out(n).find('\n'));
  }
  /// Kills whoever is to die; the stage's executor has the runs afterwards, in another life of the agent.
  void strike(OtherAgent& other) {
    const auto launcher = stage.launcher();
    if (GetParam() != Dies::launcher) other.kill_9();
    if (GetParam() != Dies::agent) kill_and_wait(launcher);
  }

  Stage stage;
};

TEST_P(Outlives, ATaskGoesOnAndItsEndIsTold) {
  OtherAgent other(stage.config(), {kWaitsToGo});
  const auto task = static_cast<pid_t>(std::stol(line_of(1)));
  strike(other);
  stage.open();
  const auto list = stage.listed();
  ASSERT_THAT(living(list), ElementsAre(1));
  EXPECT_GT(list.living[0].age, Duration::zero());
  EXPECT_LT(list.living[0].age, std::chrono::seconds(20));
  EXPECT_THAT(list.ended, IsEmpty());
  EXPECT_TRUE(lives(task));
  let_go(stage, 1);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{7, 0}));
  EXPECT_EQ(stage.out(1), std::to_string(task) + "\ndone\n");
  EXPECT_FALSE(stage.started(1)) << "it was told to the agent's former life";
}

TEST_P(Outlives, TheEndOfATaskThatNobodySawIsTold) {
  OtherAgent other(stage.config(), {kWaitsToGo, "kill -SEGV $$", kNamesItself});
  const auto task = static_cast<pid_t>(std::stol(line_of(1)));
  line_of(3);
  strike(other);
  let_go(stage, 1);
  ASSERT_TRUE(eventually([&] { return !lives(task); }));
  stage.open();
  const auto list = stage.listed();
  EXPECT_THAT(living(list).back(), 3u);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{7, 0}));
  EXPECT_FALSE(stage.exit_of(1).fault);
  EXPECT_EQ(stage.exit_of(2).exit, (ExitStatus{0, SIGSEGV}));
  EXPECT_EQ(stage.out(1), std::to_string(task) + "\ndone\n");
  stage.executor().carry_out(SettleRun{{1, 1}});
  stage.executor().carry_out(SettleRun{{1, 2}});
  EXPECT_TRUE(eventually([&] { return !exists(stage.folder().path("runs/1.1")); }));
  stage.reopen();
  stage.listed();
  EXPECT_FALSE(stage.ended(1)) << "its end was acknowledged";
}

TEST_P(Outlives, ATaskCanBeKilledByTheNextAgent) {
  OtherAgent other(stage.config(), {kNamesItself});
  const auto pids = pids_in(line_of(1));
  strike(other);
  stage.open();
  stage.listed();
  EXPECT_TRUE(lives(pids.task));
  EXPECT_TRUE(lives(pids.strayed));
  stage.signal(1, RunSignal::kill);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{0, SIGKILL}));
  EXPECT_FALSE(lives(pids.strayed));
}

std::string name_of_dead(const ::testing::TestParamInfo<Dies>& who) {
  return who.param == Dies::agent ? "Agent" : who.param == Dies::launcher ? "Launcher" : "Both";
}
INSTANTIATE_TEST_SUITE_P(, Outlives, ::testing::Values(Dies::agent, Dies::launcher, Dies::both),
                         name_of_dead);

TEST(Launcher, ItsDeathUnderALivingAgentIsNoticedByNoRun) {
  Stage stage;
  stage.sh(1, kWaitsToGo);
  const auto task = static_cast<pid_t>(std::stol(stage.first_line_of(1)));
  const auto former = stage.launcher();
  kill_and_wait(former);
  stage.sh(2, "exit 3");
  EXPECT_EQ(stage.exit_of(2).exit.code, 3) << "there is another by then";
  EXPECT_NE(stage.launcher(), former);
  EXPECT_TRUE(lives(task));
  EXPECT_FALSE(stage.ended(1));
  let_go(stage, 1);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{7, 0}));
}

TEST(Launcher, ThatIsToldToEndLeavesItsRuns) {
  Stage stage;
  stage.sh(1, kWaitsToGo);
  stage.first_line_of(1);
  const auto former = stage.launcher();
  send_signal(former, SIGTERM);
  EXPECT_TRUE(eventually([&] { return !lives(former); }));
  let_go(stage, 1);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{7, 0}));
}

TEST(Launcher, KilledAgainAndAgainAmongManyRunsLosesAndDoublesNone) {
  Stage stage;
  std::uint64_t n = 0;
  for (int round = 0; round < 5; ++round) {
    for (const auto last = n + 20; n < last;) {
      ++n;
      stage.sh(n, "echo here >> runs; exit " + std::to_string(n));
    }
    stage.wait_until([&] { return stage.ended(n - 15); });
    if (const auto launcher = stage.launcher(); launcher > 0) send_signal(launcher, SIGKILL);
  }
  for (std::uint64_t one = 1; one <= n; ++one) {
    EXPECT_EQ(stage.exit_of(one).exit, (ExitStatus{static_cast<int>(one), 0}));
    EXPECT_EQ(contents(stage.sandbox(one) + "/runs"), "here\n");
  }
}

TEST(Launcher, ItsDeathLosesNothingThatIsSaidOrDelivered) {
  Stage stage;
  // 100 frames of 6 bytes each come in, and are counted.
  stage.sh(1, "head -c 600 <&$PROFFER_DELIVER_FD | wc -c; exit 4");
  for (int i = 0; i < 100; ++i) {
    stage.deliver(1, "x");
    if (i % 30 != 10) continue;
    pid_t launcher = -1;
    EXPECT_TRUE(stage.wait_until([&] { return (launcher = stage.launcher()) > 0; }));
    send_signal(launcher, SIGKILL);
  }
  EXPECT_EQ(stage.exit_of(1).exit.code, 4);
  EXPECT_EQ(stage.out(1), "600\n");
}

TEST(Launcher, ThatHangsIsReplaced) {
  Stage stage;
  stage.sh(1, kWaitsToGo);
  const auto task = static_cast<pid_t>(std::stol(stage.first_line_of(1)));
  const auto former = stage.launcher();
  send_signal(former, SIGSTOP);
  let_go(stage, 1);
  stage.sh(2, "exit 3");
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{7, 0}));
  EXPECT_EQ(stage.exit_of(2).exit.code, 3);
  EXPECT_EQ(contents(stage.sandbox(1) + "/stdout"), std::to_string(task) + "\ndone\n");
  EXPECT_FALSE(lives(former));
  EXPECT_NE(stage.launcher(), former);
}

TEST(Launcher, ThatHangsWhenTheAgentComesBackIsReplaced) {
  Stage stage;
  stage.sh(1, "echo here; exec sleep 1000");
  stage.first_line_of(1);
  const auto former = stage.launcher();
  send_signal(former, SIGSTOP);
  stage.reopen();
  EXPECT_THAT(living(stage.listed()), ElementsAre(1));
  EXPECT_FALSE(lives(former));
}

TEST(Launcher, WithNeitherAgentNorRunEnds) {
  Stage stage([](ExecutorConfig& config) { config.launcher_idle = std::chrono::milliseconds(50); });
  stage.sh(1, kWaitsToGo);
  stage.first_line_of(1);
  const auto launcher = stage.launcher();
  stage.close();
  let_go(stage, 1);
  EXPECT_TRUE(eventually([&] { return !lives(launcher) || launcher_in(stage.config().dir) < 0; }));
  stage.open();
  EXPECT_THAT(stage.listed().ended, SizeIs(1));
}

TEST(Launcher, ServesTheLatestStartOfTheAgentAlone) {
  Stage stage;
  stage.sh(1, "echo here; exec sleep 1000");
  stage.first_line_of(1);
  auto config = stage.config();
  config.run += 1;
  auto later = Executor::start(config);
  ASSERT_TRUE(later);
  std::vector<Event> events;
  ASSERT_TRUE(eventually([&] { return !(events = (*later)->take_events()).empty(); }));
  EXPECT_THAT(living(std::get<RunsListed>(events.at(0))), ElementsAre(1));
  for (config.run -= 1; config.run > 0; --config.run) {
    const auto earlier = Executor::start(config);
    ASSERT_FALSE(earlier);
    EXPECT_EQ(earlier.error().code, ErrorCode::exists);
    EXPECT_THAT(earlier.error().message, HasSubstr("a later start"));
  }
}

TEST(Shim, ItsDeathEndsAllOfItsRunAndIsTold) {
  Stage stage;
  stage.sh(1, kNamesItself);
  const auto pids = pids_in(stage.first_line_of(1));
  kill_and_wait(parent_of(pids.task));
  const auto exited = stage.exit_of(1);
  ASSERT_TRUE(exited.fault);
  EXPECT_EQ(exited.fault->what, What::ran);
  EXPECT_FALSE(lives(pids.task));
  EXPECT_FALSE(lives(pids.strayed));
}

TEST(Shim, WhoseFolderIsGoneEndsWithItsTask) {
  Stage stage;
  stage.sh(1, kNamesItself);
  const auto pids = pids_in(stage.first_line_of(1));
  const auto shim = parent_of(pids.task);
  stage.close();
  std::filesystem::remove_all(stage.folder().path("runs/1.1"));
  kill_and_wait(pids.task);
  EXPECT_TRUE(eventually([&] { return !lives(shim); })) << "nobody can ask for the end any more";
}

TEST(Shim, ThatDiedWithAgentAndLauncherLeavesNothingThatRuns) {
  Stage stage;
  stage.sh(1, kNamesItself);
  const auto pids = pids_in(stage.first_line_of(1));
  stage.start(shell(2, "echo here; exec sleep 1000"));
  stage.first_line_of(2);
  const auto shim = parent_of(pids.task);
  stage.close();
  kill_and_wait(stage.launcher());
  kill_and_wait(shim);
  EXPECT_TRUE(eventually([&] { return !lives(pids.task); })) << "with its shim";
  EXPECT_TRUE(lives(pids.strayed));
  stage.open();
  const auto list = stage.listed();
  EXPECT_FALSE(lives(pids.strayed)) << "before anything is told";
  EXPECT_THAT(living(list), ElementsAre(2)) << "another's processes are not touched";
  ASSERT_TRUE(stage.exit_of(1).fault);
  EXPECT_EQ(stage.exit_of(1).fault->what, What::ran);
}

TEST(Boot, RunsOfAFormerOneAreNotListed) {
  Stage stage;
  stage.sh(1, "echo $$; exec sleep 1000");
  stage.sh(2, "exit 5");
  const auto task = static_cast<pid_t>(std::stol(stage.first_line_of(1)));
  stage.exit_of(2);
  const auto shim = parent_of(task);
  stage.close();
  kill_and_wait(stage.launcher());
  kill_and_wait(shim);
  const RunFolders folders(stage.config().dir);
  auto record = folders.started({1, 1});
  ASSERT_TRUE(record);
  EXPECT_EQ(record->number, task);
  EXPECT_NE(record->start_time, 0u);
  EXPECT_NE(record->boot, "");
  record->boot = "another boot";
  ASSERT_TRUE(folders.write_started(*record));
  stage.open();
  const auto list = stage.listed();
  EXPECT_THAT(list.living, IsEmpty());
  ASSERT_THAT(list.ended, SizeIs(1));
  EXPECT_EQ(list.ended[0].launch, (LaunchId{1, 2}));
  EXPECT_FALSE(exists(folders.of({1, 1})));
}

TEST(Boot, ARecordThatIsTornIsNone) {
  Stage stage;
  stage.sh(1, "exit 5");
  stage.exit_of(1);
  stage.close();
  kill_and_wait(stage.launcher());
  const RunFolders folders(stage.config().dir);
  const auto whole = contents(folders.of({1, 1}) + "/exit");
  for (const auto size :
       {std::size_t{0}, std::size_t{3}, std::size_t{4}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(folders.of({1, 1}) + "/exit", std::ios::trunc) << whole.substr(0, size);
    EXPECT_FALSE(folders.exit({1, 1})) << size;
  }
  std::ofstream(folders.of({1, 1}) + "/exit", std::ios::trunc) << std::string(whole.size(), '\0');
  EXPECT_FALSE(folders.exit({1, 1}));
}

TEST(NextAgent, BeginsWithAnEmptyListWhereNothingRan) {
  Stage stage;
  const auto list = stage.listed();
  EXPECT_THAT(list.living, IsEmpty());
  EXPECT_THAT(list.ended, IsEmpty());
}

TEST(NextAgent, HearsWhatWasSaidWhileThereWasNone) {
  Stage stage;
  stage.sh(1,
           "say() { printf \"\\\\$(printf %03o ${#1})\\0\\0\\0\\0%s\" \"$1\" >&$PROFFER_RESULT_FD; }; "
           "say before; while ! test -e go; do sleep 0.01; done; say meanwhile; echo said; exec sleep 1000");
  EXPECT_TRUE(stage.wait_until([&] { return stage.said_by(1).size() == 1; }));
  stage.close();
  let_go(stage, 1);
  ASSERT_TRUE(eventually([&] { return stage.out(1) == "said\n"; }));
  stage.open();
  EXPECT_TRUE(stage.wait_until([&] { return !stage.said_by(1).empty(); }));
  EXPECT_EQ(stage.said_by(1).back(), "meanwhile");
}

TEST(NextAgent, IsToldThatARunHasAskedToCompute) {
  Stage stage;
  stage.sh(1, "printf '\\0\\0\\0\\0\\002' >&$PROFFER_RESULT_FD; head -c 5 <&$PROFFER_DELIVER_FD >&2; exit 6");
  const auto asked = [&] {
    return stage.has([](const Event& event) { return std::holds_alternative<ComputeAsked>(event); });
  };
  EXPECT_TRUE(stage.wait_until(asked));
  stage.reopen();
  EXPECT_TRUE(stage.wait_until(asked));
  stage.executor().carry_out(GrantCompute{{1, 1}});
  EXPECT_EQ(stage.exit_of(1).exit.code, 6);
}

TEST(NextAgent, LeavesTheSandboxesOfLivingRunsAlone) {
  Stage stage([](ExecutorConfig& config) { config.keep_sandboxes = 0; });
  stage.sh(1, kWaitsToGo);
  stage.first_line_of(1);
  stage.reopen();
  stage.listed();
  EXPECT_TRUE(exists(stage.sandbox(1)));
  let_go(stage, 1);
  stage.exit_of(1);
  EXPECT_FALSE(exists(stage.sandbox(1)));
}

TEST(NextAgent, HasTheOutputThatAnEarlierOneKept) {
  Stage stage;
  auto run = shell(1, "echo hello");
  run.task.job = JobId{7};
  run.task.work = std::make_shared<Work>(CommandWork{{"sh", "-c", "echo hello"}, {}, "t0ken"});
  stage.start(run);
  stage.exit_of(1);
  stage.reopen();
  ASSERT_THAT(stage.listed().ended, SizeIs(1));
  const auto kept = stage.folder().path("outputs/" + to_hex({3, 4}) + "/7/t1~stdout");
  EXPECT_EQ(contents(kept), "hello\n");
  stage.executor().carry_out(SettleRun{{1, 1}});
  EXPECT_FALSE(exists(kept));
}

TEST(NextAgent, HearsNothingOfAnEarlierProbe) {
  Stage stage([](ExecutorConfig& config) { config.worker_path = "/bin/cat"; });
  stage.executor().carry_out(Probe{});
  stage.reopen();
  const auto list = stage.listed();
  EXPECT_THAT(list.living, IsEmpty());
  EXPECT_THAT(list.ended, IsEmpty());
  EXPECT_NE(stage.probe(), "");
}

TEST(EndAll, LeavesNoProcessBehindAndKeepsTheEnds) {
  Stage stage;
  stage.sh(1, kNamesItself);
  const auto pids = pids_in(stage.first_line_of(1));
  const auto shim = parent_of(pids.task);
  const auto launcher = stage.launcher();
  EXPECT_TRUE(stage.executor().end_all());
  for (const auto pid : {pids.task, pids.strayed, shim, launcher}) {
    EXPECT_TRUE(eventually([&] { return !lives(pid); }));
  }
  EXPECT_EQ(stage.launcher(), -1);
  stage.reopen();
  EXPECT_THAT(stage.listed().living, IsEmpty());
  EXPECT_EQ(stage.exit_of(1).exit.signal, SIGKILL);
}

TEST(EndAll, OfAFolderWhoseAgentAndLauncherWereKilled) {
  Stage stage;
  stage.sh(1, kNamesItself);
  const auto pids = pids_in(stage.first_line_of(1));
  const auto shim = parent_of(pids.task);
  stage.close();
  kill_and_wait(stage.launcher());
  EXPECT_TRUE(end_runs_in(stage.config().dir, stage.config().launcher_path));
  for (const auto pid : {pids.task, pids.strayed, shim}) {
    EXPECT_TRUE(eventually([&] { return !lives(pid); }));
  }
  EXPECT_EQ(stage.launcher(), -1);
}

TEST(EndAll, AShimThatHangsIsKilled) {
  Stage stage;
  stage.sh(1, kNamesItself);
  const auto pids = pids_in(stage.first_line_of(1));
  send_signal(parent_of(pids.task), SIGSTOP);
  EXPECT_TRUE(stage.executor().end_all());
  EXPECT_FALSE(lives(pids.task));
  EXPECT_FALSE(lives(pids.strayed));
}

}  // namespace
}  // namespace proffer::live::run_test
