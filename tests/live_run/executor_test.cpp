#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>

#include "proffer/formats/codec.hpp"
#include "tests/live_run/stage.hpp"

namespace proffer::live::run_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

pid_t number_in(const std::string& line) { return static_cast<pid_t>(std::stol(line)); }

TEST(Executor, TellsTheExitCode) {
  Stage stage;
  stage.sh(1, "exit 7");
  const auto exited = stage.exit_of(1);
  EXPECT_EQ(exited.exit, (ExitStatus{7, 0}));
  EXPECT_EQ(exited.spawn_error, "");
  EXPECT_EQ(exited.result, nullptr);
  EXPECT_TRUE(stage.started(1));
}

TEST(Executor, TellsTheSignal) {
  Stage stage;
  stage.sh(1, "kill -SEGV $$");
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{0, SIGSEGV}));
}

TEST(Executor, KeepsStdoutAndStderr) {
  Stage stage;
  stage.sh(1, "echo to out; echo to err >&2; cat");
  stage.exit_of(1);
  EXPECT_EQ(stage.out(1), "to out\n");
  EXPECT_EQ(stage.err(1), "to err\n");
}

TEST(Executor, TellsTheEndOnlyWhenAllOutputIsThere) {
  Stage stage;
  stage.sh(1, "head -c 3000000 /dev/zero");
  stage.exit_of(1);
  EXPECT_EQ(stage.out(1).size(), 3'000'000u);
}

TEST(Executor, CutsOutputOffAtTheCapAndSaysSo) {
  Stage stage([](ExecutorConfig& config) { config.stream_cap_bytes = 1000; });
  stage.sh(1, "head -c 500000 /dev/zero; head -c 1000 /dev/zero >&2");
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{0, 0})) << "the task does not notice";
  EXPECT_EQ(stage.out(1), std::string(1000, '\0') + "\n[proffer: cut off here, after 1000 bytes]\n");
  EXPECT_EQ(stage.err(1).size(), 1000u) << "exactly the cap is whole";
}

TEST(Executor, ACommandThatDoesNotExistIsASpawnError) {
  Stage stage;
  stage.start(command(1, {"no-such-program"}));
  EXPECT_EQ(stage.exit_of(1).spawn_error, "cannot start \"no-such-program\": no such program is on PATH");
  EXPECT_FALSE(stage.started(1));
  stage.start(command(2, {"./missing"}));
  EXPECT_EQ(stage.exit_of(2).spawn_error, "cannot start \"./missing\": No such file or directory");
  stage.start(command(3, {"/etc"}));
  EXPECT_EQ(stage.exit_of(3).spawn_error, "cannot start \"/etc\": Permission denied");
}

TEST(Executor, WhatCannotBeACommandIsASpawnError) {
  Stage stage;
  stage.start(command(1, {}));
  EXPECT_EQ(stage.exit_of(1).spawn_error, "the command has no name");
  stage.start(command(2, {"echo", std::string("a\0b", 3)}));
  EXPECT_THAT(stage.exit_of(2).spawn_error, HasSubstr("zero byte"));
  stage.start(command(3, {"env"}, {{"A=B", "c"}}));
  EXPECT_THAT(stage.exit_of(3).spawn_error, HasSubstr("\"A=B\""));
}

TEST(Executor, TheEnvironmentIsTheTasksOwn) {
  ::setenv("PROFFER_TEST_SECRET", "of the agent", 1);
  Stage stage;
  stage.start(command(1, {"env"}, {{"LANG", "C"}, {"MINE", "x=y"}, {"PROFFER_TASK_ID", "forged"}}));
  stage.exit_of(1);
  ::unsetenv("PROFFER_TEST_SECRET");
  const auto env = "\n" + stage.out(1);
  for (const auto& line : {"HOME=" + stage.sandbox(1), "TMPDIR=" + stage.sandbox(1), std::string("LANG=C"),
                           std::string("MINE=x=y"), std::string("PROFFER_FRAMEWORK=fw"),
                           "PROFFER_FRAMEWORK_ID=" + to_hex({3, 4}), std::string("PROFFER_TASK_ID=t1"),
                           std::string("PROFFER_AGENT=a1"), "PROFFER_AGENT_ID=" + to_hex({1, 2}),
                           "PROFFER_BLOCKS_DIR=" + stage.folder().path("blocks"),
                           "PROFFER_OUTPUTS_DIR=" + stage.folder().path("outputs")}) {
    EXPECT_THAT(env, HasSubstr("\n" + line + "\n"));
  }
  EXPECT_THAT(env, ::testing::Not(HasSubstr("SECRET")));
  EXPECT_THAT(env, ::testing::Not(HasSubstr("forged")));
}

