#include <gmock/gmock.h>

#include "live/host/state_dir.hpp"
#include "tests/live_host/folder.hpp"
#include "tests/live_host/forked_agent.hpp"
#include "tests/live_host/wire_server.hpp"
#include "tests/live_transport/ports.hpp"

namespace proffer::live::test {
namespace {

const AgentId kAgent{{1, 1}};
const FrameworkId kFramework{{0xABCDull << 48, 2}};

Launch launch(std::uint64_t n, const std::string& task, const std::string& shell) {
  Launch launch;
  launch.launch = {1, n};
  launch.framework = kFramework;
  launch.framework_name = "f";
  launch.task.id = {task};
  launch.task.resources.set(Kind("map"), 1);
  launch.task.work = std::make_shared<const Work>(CommandWork{{"/bin/sh", "-c", shell}, {}});
  return launch;
}

std::string sandbox(const std::string& task) {
  return "work/sandboxes/f." + to_hex(kFramework.value).substr(0, 8) + "/" + task;
}

/// The allocator's (and the catalog's) addresses are chosen first, the agent is forked, and only then may
/// this process have threads.
struct AgentDaemonTest : testing::Test {
  Folder folder;
  FreePort allocator_place;
  FreePort catalog_place;
  AgentSettings settings;
  std::unique_ptr<ForkedAgent> agent;
  std::unique_ptr<WireServer> allocator;

