// What becomes of tasks whose framework is gone, or does not run for a while, or whose allocator does not.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include "cluster.hpp"

namespace proffer {
namespace {

using testing::Cluster;
using testing::eventually;
using namespace std::chrono_literals;

/// Until so much later it holds, again and again.
template <class Holds>
bool holds_for(Duration time, Holds holds) {
  return !eventually([&] { return !holds(); }, time);
}

/// A process that does not run, until the object goes.
class Paused {
 public:
  explicit Paused(pid_t pid) : pid_(pid) { ::kill(pid_, SIGSTOP); }
  ~Paused() { ::kill(pid_, SIGCONT); }
  Paused(const Paused&) = delete;
  Paused& operator=(const Paused&) = delete;

 private:
  pid_t pid_;
};

/// Started so many times, as its tasks note it.
struct Tasks {
  Cluster& cluster;
  std::string gate = cluster.folder().path() + "/gate";
  std::string starts = cluster.folder().path() + "/starts";

  live::Child start(const std::string& name, std::vector<std::string> flags = {},
                    const std::string& log = "/dev/null") {
    std::vector<std::string> words{"run", "--name", name, "-n", "2"};
    words.insert(words.end(), flags.begin(), flags.end());
    const auto script = "echo >> " + starts + "; while [ ! -e " + gate + " ]; do sleep 0.05; done";
    words.insert(words.end(), {"--", "sh", "-c", script});
    auto child = cluster.start(words, log);
    EXPECT_TRUE(eventually([&] { return cluster.running(name) == 2; }, 30s));
    return child;
  }
  void let_end() { cluster.folder().file("gate", ""); }
  std::size_t started() const { return testing::read_file(starts).size(); }
};

TEST(Failover, TasksOfAKilledClientGoOn) {
  Cluster cluster(1);
  Tasks tasks{cluster};
  auto client = tasks.start("r");
  client.signal(SIGKILL);
  EXPECT_TRUE(holds_for(7s, [&] { return cluster.running("r") == 2; }));
}

TEST(Failover, WithATimeoutOfZeroTheyEndAtOnce) {
  Cluster cluster(1);
  Tasks tasks{cluster};
  auto client = tasks.start("r", {"--failover-timeout", "0s"});
  client.signal(SIGKILL);
  EXPECT_TRUE(eventually([&] { return cluster.running("r") == 0; }, 10s));
}

TEST(Failover, AfterItsTimeoutTheyEnd) {
  Cluster cluster(1);
  Tasks tasks{cluster};
  auto client = tasks.start("r", {"--failover-timeout", "3s"});
  client.signal(SIGKILL);
  EXPECT_TRUE(eventually([&] { return cluster.running("r") == 0; }, 20s));
}

TEST(Failover, AClientThatIsAskedToEndTakesItsTasksAlong) {
  Cluster cluster(1);
  for (const int signal : {SIGINT, SIGTERM}) {
    Tasks tasks{cluster};
    auto client = tasks.start("r");
    client.signal(signal);
    EXPECT_EQ(client.wait_exit(60s), W_EXITCODE(1, 0));
    EXPECT_TRUE(eventually([&] { return cluster.running("r") == 0; }, 10s)) << signal;
  }
}

TEST(Failover, AClientThatRanOutOfTimeTakesItsTasksAlong) {
  Cluster cluster(1);
  EXPECT_EQ(cluster({"run", "--kill-after", "1s", "--", "sleep", "300"}).exit_code, 4);
  EXPECT_TRUE(eventually([&] { return cluster.running("run") == 0; }, 10s));
}

TEST(Failover, AClientThatDidNotRunForAWhileFindsItsTasksAsTheyWere) {
  Cluster cluster(1);
  Tasks tasks{cluster};
  const auto log = cluster.folder().path() + "/err";
  auto client = tasks.start("r", {}, log);
  {
    const Paused paused(client.pid());
    EXPECT_TRUE(holds_for(12s, [&] { return cluster.running("r") == 2; }))
        << "longer than it would wait at its start";
  }
  tasks.let_end();
  EXPECT_EQ(client.wait_exit(60s), 0);
  EXPECT_EQ(tasks.started(), 2u);
  EXPECT_THAT(testing::read_file(log), ::testing::Not(::testing::HasSubstr("no allocator")));
}

TEST(Failover, AnAllocatorThatDidNotRunForAWhileHarmsNobody) {
  Cluster cluster(1);
  Tasks tasks{cluster};
  const auto log = cluster.folder().path() + "/err";
  auto client = tasks.start("r", {"--failover-timeout", "0s"}, log);
  {
    const Paused paused(cluster.processes().allocator_pid());
    EXPECT_TRUE(eventually(
        [&] { return testing::read_file(log).find("no allocator answers") != std::string::npos; }, 60s));
    EXPECT_TRUE(holds_for(7s, [&] { return !client.poll_exit(); }))
        << "longer than it would wait at its start";
  }
  EXPECT_TRUE(
      eventually([&] { return testing::read_file(log).find("answers again") != std::string::npos; }, 60s));
  tasks.let_end();
  EXPECT_EQ(client.wait_exit(60s), 0);
  EXPECT_EQ(tasks.started(), 2u);
}

}  // namespace
}  // namespace proffer
