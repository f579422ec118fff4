// Whoever may connect may also ask for all ids; the ids alone open nothing.
#include <gmock/gmock.h>

#include "proffer/live/describe.hpp"
#include "tests/live_host/folder.hpp"
#include "tests/live_host/running.hpp"
#include "tests/live_host/wire_client.hpp"

namespace proffer::live::test {
namespace {

using testing::ElementsAre;

const Kind kMap("map");

/// What a hello was answered with: an error, or M.
template <class M>
std::optional<ErrorCode> refusal(WireClient& stranger, Message hello) {
  stranger.say(std::move(hello));
  if (!stranger.hear_either<ErrorMessage, M>()) return {};
  return std::get<ErrorMessage>(stranger.last.message).error.code;
}

/// An allocator, an agent of one slot, and a framework whose task has been launched there.
class AtTheAllocator : public testing::Test {
 protected:
  AtTheAllocator()
      : daemon([](Stop& stop, const Ready& ready) {
          AllocatorSettings settings;
          settings.drivers = false;
          settings.frameworks_endpoint = settings.agents_endpoint = "tcp://127.0.0.1:0";
          return run_allocator(settings, stop, ready);
        }),
        framework(daemon.value("frameworks")),
        agent(daemon.value("agents")) {
    Subscribe hello;
    hello.name = "f";
    hello.user = "somebody";
    framework.greet<Subscribed>(hello);
    agent.greet<Registered>(Register{{}, 1, "n1", "r1", "tcp://127.0.0.1:9", {{kMap, 2}}, {}});
    launch("t1");
  }
  void launch(const std::string& task) {
    const auto offer = framework.receive<Offers>().offers.at(0);
    TaskSpec spec;
    spec.id = {task};
    spec.resources = {{kMap, 1}};
    spec.work = std::make_shared<const Work>(CommandWork{{"true"}, {}});
    framework.say(
        Accept{++accepts, {offer.id}, {spec}, DeclineReason::no_pending_task, Duration::zero(), {}});
    const auto launch = agent.receive<Launch>();
    EXPECT_EQ(launch.task.id.value, task);
    agent.say(LaunchAck{launch.launch});
  }
  /// What anybody may know.
  ClusterState look() {
    return describe(context, daemon.value("frameworks"), std::chrono::seconds(20)).value();
  }

  Context context;
  Running daemon;
  WireClient framework;
  WireClient agent;
  std::uint64_t accepts = 0;
};

TEST_F(AtTheAllocator, AFrameworkIsNotTakenOverByItsIdAndItsTasksGoOn) {
  const auto known = look().frameworks.at(0);
  WireClient stranger(daemon.value("frameworks"));
  Subscribe hello{known.id, known.name, known.pool, known.user, {}, {}};
  EXPECT_EQ(refusal<Subscribed>(stranger, hello), ErrorCode::refused);
  hello.secret = {{1, 2}};
  EXPECT_EQ(refusal<Subscribed>(stranger, hello), ErrorCode::refused);
  stranger.session = framework.session;
  EXPECT_EQ(refusal<Update>(stranger, Teardown{}), ErrorCode::unknown_session);
  framework.say(TaskMessage{known.id, {"t1"}, "go on"});
  EXPECT_TRUE((agent.hear_either<TaskMessage, Kill>())) << "its task was killed";
  EXPECT_TRUE(look().frameworks.at(0).connected);
}

TEST_F(AtTheAllocator, AnAgentIsNotTakenOverByItsIdAndGetsItsLaunches) {
  const auto known = look().agents.at(0);
  WireClient stranger(daemon.value("agents"));
  const Register hello{
      known.id, std::uint64_t{1} << 63, known.name, known.rack, "tcp://127.0.0.1:9", known.total, {}};
  EXPECT_EQ(refusal<Registered>(stranger, hello), ErrorCode::refused);
  framework.say(Revive{});
  launch("t2");
  EXPECT_TRUE(look().agents.at(0).reachable);
}

/// A catalog, an agent that holds the one block of a file, and a client.
class AtTheCatalog : public testing::Test {
 protected:
  AtTheCatalog()
      : daemon([this](Stop& stop, const Ready& ready) {
          CatalogSettings settings;
          settings.endpoint = "tcp://127.0.0.1:0";
          settings.state_dir = folder.path("state");
          return run_catalog(settings, stop, ready);
        }),
        agent(daemon.value("endpoint")),
        client(daemon.value("endpoint")) {
    agent.greet<CatalogWelcome>(report("tcp://127.0.0.1:7001", {{9, 9}}));
    client.greet<CatalogSession>(CatalogHello{});
    client.say(CreateFile{1, "/f", 1});
    client.receive<CatalogDone>();
    client.say(AddBlock{2, "/f", {}});
    const auto block = client.receive<BlockAllocated>().block;
    agent.say(BlocksChanged{1, {{block, 10}}, {}});
    client.say(SealBlock{3, "/f", block, 10, 0});
    client.receive<CatalogDone>();
    client.say(CompleteFile{4, "/f"});
    client.receive<CatalogDone>();
  }
  BlockReport report(const std::string& endpoint, Secret secret) const {
    return {{{3, 4}}, "n1", "r1", endpoint, 0, true, {}, secret};
  }
  /// Where readers are sent for the file's block.
  std::vector<std::string> places() {
    client.say(ListFiles{5, "/f", true});
    std::vector<std::string> endpoints;
    const auto listed = client.receive<FilesListed>();
    for (const auto& replica : listed.files.at(0).blocks.at(0).replicas) {
      endpoints.push_back(replica.endpoint);
    }
    return endpoints;
  }