TEST(Executor, TheCommandIsLookedUpOnTheTasksOwnPath) {
  Stage stage;
  std::ofstream(stage.folder().path("tool")) << "#!/bin/sh\necho mine\n";
  ::chmod(stage.folder().path("tool").c_str(), 0755);
  stage.start(command(1, {"tool"}, {{"PATH", stage.folder().path() + ":/bin"}}));
  EXPECT_EQ(stage.exit_of(1).spawn_error, "");
  EXPECT_EQ(stage.out(1), "mine\n");
}

TEST(Executor, OnlyTheFiveDescriptorsOfATaskAreOpenInIt) {
  Stage stage;
  stage.sh(9, "sleep 1000");  // one whose pipes must not show
  stage.sh(1, "ls /proc/self/fd | tr '\\n' ' '");
  stage.exit_of(1);
  // ls itself opens the folder.
  EXPECT_EQ(stage.out(1), "0 1 2 3 4 5 ");
}

/// As shell(), of job 7, with a token for what it writes.
StartRun shell_with_output(std::uint64_t n, const std::string& script) {
  auto run = shell(n, script);
  run.task.job = JobId{7};
  run.task.work = std::make_shared<Work>(CommandWork{{"sh", "-c", script}, {}, "t0ken"});
  return run;
}

std::string kept(const Stage& stage, const std::string& name) {
  return stage.folder().path("outputs/" + to_hex({3, 4}) + "/7/" + name);
}

TEST(Executor, KeepsWhatACommandWritesUntilItsEndIsSettled) {
  Stage stage([](ExecutorConfig& config) { config.keep_sandboxes = 0; });
  stage.start(shell_with_output(1, "echo hello; echo oh >&2"));
  stage.exit_of(1);
  EXPECT_FALSE(exists(stage.sandbox(1)));
  EXPECT_EQ(contents(kept(stage, "t1~stdout")), "hello\n");
  EXPECT_EQ(contents(kept(stage, "t1~stderr")), "oh\n");
  EXPECT_EQ(contents(kept(stage, ".token")), "t0ken");
  stage.executor().carry_out(SettleRun{{1, 1}});
  EXPECT_FALSE(exists(kept(stage, "t1~stdout")));
  EXPECT_FALSE(exists(kept(stage, "t1~stderr")));
  stage.sh(2, "echo hello");
  stage.exit_of(2);
  EXPECT_FALSE(exists(kept(stage, "t2~stdout"))) << "nobody will fetch it";
}

TEST(Executor, KeepsWhatACommandWritesWhateverItMakesOfItsFiles) {
  Stage stage;
  stage.start(shell_with_output(1, "rm stdout stderr; mkfifo stdout; mkdir stderr; echo hello; echo oh >&2"));
  stage.start(shell_with_output(2, "ln -sf /etc/passwd stdout; rm stderr; echo hello; echo oh >&2"));
  for (const auto n : {1, 2}) {
    EXPECT_EQ(stage.exit_of(static_cast<std::uint64_t>(n)).exit, (ExitStatus{0, 0}));
    EXPECT_EQ(contents(kept(stage, "t" + std::to_string(n) + "~stdout")), "hello\n");
    EXPECT_EQ(contents(kept(stage, "t" + std::to_string(n) + "~stderr")), "oh\n");
  }
}

TEST(Executor, OnlyItsOwnUserMayReadWhatACommandWrites) {
  Stage stage;
  stage.start(shell_with_output(1, "true"));
  stage.exit_of(1);
  for (const auto* name : {"t1~stdout", "t1~stderr", ".token"}) {
    struct stat status {};
    ASSERT_EQ(::stat(kept(stage, name).c_str(), &status), 0) << name;
    EXPECT_EQ(status.st_mode & 0777, 0600u) << name;
  }
}

TEST(Executor, SignalsAreAsByDefaultAndInAGroupOfItsOwn) {
  Stage stage;
  stage.sh(1, "grep -E '^Sig(Blk|Ign)' /proc/self/status; ps -o pgid= -p $$ | tr -d ' '; echo $$");
  stage.exit_of(1);
  std::istringstream lines(stage.out(1));
  std::string word, mask;
  // Signals 32 and 33 belong to the C library; no program can set them, so they are as whoever started us had
  // them.
  const auto ours = [&mask] { return std::stoull(mask, nullptr, 16) & ~0x180000000ull; };
  lines >> word >> mask;
  EXPECT_EQ(ours(), 0u);
  lines >> word >> mask;
  EXPECT_EQ(ours(), 0u);
  pid_t group = 0, pid = -1;
  lines >> group >> pid;
  EXPECT_EQ(group, pid);
}

