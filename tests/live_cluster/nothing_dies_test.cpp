// Each daemon, and each client, is killed, paused for 20 s, or stopped in good order, while tasks and a job
// are at work. The tasks write down themselves when they start and end, and as which process.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <thread>
#include <tuple>

#include "daemons.hpp"
#include "live/chaos/victims.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Daemon;
using testing::Daemons;
using testing::eventually;
using testing::Folder;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_file;

enum class Role { allocator, catalog, agent, launcher, framework };
enum class Fault { killed, paused, stopped };
void PrintTo(Role role, std::ostream* out) { *out << "role " << static_cast<int>(role); }
void PrintTo(Fault fault, std::ostream* out) { *out << "fault " << static_cast<int>(fault); }
using Case = std::tuple<Role, Fault>;

constexpr auto kPause = 20s;
constexpr int kTasks = 6;  // of each client, on as many slots
constexpr int kReduces = 2;
constexpr int kLinesPerBlock = 16;

/// The files in which tasks say when they start and end, a file for each.
class Truth {
 public:
  explicit Truth(std::string dir) : dir_(std::move(dir)) { std::filesystem::create_directories(dir_); }

  /// Shell words that append "start PID" or "end PID" to the file of a task.
  std::string append(const std::string& what, const std::string& task) const {
    return "echo " + what + " $$ >> " + dir_ + "/" + task + "; ";
  }
  /// Returns how many files of tasks with such a name have a line with that word.
  int count(const std::string& prefix, const std::string& what) const {
    int count = 0;
    for (const auto& [task, text] : all()) {
      count += task.starts_with(prefix) && text.find(what + " ") != text.npos ? 1 : 0;
    }
    return count;
  }
  /// Returns what each task has written.
  std::map<std::string, std::string> all() const {
    std::map<std::string, std::string> texts;
    for (const auto& file : std::filesystem::directory_iterator(dir_)) {
      texts[file.path().filename().string()] = read_file(file.path().string());
    }
    return texts;
  }
  /// Returns the process of a task that has started once, and not ended; 0 for any other.
  static pid_t running(const std::string& text) {
    std::istringstream words(text);
    std::string start;
    pid_t pid = 0;
    words >> start >> pid >> std::ws;
    return start == "start" && words.eof() ? pid : 0;
  }
  /// Whether a task started once, and ended once as the same process.
  static bool whole(const std::string& text) {
    std::istringstream words(text);
    std::string start;
    std::string end;
    pid_t first = 0;
    pid_t last = 0;
    words >> start >> first >> end >> last >> std::ws;
    return words.eof() && start == "start" && end == "end" && first > 1 && first == last;
  }

 private:
  std::string dir_;
};

/// Two agents of six map slots and two reduce slots; `run` and `mr` with six tasks each, of which the first
/// three go through one gate and the others through the next.
class AtWork : public ::testing::Test {
 protected:
  AtWork() {
    EXPECT_TRUE(eventually([&] { return truth_.count("", "start") == 2 * kTasks; }, 60s))
        << read_file(log("run")) << read_file(log("mr"));
  }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string log(const std::string& client) const { return path(client + ".log"); }
  void open_gate(int number) { folder_.file("gate." + std::to_string(number), ""); }

  /// Goes on with what has been killed.
  void resume() {
    run_ = cluster_.begin({"run", "--resume", path("run-state")}, log("run"));
    mr_ = cluster_.begin({"mr", "--resume", path("mr-state")}, log("mr"));
  }
  void signal_clients(int number) {
    run_.signal(number);
    mr_.signal(number);
  }
  void end_clients_by(int number) {
    signal_clients(number);
    EXPECT_TRUE(run_.wait_exit(20s));
    EXPECT_TRUE(mr_.wait_exit(20s));
  }
  std::vector<pid_t> launchers() const { return live::launchers_of(cluster_.dir("n1")); }
  /// Returns the tasks that are at work, and their processes.
  std::map<std::string, pid_t> at_work() const {
    std::map<std::string, pid_t> found;
    for (const auto& [task, text] : truth_.all()) {
      if (const auto pid = Truth::running(text); pid > 1) found[task] = pid;
    }
    return found;
  }
  static bool lives(pid_t pid) { return pid > 1 && ::kill(pid, 0) == 0; }