  Folder folder;
  Running daemon;
  WireClient agent;
  WireClient client;
};

TEST_F(AtTheCatalog, AnAgentIsNotTakenOverByItsIdAndItsReplicasStay) {
  EXPECT_THAT(places(), ElementsAre("tcp://127.0.0.1:7001"));
  WireClient stranger(daemon.value("endpoint"));
  for (const auto secret : {Secret{}, Secret{{9, 8}}}) {
    EXPECT_EQ(refusal<CatalogWelcome>(stranger, report("tcp://127.0.0.1:6666", secret)), ErrorCode::refused);
  }
  EXPECT_THAT(places(), ElementsAre("tcp://127.0.0.1:7001"));
}

TEST_F(AtTheCatalog, TheStoresTokenIsNotForThoseWithoutASession) {
  WireClient stranger(daemon.value("endpoint"));
  EXPECT_EQ(refusal<FilesListed>(stranger, ListFiles{1, "/f", true}), ErrorCode::unknown_session);
  EXPECT_EQ(refusal<CatalogDone>(stranger, CreateFile{2, "/mine", 1}), ErrorCode::unknown_session);
  EXPECT_EQ(refusal<BlockAllocated>(stranger, AddBlock{3, "/mine", {}}), ErrorCode::unknown_session);
  stranger.greet<CatalogSession>(CatalogHello{});
  EXPECT_FALSE(refusal<FilesListed>(stranger, ListFiles{4, "/f", true}));
}

TEST(AgentsIdentity, WithoutItsSecretIsRefusedWithASentenceThatSaysWhatToDo) {
  Running daemon([](Stop& stop, const Ready& ready) {
    AllocatorSettings settings;
    settings.drivers = false;
    settings.frameworks_endpoint = settings.agents_endpoint = "tcp://127.0.0.1:0";
    return run_allocator(settings, stop, ready);
  });
  WireClient first(daemon.value("agents"));
  Register hello{{{3, 4}}, 1, "n1", "r1", "tcp://127.0.0.1:9", {{kMap, 1}}, {}};
  hello.secret = {{5, 6}};
  first.greet<Registered>(hello);
  WireClient second(daemon.value("agents"));
  hello.run = 2;
  hello.secret = {};
  second.say(hello);
  EXPECT_EQ(second.receive<ErrorMessage>().error.message,
            "the id of agent 'n1' is known here with another secret; if its secret is lost, remove the file "
            "'agent' from its work_dir and start it again, as a new agent");
}

}  // namespace
}  // namespace proffer::live::test
