// Agents of a running cluster that an operator drains, takes back into service, and declares gone.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>

#include "cluster.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;

constexpr const char* kSoonUnreachable = "[allocator]\nunreachable_after = \"6s\"\n";

/// Two agents of a map slot each, n01 and n02.
class Drain : public ::testing::Test {
 protected:
  Ran agent(std::vector<std::string> words) { return testing::proffer(with_address(std::move(words))); }
  std::vector<std::string> with_address(std::vector<std::string> words) {
    words.insert(words.begin(), "agent");
    words.insert(words.end(), {"--allocator", cluster_.processes().allocator_endpoint()});
    return words;
  }
  /// Two tasks that run until let_end(), one on each agent.
  live::Child start_two() {
    auto run = cluster_.start({"run", "--name", "r", "-n", "2", "--", "sh", "-c",
                               "while [ ! -e " + gate_ + " ]; do sleep 0.05; done; echo $PROFFER_AGENT"});
    EXPECT_TRUE(eventually([&] { return cluster_.running("r") == 2; }, 30s));
    return run;
  }
  void let_end() { cluster_.folder().file("gate", ""); }
  std::string state_of(const std::string& name) {
    const auto listed = agent({"list"}).out;
    const auto begin = listed.find(name);
    return begin == listed.npos ? "" : listed.substr(begin, listed.find('\n', begin) - begin);
  }

  Cluster cluster_{2, kSoonUnreachable, {{Kind("map"), 1}}};
  std::string gate_ = cluster_.folder().path() + "/gate";
};

TEST_F(Drain, TasksRunToTheirEndAndNoneComeUntilTheAgentServesAgain) {
  auto run = start_two();
  const auto log = cluster_.folder().path() + "/drain.log";
  auto drain = testing::start_proffer(with_address({"drain", "n01", "--wait"}), log);
  ASSERT_TRUE(eventually([&] { return state_of("n01").find("draining 1 task") != std::string::npos; }, 20s));
  EXPECT_THAT(cluster_({"status"}).out, HasSubstr("draining 1 task"));
  EXPECT_EQ(cluster_.running("r"), 2);
  EXPECT_FALSE(drain.poll_exit());
  let_end();
  EXPECT_EQ(drain.wait_exit(30s), std::optional(0));
  EXPECT_THAT(testing::read_file(log), HasSubstr("n01: 1 task left\n"));
  EXPECT_EQ(run.wait_exit(30s), std::optional(0));
  EXPECT_THAT(state_of("n01"), HasSubstr("drained"));
  EXPECT_EQ(cluster_({"run", "-n", "3", "--", "sh", "-c", "echo $PROFFER_AGENT"}).out, "n02\nn02\nn02\n");
  EXPECT_EQ(agent({"undrain", "n01"}).out, "agent n01 serves\n");
  EXPECT_EQ(cluster_({"run", "--prefer", "n01", "--policy", "wait,node_wait=1m", "--", "sh", "-c",
                      "echo $PROFFER_AGENT"})
                .out,
            "n01\n");
}

TEST_F(Drain, ItsTasksRunElsewhereWhenTheyAreKilled) {
  auto run = start_two();
  const auto drained = agent({"drain", "n01", "--kill-after", "0s", "--wait", "--timeout", "30s"});
  EXPECT_EQ(drained.exit_code, 0) << drained.err;
  EXPECT_EQ(drained.out, "agent n01 is drained\n");
  let_end();
  EXPECT_EQ(run.wait_exit(30s), std::optional(0)) << "both instances have run to their end on n02";
}

TEST_F(Drain, AWaitHasAnEnd) {
  auto run = start_two();
  const auto waited = agent({"drain", "n01", "--wait", "--timeout", "500ms"});
  EXPECT_EQ(waited.exit_code, 4);
  EXPECT_THAT(waited.err, HasSubstr("agent n01 still runs 1 task; it stays drained"));
  EXPECT_THAT(state_of("n01"), HasSubstr("draining"));
}

TEST_F(Drain, AnAgentThatIsUpIsNotGoneAndOneOutOfReachIs) {
  auto run = start_two();
  const auto refused = agent({"gone", "n01", "--yes"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("agent n01 is up and runs 1 task"));
  ::kill(cluster_.processes().agent_pid(0), SIGKILL);
  ASSERT_TRUE(eventually([&] { return state_of("n01").find("unreachable") != std::string::npos; }, 30s));
  EXPECT_EQ(agent({"gone", "n01"}).exit_code, 2) << "nobody is there to be asked";
  const auto gone = agent({"gone", "n01", "--yes"});
  EXPECT_EQ(gone.exit_code, 0) << gone.err;
  EXPECT_EQ(state_of("n01"), "");
  let_end();
  EXPECT_EQ(run.wait_exit(60s), std::optional(0)) << "its task runs elsewhere";
}

TEST_F(Drain, MistakesGetASentence) {
  EXPECT_THAT(agent({"drain", "n03"}).err, HasSubstr("there is no agent 'n03'; did you mean n01?"));
  EXPECT_EQ(agent({"drain", "n03"}).exit_code, 1);
  EXPECT_THAT(agent({"drain", "n01", "--kill-after", "soon"}).err, HasSubstr("--kill-after soon: "));
  EXPECT_EQ(agent({"drain", "n01", "--timeout", "1s"}).exit_code, 2) << "there is no --wait";
  EXPECT_THAT(agent({"drian", "n01"}).err, HasSubstr("agent has no command drian"));
  EXPECT_THAT(agent({"list"}).out, Not(HasSubstr("drain")));
}

TEST_F(Drain, AProgramReadsTheSame) {
  EXPECT_THAT(agent({"drain", "n02", "--json"}).out, HasSubstr("\"done\":\"agent n02 is drained\""));
  const auto listed = agent({"list", "-o", "json"}).out;
  EXPECT_THAT(listed, HasSubstr("\"wish\":\"drained\""));
  EXPECT_THAT(listed, HasSubstr("\"reach\":\"up\""));
}

/// Words that are the daemon's alone go on to start one.
TEST(AgentCommand, AloneIsTheDaemon) {
  const auto printed = testing::proffer({"agent", "--slots", "map=3", "--print-config"});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_THAT(printed.out, HasSubstr("map = 3"));
}

}  // namespace
}  // namespace proffer