TEST(Executor, TerminateReachesTheWholeGroup) {
  Stage stage;
  stage.sh(1, "sleep 1000 & echo $!; wait");
  const auto child = number_in(stage.first_line_of(1));
  stage.signal(1, RunSignal::terminate);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{0, SIGTERM}));
  EXPECT_FALSE(lives(child));
}

TEST(Executor, WhoIgnoresTerminateIsKilled) {
  Stage stage;
  stage.sh(1, "trap '' TERM; echo ready; while true; do sleep 0.01; done");
  stage.first_line_of(1);
  stage.signal(1, RunSignal::terminate);
  stage.signal(1, RunSignal::kill);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{0, SIGKILL}));
}

TEST(Executor, ATaskMayEndInGoodOrderOnTerminate) {
  Stage stage;
  stage.sh(1, "trap 'echo bye; exit 3' TERM; echo ready; while true; do sleep 0.01; done");
  stage.first_line_of(1);
  stage.signal(1, RunSignal::terminate);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{3, 0}));
  EXPECT_EQ(stage.out(1), "ready\nbye\n");
}

TEST(Executor, WhatATaskLeavesBehindIsKilledBeforeItsEndIsTold) {
  Stage stage;
  stage.sh(1, "(trap '' TERM HUP; while true; do sleep 0.01; done) & echo $!; exit 0");
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{0, 0}));
  EXPECT_FALSE(lives(number_in(stage.first_line_of(1))));
}

TEST(Executor, WhoLeavesTheGroupEndsWithItsTask) {
  Stage stage;
  stage.sh(
      1,
      "setsid setsid sh -c 'echo $$; trap \"\" TERM HUP; while true; do sleep 0.01; done' & exec sleep 1000");
  const auto strayed = number_in(stage.first_line_of(1));
  stage.signal(1, RunSignal::kill);
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{0, SIGKILL}));
  EXPECT_FALSE(lives(strayed));
}

TEST(Executor, WhoLeavesTheGroupAndItsParentEndsWithItsTask) {
  Stage stage;
  stage.sh(
      1, "(setsid sh -c 'echo $$; exec sleep 1000' &) ; while ! test -s stdout; do sleep 0.01; done; exit 5");
  EXPECT_EQ(stage.exit_of(1).exit, (ExitStatus{5, 0}));
  EXPECT_FALSE(lives(number_in(stage.first_line_of(1))));
}

// What `printf` of the shell writes as a frame: u32 length, u8 kind, bytes.
constexpr const char* kSay =
    "say() { printf \"\\\\$(printf %03o ${#1})\\0\\0\\0\\0%s\" \"$1\" >&$PROFFER_RESULT_FD; }; ";

TEST(Executor, PassesOnWhatTheTaskSaysWhileItRuns) {
  Stage stage;
  stage.sh(1, std::string(kSay) + "say hello; say again; sleep 1000");
  EXPECT_TRUE(stage.wait_until([&] { return stage.said_by(1).size() == 2; }));
  EXPECT_THAT(stage.said_by(1), ElementsAre("hello", "again"));
  EXPECT_FALSE(stage.ended(1));
}

TEST(Executor, DeliversToTheTask) {
  Stage stage;
  stage.sh(1, "head -c 10 <&$PROFFER_DELIVER_FD | od -An -c");
  stage.deliver(1, "hello");
  stage.exit_of(1);
  EXPECT_EQ(stage.out(1), " 005  \\0  \\0  \\0  \\0   h   e   l   l   o\n");
}