  AgentDaemonTest() {
    settings.agent.name = "n1";
    settings.agent.slots.set(Kind("map"), 2);
    settings.allocator = allocator_place.endpoint();
    settings.work_dir = folder.path("work");
    settings.event_log = folder.path("events.jsonl");
  }
  void start() {
    agent = std::make_unique<ForkedAgent>(settings);
    if (!allocator) allocator = std::make_unique<WireServer>(allocator_place.give_up());
  }
  /// Takes the agent in; `catalog` empty: there is none.
  Register take(const std::string& catalog = {}) {
    const auto hello = allocator->receive<Register>();
    allocator->say(Registered{kAgent, std::chrono::milliseconds(200), catalog, {}});
    return hello;
  }
  pid_t long_task();
  TaskStatus next_status(TaskState state) {
    while (!HasFailure()) {
      const auto status = allocator->receive<Status>().status;
      allocator->say(Acknowledge{status.framework, status.task, status.seq});
      if (status.state == state) return status;
    }
    return {};
  }
};

TEST_F(AgentDaemonTest, RegistersAndSaysThatItIsReady) {
  start();
  const auto hello = take();
  EXPECT_EQ(hello.name, "n1");
  EXPECT_EQ(hello.run, 1u);
  EXPECT_EQ(hello.slots[Kind("map")], 2);
  EXPECT_EQ(agent->next_line(), "agent name=n1 data=" + hello.data_endpoint);
  EXPECT_THAT(hello.data_endpoint, testing::MatchesRegex("tcp://127.0.0.1:[0-9]+"));
}

TEST_F(AgentDaemonTest, RunsWhatItIsToldAndReportsTheEnd) {
  start();
  take();
  allocator->say(launch(1, "good", "echo out; exit 0"));
  EXPECT_EQ(next_status(TaskState::finished).task.value, "good");
  allocator->say(launch(2, "bad", "exit 3"));
  EXPECT_EQ(next_status(TaskState::failed).exit.code, 3);
  EXPECT_EQ(folder.read(sandbox("good") + "/stdout"), "out\n");
}

TEST_F(AgentDaemonTest, TasksFindItsIdInTheirEnvironment) {
  start();
  take();
  allocator->say(launch(1, "env", "echo $PROFFER_AGENT $PROFFER_AGENT_ID"));
  next_status(TaskState::finished);
  EXPECT_EQ(folder.read(sandbox("env") + "/stdout"), "n1 " + to_hex(kAgent.value) + "\n");
}

TEST_F(AgentDaemonTest, TellsTheCatalogThatTheAllocatorNames) {
  start();
  WireServer catalog(catalog_place.give_up());
  const auto hello = take(catalog.endpoint());
  const auto report = catalog.receive<BlockReport>();
  EXPECT_EQ(report.agent, kAgent);
  EXPECT_EQ(report.data_endpoint, hello.data_endpoint);
  catalog.say(CatalogWelcome{"secret", std::chrono::milliseconds(200)});
  EXPECT_EQ(agent->next_line(), "agent name=n1 data=" + hello.data_endpoint);
}

TEST_F(AgentDaemonTest, WaitsForAPlaceInAFullCluster) {
  start();
  allocator->receive<Register>();
  allocator->refuse({ErrorCode::slow_down, "the cluster is full"});
  const auto hello = take();
  EXPECT_EQ(agent->next_line(), "agent name=n1 data=" + hello.data_endpoint);
}

/// Starts a task that goes on and on. Returns its process, which is 0 when it does not come up.
pid_t AgentDaemonTest::long_task() {
  allocator->say(launch(1, "long", "echo $$ > pid; exec sleep 1000"));
  next_status(TaskState::running);
  std::string pid;
  const auto deadline = steady_now() + kPatience;
  while (pid.find('\n') == std::string::npos && steady_now() < deadline) {
    pid = folder.read(sandbox("long") + "/pid");
  }
  return pid.empty() ? 0 : std::stoi(pid);
}

TEST_F(AgentDaemonTest, StopsWithinTwoSecondsOfSigtermAndLeavesItsTasksRunning) {
  start();
  take();
  const auto task = long_task();
  ASSERT_GT(task, 1);
  EXPECT_LT(agent->end_by(SIGTERM), std::chrono::seconds(2));
  EXPECT_TRUE(agent->ended_well());
  EXPECT_EQ(::kill(task, 0), 0);
}

TEST_F(AgentDaemonTest, TakesItsTasksAlongWhereThatIsAskedFor) {
  settings.kill_tasks_at_stop = true;
  start();
  take();
  const auto task = long_task();
  ASSERT_GT(task, 1);
  EXPECT_LT(agent->end_by(SIGTERM), std::chrono::seconds(2));
  EXPECT_TRUE(agent->ended_well());
  const auto deadline = steady_now() + kPatience;
  while (::kill(task, 0) == 0 && steady_now() < deadline) {
  }
  EXPECT_NE(::kill(task, 0), 0) << "its task still runs";
}

TEST_F(AgentDaemonTest, KilledAndStartedAgainItIsTheNextRunOfTheSameAgent) {
  start();
  const auto first = take();
  EXPECT_FALSE(first.agent.value.is_nil());
  EXPECT_EQ(first.run, 1u);
  agent->end_by(SIGKILL);
  allocator.reset();  // no threads while we fork
  FreePort elsewhere;
  settings.allocator = elsewhere.endpoint();
  agent = std::make_unique<ForkedAgent>(settings);
  allocator = std::make_unique<WireServer>(elsewhere.give_up());
  const auto second = take();
  EXPECT_EQ(second.agent, first.agent);
  EXPECT_EQ(second.run, 2u);
  EXPECT_EQ(second.data_endpoint, first.data_endpoint) << "frameworks fetch what tasks wrote from there";
}

TEST_F(AgentDaemonTest, ThatIsRefusedForGoodSaysWhyAndEnds) {
  start();
  allocator->receive<Register>();
  allocator->refuse({ErrorCode::invalid, "an agent needs at least one slot"});
  EXPECT_EQ(agent->next_line(), "an agent needs at least one slot");
}

TEST_F(AgentDaemonTest, IsTheOnlyOneOnItsWorkDir) {
  const auto held = StateDir::lock(settings.work_dir, "an agent").value();
  ForkedAgent second(settings);
  EXPECT_EQ(second.next_line(), "an agent is running on " + settings.work_dir + " already");
}

TEST(AgentDaemon, NeedsAWorkDir) {
  Stop stop;
  EXPECT_EQ(run_agent({}, stop).error().code, ErrorCode::invalid);
}

TEST_F(AgentDaemonTest, ATaskThatMakesItsOutputAFifoHoldsNobodyUp) {
  start();
  take();
  allocator->say(launch(1, "hostile", "rm stdout stderr; mkfifo stdout stderr"));
  EXPECT_EQ(next_status(TaskState::finished).task.value, "hostile");
  EXPECT_LT(agent->end_by(SIGTERM), std::chrono::seconds(5));
  EXPECT_TRUE(agent->ended_well());
}

TEST_F(AgentDaemonTest, WhoCanMakeNoSandboxSaysSoAtTheThirdTaskAndIsWellOnceItCan) {
  start();
  take();
  const auto sandboxes = folder.path("work/sandboxes");
  std::filesystem::remove_all(sandboxes);
  folder.write("work/sandboxes", "no folder");
  for (std::uint64_t n = 1; n <= 3; ++n) {
    allocator->say(launch(n, "t" + std::to_string(n), "true"));
    EXPECT_EQ(next_status(TaskState::failed).reason, TaskReason::agent_failed);
  }
  allocator->say(launch(4, "t4", "true"));
  EXPECT_EQ(next_status(TaskState::rejected).reason, TaskReason::agent_refused);
  const auto trouble = allocator->receive<AgentHealth>().trouble;  // again, since nobody repeats it
  EXPECT_THAT(trouble, testing::HasSubstr("cannot make the folder " + sandboxes));
  allocator->say(AgentHealth{trouble});
  std::filesystem::remove(sandboxes);
  std::filesystem::create_directory(sandboxes);
  const auto deadline = steady_now() + std::chrono::seconds(60);
  while (!allocator->receive<AgentHealth>().trouble.empty() && !HasFailure())
    ASSERT_LT(steady_now(), deadline);
  allocator->say(AgentHealth{});
  allocator->say(launch(5, "t5", "true"));
  EXPECT_EQ(next_status(TaskState::finished).task.value, "t5");
}

}  // namespace
}  // namespace proffer::live::test