  void expect_all_ended_once() const {
    for (const auto& [task, text] : truth_.all()) EXPECT_TRUE(Truth::whole(text)) << task << ":\n" << text;
    EXPECT_EQ(truth_.count("run.", "end"), kTasks);
    EXPECT_EQ(truth_.count("map.", "end"), kTasks);
    EXPECT_EQ(truth_.count("reduce.", "end"), kReduces);
  }
  /// The third and the sixth task end with exit code 7.
  void expect_run_told_all() {
    std::string out;
    while (auto line = run_.read_line(60s)) out += *line + "\n";
    ASSERT_TRUE(run_.wait_exit(60s));
    const auto err = read_file(log("run"));
    for (int i = 0; i < kTasks; ++i) {
      EXPECT_THAT(out, HasSubstr("result " + std::to_string(i) + "\n")) << err;
      const auto line = err.find("task " + std::to_string(i) + " on n");
      ASSERT_NE(line, err.npos) << err;
      EXPECT_THAT(err.substr(line, err.find('\n', line) - line),
                  HasSubstr(i % 3 == 2 ? "FAILED with exit code 7" : "finished"));
    }
  }
  void expect_output_is_right() {
    ASSERT_EQ(mr_.wait_exit(60s), std::optional(0)) << read_file(log("mr"));
    std::map<std::string, int> counted;
    std::istringstream lines(cluster_.command({"cat", "/out"}).out);
    int count = 0;
    for (std::string word; lines >> count >> word;) counted[word] += count;
    EXPECT_EQ(counted, words_);
  }

  Daemons cluster_{2, "map=6,reduce=2"};
  const Folder& folder_ = cluster_.folder();
  Truth truth_{path("truth")};
  std::map<std::string, int> words_;  // of the job's input, but the first lines of blocks
  live::Child run_ = begin_run();
  live::Child mr_ = begin_mr();

 private:
  std::string wait_for_gate(const std::string& number) const {
    return "while [ ! -e " + path("gate.$((" + number + " / 3))") + " ]; do sleep 0.05; done; ";
  }
  live::Child begin_run() {
    const auto script = truth_.append("start", "run.{}") + wait_for_gate("{}") + "echo result {}; " +
                        truth_.append("end", "run.{}") + "exit $(({} % 3 == 2 ? 7 : 0))";
    return cluster_.begin(
        {"run", "--state-dir", path("run-state"), "-n", std::to_string(kTasks), "--", "sh", "-c", script},
        log("run"));
  }
  /// Blocks of 1 KiB, each with its number as the first line.
  std::string input() {
    std::string text;
    for (int i = 0; i < kTasks * kLinesPerBlock; ++i) {
      const auto word = "word" + std::to_string(i % 7);
      const bool first = i % kLinesPerBlock == 0;
      auto line = first ? std::to_string(i / kLinesPerBlock) : word;
      if (!first) ++words_[word];
      line.resize(1024 / kLinesPerBlock - 1, ' ');
      text += line + "\n";
    }
    return text;
  }
  live::Child begin_mr() {
    const auto local = folder_.file("text", input());
    const auto put = cluster_.command({"put", "--block-size", "1KiB", "--replication", "2", local, "/in"});
    EXPECT_EQ(put.exit_code, 0) << put.err;
    const auto mapper = "read -r n; " + truth_.append("start", "map.$n") + wait_for_gate("n") +
                        "tr -d ' '; " + truth_.append("end", "map.$n");
    const auto reducer =
        truth_.append("start", "reduce.$$") + "uniq -c; " + truth_.append("end", "reduce.$$");
    return cluster_.begin(
        {"mr", "--state-dir", path("mr-state"), "-input", "/in", "-output", "/out", "-mapper", mapper,
         "-reducer", reducer, "-numReduceTasks", std::to_string(kReduces), "-replication", "2"},
        log("mr"));
  }
};

class NothingDies : public AtWork, public ::testing::WithParamInterface<Case> {
 protected:
  Role role() const { return std::get<Role>(GetParam()); }
  Fault fault() const { return std::get<Fault>(GetParam()); }
  Daemon& daemon() {
    if (role() == Role::allocator) return cluster_.allocator();
    return role() == Role::catalog ? cluster_.catalog() : cluster_.agents().front();
  }