TEST(Executor, TheResultComesWithTheEnd) {
  MapResult told;
  told.input_records = 42;
  told.partitions.assign(20'000, {1, 2, 3});  // more than a pipe holds
  std::string bytes;
  encode_result(told, bytes);
  Stage stage;
  const auto size = bytes.size();
  {
    std::ofstream frame(stage.folder().path("frame"), std::ios::binary);
    for (unsigned shift = 0; shift < 32; shift += 8) frame.put(static_cast<char>(size >> shift));
    frame.put(1);
    frame << bytes;
  }
  stage.sh(1, "cat " + stage.folder().path("frame") + " >&$PROFFER_RESULT_FD; exit 2");
  const auto exited = stage.exit_of(1);
  EXPECT_EQ(exited.exit.code, 2);
  ASSERT_NE(exited.result, nullptr);
  EXPECT_EQ(*exited.result, TaskResult{told});
}

TEST(Executor, AResultThatIsNoneIsNoResult) {
  Stage stage;
  stage.sh(1, "printf '\\003\\0\\0\\0\\001abc' >&$PROFFER_RESULT_FD");
  EXPECT_EQ(stage.exit_of(1).result, nullptr);
  stage.sh(2, "printf '\\003\\0\\0\\0\\0' >&$PROFFER_RESULT_FD");
  EXPECT_EQ(stage.exit_of(2).exit.code, 0);
  EXPECT_THAT(stage.said_by(2), IsEmpty()) << "half a frame";
}

TEST(Executor, ATaskThatDoesNotReadKeepsNobodyWaiting) {
  Stage stage;
  stage.sh(1, "sleep 1000");
  for (int i = 0; i < 200; ++i) stage.deliver(1, std::string(60'000, 'x'));
  stage.sh(2, "exit 4");
  EXPECT_EQ(stage.exit_of(2).exit.code, 4);
  EXPECT_FALSE(stage.ended(1));
}

TEST(Executor, AnAgentThatDoesNotReadKeepsTasksWaitingButLosesNothing) {
  Stage stage;
  // 3 MB of words, twice as much as the launcher holds back for the agent.
  stage.sh(1,
           "frame=$(printf '%01000d' 7); i=0; while [ $i -lt 3000 ]; do "
           "printf '\\350\\003\\0\\0\\0%s' $frame >&$PROFFER_RESULT_FD; i=$((i+1)); done; exit 6");
  EXPECT_TRUE(eventually([&] { return exists(stage.sandbox(1) + "/stdout"); }));
  EXPECT_FALSE(stage.ended(1));
  EXPECT_EQ(stage.exit_of(1).exit.code, 6);
  EXPECT_THAT(stage.said_by(1), SizeIs(3000));
}

TEST(Executor, TwoHundredShortTasksAtOnce) {
  Stage stage;
  for (std::uint64_t n = 1; n <= 200; ++n) stage.sh(n, "echo " + std::to_string(n));
  for (std::uint64_t n = 1; n <= 200; ++n) {
    EXPECT_EQ(stage.exit_of(n).spawn_error, "");
    EXPECT_EQ(stage.out(n), std::to_string(n) + "\n");
  }
}

TEST(Executor, TwoHundredTasksThatLastAtOnce) {
  Stage stage;
  for (std::uint64_t n = 1; n <= 200; ++n) stage.start(command(n, {"sleep", "1000"}));
  EXPECT_TRUE(stage.wait_until([&] { return stage.started(200); }));
  for (std::uint64_t n = 1; n <= 200; ++n) stage.signal(n, RunSignal::kill);
  for (std::uint64_t n = 1; n <= 200; ++n) EXPECT_EQ(stage.exit_of(n).exit.signal, SIGKILL);
}

TEST(Executor, NoZombieIsLeft) {
  Stage stage;
  stage.sh(1, "echo $$; sleep 1000");
  const auto launcher = std::to_string(stage.launcher());
  stage.first_line_of(1);
  // Orphans of every kind: in the group, out of it, ended before and after their parents.
  for (std::uint64_t n = 2; n <= 20; ++n)
    stage.sh(n, "true & (sleep 0.02 &) & (setsid sleep 0.01 &); exit 0");
  for (std::uint64_t n = 2; n <= 20; ++n) stage.exit_of(n);
  const auto children = "/proc/" + launcher + "/task/" + launcher + "/children";
  EXPECT_TRUE(eventually([&] {
    std::istringstream list(contents(children));
    int count = 0;
    for (pid_t child = 0; list >> child;) ++count;
    return count == 1;  // the first run
  })) << contents(children);
}

TEST(Executor, ALauncherThatCannotBeStartedIsAnError) {
  Folder folder;
  auto config = config_in(folder);
  config.launcher_path = folder.path("none");
  const auto executor = Executor::start(config);
  ASSERT_FALSE(executor);
  EXPECT_EQ(executor.error().message, "cannot start " + folder.path("none") + ": No such file or directory");
}

}  // namespace
}  // namespace proffer::live::run_test
