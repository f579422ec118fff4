// Daemons whose disk is full to its last byte: they refuse by name what they could not keep, go on, and take
// it again once there is room.
#include <gmock/gmock.h>

#include "live/host/event_log_writer.hpp"
#include "proffer/formats/event_log.hpp"
#include "tests/live_host/forked_agent.hpp"
#include "tests/live_host/running.hpp"
#include "tests/live_host/small_disk.hpp"
#include "tests/live_host/wire_client.hpp"
#include "tests/live_host/wire_server.hpp"
#include "tests/live_transport/ports.hpp"

namespace proffer::live::test {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

struct FullDisk : testing::Test {
  SmallDisk disk{"32m"};

  void SetUp() override { PROFFER_NEEDS_DISK(disk); }

  Running::Run allocator() const {
    AllocatorSettings config;
    config.drivers = false;
    config.frameworks_endpoint = "tcp://127.0.0.1:0";
    config.agents_endpoint = "tcp://127.0.0.1:0";
    config.state_dir = disk.path("state");
    return [config](Stop& stop, const Ready& ready) { return run_allocator(config, stop, ready); };
  }
  Running::Run catalog() const {
    CatalogSettings config;
    config.endpoint = "tcp://127.0.0.1:0";
    config.state_dir = disk.path("state");
    return [config](Stop& stop, const Ready& ready) { return run_catalog(config, stop, ready); };
  }