  void harm() {
    harmed_at_ = live::steady_now();
    const int number = fault() == Fault::killed ? SIGKILL : fault() == Fault::paused ? SIGSTOP : SIGTERM;
    if (role() == Role::launcher) {
      former_launchers_ = launchers();
      ASSERT_EQ(former_launchers_.size(), 1u);
      ::kill(former_launchers_.front(), number);
    } else if (role() == Role::framework) {
      number == SIGSTOP ? signal_clients(number) : end_clients_by(number);
    } else {
      number == SIGSTOP ? daemon().signal(number) : daemon().end_by(number);
    }
  }
  void mend() {
    if (fault() == Fault::paused) std::this_thread::sleep_for(harmed_at_ + kPause - live::steady_now());
    if (role() == Role::launcher) {
      mend_launcher();
    } else if (role() == Role::framework) {
      fault() == Fault::paused ? signal_clients(SIGCONT) : resume();
    } else {
      fault() == Fault::paused ? daemon().signal(SIGCONT) : daemon().start();
    }
  }
  /// The agent does it: it starts another launcher, and ends one that says nothing.
  void mend_launcher() {
    EXPECT_TRUE(eventually(
        [&] {
          const auto now = launchers();
          return now.size() == 1 && now != former_launchers_;
        },
        20s));
  }

 private:
  Time harmed_at_{};
  std::vector<pid_t> former_launchers_;
};

/// The first tasks of each client end while nobody can hear of it, the others when all is well again.
TEST_P(NothingDies, TasksKeepTheirProcessesEndOnceAndAreHeardOf) {
  const auto before = at_work();
  ASSERT_EQ(before.size(), 2u * kTasks);
  ASSERT_NO_FATAL_FAILURE(harm());
  open_gate(0);
  EXPECT_TRUE(eventually([&] { return truth_.count("", "end") == kTasks; }, 15s))
      << "half of the tasks of each client end meanwhile";
  mend();
  EXPECT_TRUE(eventually([&] { return cluster_.whole(); }, 30s));
  EXPECT_EQ(truth_.count("map.", "start") + truth_.count("run.", "start"), 2 * kTasks);
  const auto after = at_work();
  EXPECT_EQ(after.size(), std::size_t{kTasks}) << "the reduces wait for maps";
  for (const auto& [task, pid] : after) {
    EXPECT_EQ(before.at(task), pid) << task;
    EXPECT_TRUE(lives(pid)) << task;
  }
  open_gate(1);
  expect_run_told_all();
  expect_output_is_right();
  expect_all_ended_once();
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  constexpr std::array kRoles{"Allocator", "Catalog", "Agent", "Launcher", "Framework"};
  constexpr std::array kFaults{"IsKilled", "PausesForTwentySeconds", "IsStopped"};
  return std::string(kRoles.at(static_cast<std::size_t>(std::get<Role>(info.param)))) +
         kFaults.at(static_cast<std::size_t>(std::get<Fault>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(When, NothingDies,
                         ::testing::Combine(::testing::Values(Role::allocator, Role::catalog, Role::agent,
                                                              Role::launcher, Role::framework),
                                            ::testing::Values(Fault::paused, Fault::killed)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(InGoodOrderWhen, NothingDies,
                         ::testing::Combine(::testing::Values(Role::allocator, Role::catalog, Role::agent,
                                                              Role::launcher),
                                            ::testing::Values(Fault::stopped)),
                         name_of);

/// A client that is stopped in good order, as by ^C, takes its tasks along: that is its own will.
TEST_F(AtWork, AFrameworkThatIsStoppedInGoodOrderLeavesNothing) {
  const auto before = at_work();
  end_clients_by(SIGTERM);
  EXPECT_TRUE(eventually(
      [&] {
        return std::none_of(before.begin(), before.end(),
                            [](const auto& task) { return lives(task.second); });
      },
      20s));
  EXPECT_EQ(truth_.count("", "end"), 0);
  EXPECT_TRUE(
      eventually([&] { return cluster_.used("run", "map") == -1 && cluster_.used("mr", "map") == -1; }, 20s))
      << "a framework of theirs is left";
  EXPECT_FALSE(std::filesystem::exists(path("run-state"))) << "there is nothing to go on with";
}

}  // namespace
}  // namespace proffer
