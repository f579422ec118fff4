// `proffer run` hands on what its tasks write: all of it, byte for byte, or says what is missing.
#include <gmock/gmock.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>

#include "cluster.hpp"

namespace proffer {
namespace {

using testing::Cluster;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_file;
using namespace std::chrono_literals;

/// All that is left on its standard output, read as bytes.
std::string rest_of(live::Child& child, Duration timeout = 60s) {
  std::string all;
  const auto deadline = live::steady_now() + timeout;
  std::array<char, 65536> piece;
  while (live::steady_now() < deadline) {
    pollfd readable{child.output_fd(), POLLIN, 0};
    if (::poll(&readable, 1, 100) <= 0) continue;
    const auto n = ::read(child.output_fd(), piece.data(), piece.size());
    if (n <= 0) return all;
    all.append(piece.data(), static_cast<std::size_t>(n));
  }
  ADD_FAILURE() << "its output does not end";
  return all;
}

struct Ended {
  std::string out;
  std::string err;
  int status = -1;  // as waitpid gives it
};

Ended end_of(live::Child& run, const std::string& log) {
  Ended ended;
  ended.out = rest_of(run);
  ended.status = run.wait_exit(60s).value_or(-1);
  ended.err = read_file(log);
  return ended;
}

Ended shell(const Cluster& cluster, const std::string& script, std::vector<std::string> options = {}) {
  const auto log = cluster.folder().path() + "/err";
  std::vector<std::string> words{"run"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", "sh", "-c", script});
  auto run = cluster.start(words, log);
  return end_of(run, log);
}

/// One number a line.
std::string lines(int first, int last, const std::string& before = "") {
  std::string text;
  for (int n = first; n <= last; ++n) text += before + std::to_string(n) + "\n";
  return text;
}

int finished_tasks(const Cluster& cluster) {
  return testing::json_number(cluster({"status", "-o", "json"}).out, "/frameworks/0/tasks/finished");
}

TEST(RunOutput, IsHandedOnWholeAndNothingStaysBehind) {
  Cluster cluster(1);
  const auto ran = shell(cluster, "seq 100000");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(ran.out == lines(1, 100000)) << ran.out.size() << " bytes";
  const auto outputs = cluster.folder().path() + "/cluster/n01/outputs";
  EXPECT_TRUE(eventually([&] { return std::filesystem::is_empty(outputs); }, 10s));
}

TEST(RunOutput, IsBytesWithZerosAndWithoutAFinalNewline) {
  Cluster cluster(1);
  const auto ran = shell(cluster, "printf 'a\\0b\\n\\377'; printf 'c\\0d' >&2");
  EXPECT_EQ(ran.out, std::string("a\0b\n\377", 5));
  EXPECT_THAT(ran.err, HasSubstr(std::string("c\0dtask 0 on n01 finished", 25)));
}

TEST(RunOutput, OfTwentyMegabytesIsHandedOnWhole) {
  Cluster cluster(1);
  const auto copy = cluster.folder().path() + "/copy";
  const auto ran = shell(cluster, "head -c 20000000 /dev/urandom | tee " + copy);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out.size(), 20'000'000u);
  EXPECT_TRUE(ran.out == read_file(copy));
}

TEST(RunOutput, OfBothStreamsStaysApart) {
  Cluster cluster(1);
  const auto ran = shell(cluster, "seq 50000; seq 60000 90000 >&2");
  EXPECT_TRUE(ran.out == lines(1, 50000)) << ran.out.size() << " bytes";
  EXPECT_TRUE(ran.err.starts_with(lines(60000, 90000) + "task 0 on n01 finished")) << ran.err.size();
}

TEST(RunOutput, OfEachOfManyTasksIsWholeAndInOnePiece) {
  Cluster cluster(2);
  const auto ran = shell(cluster, "seq 3000 | sed 's/^/{} /'", {"-n", "50"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::size_t all = 0;
  for (int task = 0; task < 50; ++task) {
    const auto wanted = lines(1, 3000, std::to_string(task) + " ");
    EXPECT_TRUE(("\n" + ran.out).find("\n" + wanted) != std::string::npos) << "task " << task;
    all += wanted.size();
  }
  EXPECT_EQ(ran.out.size(), all);
}

TEST(RunOutput, IsWholeWhateverTheTaskMakesOfItsFiles) {
  Cluster cluster(1);
  for (const auto* change :
       {"rm stdout; mkfifo stdout", "ln -sf /etc/passwd stdout", "rm stdout; mkdir stdout"}) {
    const auto ran = shell(cluster, std::string(change) + "; seq 2000");
    EXPECT_EQ(ran.status, 0) << change << ran.err;
    EXPECT_TRUE(ran.out == lines(1, 2000)) << change << ran.out;
  }
}

TEST(RunOutput, ThatATaskHasTakenAwayIsMissed) {
  Cluster cluster(1);
  const auto ran =
      shell(cluster, "cd $PROFFER_OUTPUTS_DIR/*/*; rm *~stdout; mkfifo ${PROFFER_TASK_ID}~stdout; seq 20",
            {"-n", "2"});
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.err, HasSubstr("task 0 on n01: only the first 0 bytes of its stdout were handed on: "));
  EXPECT_THAT(ran.err, HasSubstr("is not a regular file"));
}

TEST(RunOutput, IsHandedOnWhileItIsWritten) {
  Cluster cluster(1);
  const auto gate = cluster.folder().path() + "/gate";
  auto run = cluster.start(
      {"run", "--", "sh", "-c", "echo begin; while [ ! -e " + gate + " ]; do sleep 0.05; done; echo end"});
  EXPECT_EQ(run.read_line(30s).value(), "begin");
  cluster.folder().file("gate", "");
  EXPECT_EQ(run.read_line(30s).value(), "end");
  EXPECT_EQ(run.wait_exit(30s), 0);
}

// An agent keeps 1,000 sandboxes and, of one framework, 1,024 ends that are not acknowledged.
TEST(RunOutput, OfMoreTasksThanAnAgentKeepsIsWholeForASlowReader) {
  Cluster cluster(1, "", {{Kind("map"), 16}});
  const auto log = cluster.folder().path() + "/err";
  auto run = cluster.start({"run", "-n", "1100", "--", "sh", "-c", "printf '%1000s\\n' {}"}, log);
  ASSERT_TRUE(eventually([&] { return finished_tasks(cluster) >= 1010; }, 60s));
  const auto ended = end_of(run, log);
  EXPECT_EQ(ended.status, 0) << ended.err;
  std::vector<int> seen;
  for (std::size_t at = 0; at + 1001 <= ended.out.size(); at += 1001) {
    seen.push_back(std::stoi(ended.out.substr(at, 1000)));
  }
  std::sort(seen.begin(), seen.end());
  std::vector<int> all(1100);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(seen, all);
}

TEST(RunOutput, OfAnAgentThatIsGoneIsMissedAndTheRunFails) {
  Cluster cluster(1);
  const auto log = cluster.folder().path() + "/err";
  auto run = cluster.start({"run", "--", "sh", "-c", "head -c 20000000 /dev/zero"}, log);
  // Nobody reads, so that most of it is still there when the task has ended.
  ASSERT_TRUE(eventually([&] { return finished_tasks(cluster) == 1; }, 60s));
  ASSERT_EQ(::kill(cluster.processes().agent_pid(0), SIGKILL), 0);
  const auto ended = end_of(run, log);
  EXPECT_EQ(ended.status, W_EXITCODE(1, 0));
  EXPECT_LT(ended.out.size(), 20'000'000u);
  EXPECT_THAT(ended.err, HasSubstr("task 0 on n01: only the first " + std::to_string(ended.out.size()) +
                                   " bytes of its stdout were handed on: "));
}

TEST(RunOutput, OfATaskThatIsRunAgainElsewhereIsNotPassedOffAsWhole) {
  Cluster cluster(2, "[allocator]\nunreachable_after = \"6s\"\n");
  const auto log = cluster.folder().path() + "/err";
  const auto gate = cluster.folder().path() + "/gate";
  auto run = cluster.start(
      {"run", "--", "sh", "-c", "echo $PROFFER_AGENT; while [ ! -e " + gate + " ]; do sleep 0.05; done"},
      log);
  const auto where = run.read_line(30s).value();
  ::kill(cluster.processes().agent_pid(where == "n01" ? 0 : 1), SIGKILL);
  cluster.folder().file("gate", "");
  EXPECT_EQ(run.read_line(60s).value(), where == "n01" ? "n02" : "n01");
  EXPECT_EQ(run.wait_exit(60s), W_EXITCODE(1, 0));
  EXPECT_THAT(
      read_file(log),
      HasSubstr(
          "task 0 on " + where +
          " did not finish, and runs again: the 4 bytes of its output that were handed on are not all"));
}

TEST(RunOutput, PastWhatAnAgentKeepsIsMissed) {
  Cluster cluster(1);
  const auto ran = shell(cluster, "head -c 70000000 /dev/zero; echo fine >&2");
  EXPECT_EQ(ran.status, W_EXITCODE(1, 0));
  EXPECT_EQ(ran.out.size(), 67'108'864u);
  EXPECT_EQ(ran.out.find_first_not_of('\0'), std::string::npos);
  EXPECT_THAT(
      ran.err,
      HasSubstr("only the first 67108864 bytes of its stdout were handed on: its agent keeps no more"));
  EXPECT_THAT(ran.err, Not(HasSubstr("stderr were handed on")));
}

TEST(RunOutput, EndsTheRunWhenNobodyTakesIt) {
  Cluster cluster(1);
  const auto log = cluster.folder().path() + "/err";
  const std::string proffer = PROFFER_BIN_DIR "/proffer run --name r --allocator ";
  const auto words = proffer + cluster.processes().allocator_endpoint() + " -- yes | head -n 1";
  auto run = std::move(live::Child::start({"/bin/sh", "-c", words}, log)).value();
  EXPECT_EQ(run.read_line(30s).value(), "y");
  EXPECT_EQ(run.wait_exit(30s), 0);
  EXPECT_THAT(read_file(log), HasSubstr("proffer: cannot write to stdout: Broken pipe"));
  EXPECT_TRUE(eventually([&] { return cluster.running("r") == 0; }, 10s));
}

}  // namespace
}  // namespace proffer