  /// Whether `change` is taken within the 5 s that a daemon may need to notice that there is room (and some
  /// more for a busy machine).
  static bool taken_soon(const std::function<bool()>& change) {
    const auto until = steady_now() + seconds(15);
    while (!change()) {
      if (steady_now() >= until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
  }
};

std::optional<Error> create_pool(WireClient& client, const std::string& name) {
  ChangePool change;
  change.verb = "create";
  change.pool = name;
  client.say(change);
  return client.receive<AdminDone>().error;
}

std::optional<Error> ask(WireClient& client, Message question) {
  client.say(std::move(question));
  return client.receive<CatalogDone>().error;
}
/// A file without blocks.
std::optional<Error> write_file(WireClient& client, const std::string& path) {
  if (auto error = ask(client, CreateFile{1, path, 1})) return error;
  return ask(client, CompleteFile{2, path});
}
std::vector<std::string> names(WireClient& client) {
  client.say(ListFiles{3, "/", false});
  std::vector<std::string> paths;
  for (const auto& file : client.receive<FilesListed>().files) paths.push_back(file.path);
  return paths;
}

TEST_F(FullDisk, AnAllocatorKeepsThePoolsThatItCallsCreatedAndRefusesTheRest) {
  std::string created = "a";
  {
    Running daemon(allocator());
    WireClient client(daemon.value("frameworks"));
    disk.fill();
    std::optional<Error> refused;
    while (!(refused = create_pool(client, created)) && created.size() < 20 && !HasFailure()) created += "a";
    ASSERT_TRUE(refused);
    EXPECT_EQ(to_string(refused->code), "no-space");
    EXPECT_THAT(refused->message, HasSubstr(disk.path("state/pools.toml")));
    EXPECT_THAT(refused->message, HasSubstr("No space left on device"));
    EXPECT_TRUE(create_pool(client, created)) << "it is refused again, and not as one that is there already";
    disk.make_room();
    EXPECT_TRUE(taken_soon([&] { return !create_pool(client, created); }));
    EXPECT_TRUE(daemon.end().ok());
  }
  Running again(allocator());
  WireClient client(again.value("frameworks"));
  for (std::size_t n = 1; n <= created.size(); ++n) {
    EXPECT_EQ(create_pool(client, std::string(n, 'a'))->code, ErrorCode::exists) << n;
  }
}

TEST_F(FullDisk, ACatalogKeepsTheNamesThatItAnsweredForAndRemovesFilesAllTheWhile) {
  std::vector<std::string> written;
  {
    Running daemon(catalog());
    WireClient client(daemon.value("endpoint"));
    client.greet<CatalogSession>(CatalogHello{});
    for (int n = 0; n < 40; ++n) ASSERT_FALSE(write_file(client, "/old/" + std::to_string(n)));
    disk.fill();
    std::optional<Error> refused;
    for (int n = 0; !refused && n < 5000 && !HasFailure(); ++n) {
      disk.fill();  // whatever is freed, somebody takes
      refused = write_file(client, "/new/" + std::to_string(n));
    }
    ASSERT_TRUE(refused);
    EXPECT_EQ(to_string(refused->code), "no-space");
    EXPECT_THAT(refused->message, HasSubstr(disk.path("state/names.sqlite")));
    for (int n = 0; n < 40; ++n) {
      disk.fill();
      EXPECT_FALSE(ask(client, RemoveFiles{4, "/old/" + std::to_string(n)})) << n;
    }
    disk.make_room();
    EXPECT_TRUE(taken_soon([&] { return !write_file(client, "/after"); }));
    written = names(client);
    EXPECT_THAT(written, testing::Not(testing::Contains(testing::StartsWith("/old/"))));
    EXPECT_TRUE(daemon.end().ok());
  }
  Running again(catalog());
  WireClient client(again.value("endpoint"));
  client.greet<CatalogSession>(CatalogHello{});
  EXPECT_EQ(names(client), written);
}

TEST_F(FullDisk, DaemonsThatHaveRunThereBeforeStartOnIt) {
  { Running first(allocator()); }
  disk.fill();
  Running daemon(allocator());
  ASSERT_NE(daemon.line(), "");
  WireClient client(daemon.value("frameworks"));
  EXPECT_EQ(to_string(create_pool(client, "p").value_or(Error{}).code), "no-space");
  disk.make_room();
  EXPECT_TRUE(taken_soon([&] { return !create_pool(client, "p"); }));
}

TEST_F(FullDisk, ADaemonThatNeverRanThereSaysWhyItDoesNotStart) {
  ::mkdir(disk.path("state").c_str(), 0700);
  disk.fill();
  Running daemon(catalog());
  const auto ended = daemon.join();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(to_string(ended.error().code), "no-space");
  EXPECT_THAT(ended.error().message, HasSubstr(disk.path("state/")));
  EXPECT_THAT(ended.error().message, HasSubstr("No space left on device"));
}

/// A framework of an allocator, and the one agent: how tasks go from one to the other.
struct Pair {
  explicit Pair(const Running& daemon)
      : framework(daemon.value("frameworks")), agent(daemon.value("agents")) {
    framework.greet<Subscribed>(hello("f"));
    Register node;
    node.run = 1;
    node.name = "n1";
    node.rack = "r1";
    node.data_endpoint = "tcp://127.0.0.1:9";
    node.slots.set(Kind("map"), 1);
    self = agent.greet<Registered>(node).agent;
  }
  static Subscribe hello(const std::string& name) {
    Subscribe hello;
    hello.name = name;
    hello.failover_timeout = std::chrono::minutes(1);
    hello.demand.kinds = {{Kind("map"), 10}};
    return hello;
  }
  /// Accepts the next offer, and gives the launch to the agent.
  Launch start(const std::string& name) {
    TaskSpec task;
    task.id = {name};
    task.resources.set(Kind("map"), 1);
    task.work = std::make_shared<const Work>(CommandWork{{"true"}, {}});
    const auto offer = framework.receive<Offers>().offers.at(0).id;
    framework.say(Accept{++accepts, {offer}, {task}, DeclineReason::no_pending_task, Duration::zero(), {}});
    auto launch = agent.receive<Launch>();
    agent.say(LaunchAck{launch.launch});
    return launch;
  }
  /// The end of it, as the framework hears it.
  TaskStatus end(const Launch& launch) {
    TaskStatus status;
    status.framework = launch.framework;
    status.task = launch.task.id;
    status.seq = 1;
    status.state = TaskState::finished;
    status.agent = self;
    agent.say(Status{launch.launch, status});
    auto heard = framework.receive<Update>().status;
    framework.say(Acknowledge{heard.framework, heard.task, heard.seq});
    return heard;
  }

  WireClient framework;
  WireClient agent;
  AgentId self;
  std::uint64_t accepts = 0;
};

/// Whether a new framework is taken; if not, it is refused by name.
bool is_subscribed(const Running& daemon, const std::string& name) {
  WireClient client(daemon.value("frameworks"));
  client.say(Pair::hello(name));
  if (client.hear_either<Subscribed, ErrorMessage>()) return true;
  const auto code = std::get<ErrorMessage>(client.last.message).error.code;
  EXPECT_TRUE(code == ErrorCode::slow_down || code == ErrorCode::no_space) << to_string(code);
  return false;
}

TEST_F(FullDisk, TasksOfAnAllocatorGoOnAndNewFrameworksAreTakenSoonAfterThereIsRoom) {
  Running daemon(allocator());
  Pair pair(daemon);
  const auto before = pair.start("before");
  disk.fill();
  for (int n = 0; n < 20; ++n) {
    disk.fill();  // whatever is freed, somebody takes
    is_subscribed(daemon, "new-" + std::to_string(n));
  }
  EXPECT_EQ(pair.end(before).state, TaskState::finished);
  EXPECT_EQ(pair.end(pair.start("while")).state, TaskState::finished);
  disk.make_room();
  const auto begin = steady_now();
  EXPECT_TRUE(taken_soon([&] { return is_subscribed(daemon, "after"); }));
  EXPECT_LT(steady_now() - begin, seconds(10));
  EXPECT_EQ(pair.end(pair.start("after")).state, TaskState::finished);
  EXPECT_TRUE(daemon.end().ok());
}

/// An agent whose folder is on the disk, and its allocator, driven by hand.
struct FullAgentDisk : testing::Test {
  SmallDisk disk{"32m"};
  FreePort place;
  std::unique_ptr<ForkedAgent> agent;
  std::unique_ptr<WireServer> allocator;
  std::uint64_t launches = 0;

  void SetUp() override {
    PROFFER_NEEDS_DISK(disk);
    AgentSettings settings;
    settings.agent.name = "n1";
    settings.agent.slots.set(Kind("map"), 4);
    settings.allocator = place.endpoint();
    settings.work_dir = disk.path("work");
    agent = std::make_unique<ForkedAgent>(settings);  // before this process has threads
    allocator = std::make_unique<WireServer>(place.give_up());
    allocator->receive<Register>();
    allocator->say(Registered{{{1, 1}}, std::chrono::milliseconds(200), {}, {}});
  }
  void launch(const std::string& shell) {
    Launch launch;
    launch.launch = {1, ++launches};
    launch.framework = {{5, 6}};
    launch.framework_name = "f";
    launch.task.id = {"t" + std::to_string(launches)};
    launch.task.resources.set(Kind("map"), 1);
    launch.task.work = std::make_shared<const Work>(CommandWork{{"/bin/sh", "-c", shell}, {}});
    allocator->say(launch);
  }
  /// The next status in which a task is at its end, or at its beginning.
  TaskStatus next(bool at_end) {
    while (!HasFailure()) {
      auto status = allocator->receive<Status>().status;
      allocator->say(Acknowledge{status.framework, status.task, status.seq});
      if (is_terminal(status.state) == at_end) return status;
    }
    return {};
  }
};

TEST_F(FullAgentDisk, ATaskThatRunsIsUnharmedAndNewOnesRunSoonAfterThereIsRoom) {
  launch("while [ ! -e " + disk.path("go") + " ]; do sleep 0.02; done; exit 7");
  EXPECT_EQ(next(false).state, TaskState::running);
  std::ofstream(disk.path("go.new"));
  disk.fill();
  for (int n = 0; n < 20; ++n) {
    disk.fill();  // whatever is freed, somebody takes
    launch("exit 0");
    const auto refused = next(true);
    EXPECT_NE(refused.task.value, "t1");
    EXPECT_NE(refused.state, TaskState::lost);
  }
  ASSERT_EQ(::rename(disk.path("go.new").c_str(), disk.path("go").c_str()), 0);
  const auto ended = next(true);
  EXPECT_EQ(ended.task.value, "t1");
  EXPECT_EQ(ended.exit.code, 7);
  disk.make_room();
  EXPECT_TRUE(FullDisk::taken_soon([&] {
    launch("exit 0");
    return next(true).state == TaskState::finished;
  }));
  agent->end_by(SIGTERM);
  EXPECT_TRUE(agent->ended_well());
}

TEST_F(FullDisk, AnEventLogGoesOnWhenThereIsRoomAndTellsHowManyLinesItLacks) {
  const auto log = EventLogWriter::open(disk.path("log"), "catalog").value();
  log->write(FileChanged{"/before", "created"}, steady_now());
  log->flush();
  disk.fill();
  for (int n = 0; n < 100; ++n) {
    log->write(FileChanged{"/lost-" + std::string(100, 'x'), "created"}, steady_now());
    log->flush();
  }
  disk.make_room();
  log->write(FileChanged{"/after", "created"}, steady_now());
  log->flush();
  std::vector<TraceLine> lines;
  std::istringstream text(disk.read("log"));
  for (std::string line; std::getline(text, line);) {
    const auto parsed = parse_trace(line);
    ASSERT_TRUE(parsed.ok()) << line;
    lines.push_back(*parsed);
  }
  ASSERT_GE(lines.size(), 3u);
  EXPECT_EQ(std::get<FileChanged>(lines.back().trace).path, "/after");
  EXPECT_EQ(lines.back().seq, lines.size() + std::get<LinesLost>(lines.at(lines.size() - 2).trace).lines);
}

}  // namespace
}  // namespace proffer::live::test
