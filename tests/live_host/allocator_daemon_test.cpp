#include <gmock/gmock.h>
#include <signal.h>

#include <fstream>

#include "proffer/limits.hpp"
#include "proffer/live/describe.hpp"
#include "proffer/live/operate.hpp"
#include "tests/live_host/folder.hpp"
#include "tests/live_host/running.hpp"
#include "tests/live_host/wire_client.hpp"
#include "tests/live_transport/zmtp_peer.hpp"

namespace proffer::live::test {
namespace {

AllocatorSettings on_free_ports() {
  AllocatorSettings config;
  config.drivers = false;
  config.frameworks_endpoint = "tcp://127.0.0.1:0";
  config.agents_endpoint = "tcp://127.0.0.1:0";
  config.allocator.catalog_endpoint = "tcp://127.0.0.1:9";
  return config;
}

Running::Run allocator(AllocatorSettings config = on_free_ports()) {
  return [config](Stop& stop, const Ready& ready) { return run_allocator(config, stop, ready); };
}

Subscribe framework(const std::string& name) {
  Subscribe hello;
  hello.name = name;
  hello.failover_timeout = std::chrono::minutes(1);
  hello.demand.kinds = {{Kind("map"), 10}};
  return hello;
}

Register agent(const std::string& name, int slots) {
  Register hello;
  hello.run = 1;
  hello.name = name;
  hello.rack = "r1";
  hello.data_endpoint = "tcp://127.0.0.1:9";
  hello.slots.set(Kind("map"), slots);
  return hello;
}

TEST(AllocatorDaemon, OffersTheSlotsOfAnAgentToAFramework) {
  Running daemon(allocator());
  EXPECT_THAT(daemon.line(), testing::MatchesRegex("allocator frameworks=tcp://127.0.0.1:[0-9]+ "
                                                   "agents=tcp://127.0.0.1:[0-9]+"));
  WireClient fw(daemon.value("frameworks"));
  WireClient node(daemon.value("agents"));
  EXPECT_EQ(fw.greet<Subscribed>(framework("f")).catalog_endpoint, "tcp://127.0.0.1:9");
  const auto registered = node.greet<Registered>(agent("n1", 2));
  const auto offers = fw.receive<Offers>();
  ASSERT_FALSE(offers.offers.empty());
  EXPECT_EQ(offers.offers.at(0).agent.id, registered.agent);
  EXPECT_EQ(offers.offers.at(0).resources[Kind("map")], 2);
  EXPECT_TRUE(daemon.end().ok());
}

TEST(AllocatorDaemon, AnAgentThatIsGoneTakesItsOffersAlong) {
  Running daemon(allocator());
  WireClient fw(daemon.value("frameworks"));
  auto node = std::make_unique<WireClient>(daemon.value("agents"));
  fw.greet<Subscribed>(framework("f"));
  node->greet<Registered>(agent("n1", 1));
  const auto offer = fw.receive<Offers>().offers.at(0).id;
  node.reset();
  EXPECT_EQ(fw.receive<Rescind>().offers, std::vector{offer});
}

TEST(AllocatorDaemon, AClientThatConnectsAgainKeepsItsIdInANewSession) {
  Running daemon(allocator());
  auto fw = std::make_unique<WireClient>(daemon.value("frameworks"));
  auto hello = framework("f");
  const auto first = fw->greet<Subscribed>(hello);
  hello.framework = first.framework;
  hello.secret = first.secret;
  const auto former = fw->session;
  const auto cluster = fw->cluster;
  fw = std::make_unique<WireClient>(daemon.value("frameworks"));
  EXPECT_EQ(fw->greet<Subscribed>(hello).framework, hello.framework);
  EXPECT_NE(fw->session, former);
  EXPECT_EQ(fw->cluster, cluster);
}

TEST(AllocatorDaemon, AMessageOfAnotherSessionIsRefused) {
  Running daemon(allocator());
  WireClient fw(daemon.value("frameworks"));
  fw.greet<Subscribed>(framework("f"));
  WireClient thief(daemon.value("frameworks"));
  thief.session = fw.session;
  thief.cluster = fw.cluster;
  thief.epoch = fw.epoch;
  thief.say(Teardown{});
  EXPECT_EQ(thief.receive<ErrorMessage>().error.code, ErrorCode::unknown_session);
}

/// Whether that REGISTER is taken; `client` is in session then.
bool is_taken(WireClient& client, const Register& hello) {
  client.say(hello);
  if (!client.hear_either<Registered, ErrorMessage>()) return false;
  client.session = client.last.session;
  return true;
}

TEST(AllocatorDaemon, TwoAgentsOfOneWorkDirDoNotPushEachOtherOut) {
  Running daemon(allocator());
  auto first = std::make_unique<WireClient>(daemon.value("agents"));
  auto hello = agent("n1", 2);
  const auto registered = first->greet<Registered>(hello);
  hello.agent = registered.agent;
  hello.secret = registered.secret;
  WireClient copy(daemon.value("agents"));
  EXPECT_FALSE(is_taken(copy, hello));
  const auto& error = std::get<ErrorMessage>(copy.last.message).error;
  EXPECT_EQ(error.code, ErrorCode::name_in_use);
  EXPECT_THAT(error.message, testing::HasSubstr("speaks through another connection"));
  first->say(Heartbeat{});
  WireClient fw(daemon.value("frameworks"));
  fw.greet<Subscribed>(framework("f"));
  EXPECT_EQ(fw.receive<Offers>().offers.at(0).agent.id, registered.agent)
      << "the first one's session goes on";
}

TEST(AllocatorDaemon, AnAgentWhoseConnectionIsLostComesBackAtOnceInTheSameRun) {
  Running daemon(allocator());
  auto node = std::make_unique<WireClient>(daemon.value("agents"));
  auto hello = agent("n1", 2);
  const auto registered = node->greet<Registered>(hello);
  hello.agent = registered.agent;
  hello.secret = registered.secret;
  node = std::make_unique<WireClient>(daemon.value("agents"));
  const auto began = steady_now();
  while (!is_taken(*node, hello) && steady_now() - began < std::chrono::seconds(20)) {
  }
  EXPECT_LT(steady_now() - began, std::chrono::seconds(3)) << "as for one that was silent";
}

TEST(AllocatorDaemon, ServesOnAfterGarbage) {
  Running daemon(allocator());
  WireClient rude(daemon.value("frameworks"));
  for (const auto* bytes : {"", "garbage", "\xdd\xff\xff\xff\xff", "\x97\x01\x01"}) {
    rude.say_bytes(bytes);
    EXPECT_NE(rude.receive<ErrorMessage>().error.message, "");
  }
  WireClient fw(daemon.value("frameworks"));
  fw.greet<Subscribed>(framework("f"));
}

TEST(AllocatorDaemon, AFloodOfFrameworksOverOneConnectionLeavesRoomForOthers) {
  Running daemon(allocator());
  WireClient crowd(daemon.value("frameworks"));
  std::size_t refused = 0;
  for (int n = 0; n < 200; ++n) {
    crowd.say(framework("f" + std::to_string(n)));
    if (n < static_cast<int>(limits::kFrameworksPerPeer)) {
      crowd.receive<Subscribed>();
    } else {
      refused += crowd.receive<ErrorMessage>().error.code == ErrorCode::slow_down ? 1 : 0;
    }
  }
  EXPECT_EQ(refused, 200 - limits::kFrameworksPerPeer);
  WireClient honest(daemon.value("frameworks"));
  honest.greet<Subscribed>(framework("honest"));
}

TEST(AllocatorDaemon, AMessageThatNeverEndsLosesItsConnectionWhileOthersAreServed) {
  constexpr std::size_t kMiB = 1 << 20;
  Running daemon(allocator());
  WireClient honest(daemon.value("frameworks"));
  ZmtpPeer rude(daemon.value("frameworks"));
  const std::string part(kMiB, 'x');
  const auto deadline = steady_now() + std::chrono::seconds(60);
  for (std::uint64_t n = 1; rude.open() && rude.sent() < 512 * kMiB && steady_now() < deadline; ++n) {
    rude.add_frame(part, true);
    while (rude.open() && rude.waiting() && steady_now() < deadline) rude.push();
    honest.say(Describe{n});
    EXPECT_EQ(honest.receive<ClusterState>().request, n);
  }
  EXPECT_FALSE(rude.open());
  EXPECT_LT(rude.sent(), 512 * kMiB);
}

TEST(AllocatorDaemon, KeepsItsClusterAndRisesInEpochOverRestarts) {
  Folder folder;
  auto config = on_free_ports();
  config.state_dir = folder.path("state");
  ClusterId cluster;
  for (std::uint64_t start = 1; start <= 3; ++start) {
    Running daemon(allocator(config));
    WireClient fw(daemon.value("frameworks"));
    fw.greet<Subscribed>(framework("f"));
    if (start == 1) cluster = fw.cluster;
    EXPECT_EQ(fw.cluster, cluster);
    EXPECT_EQ(fw.epoch, Epoch{start});
  }
}

TEST(AllocatorDaemon, RefusesRecordsThatAreNoneOrOfAnotherVersionByName) {
  Folder folder;
  auto config = on_free_ports();
  config.state_dir = folder.path("state");
  EXPECT_TRUE(Running(allocator(config)).end().ok());
  auto text = folder.read("state/allocator.sqlite");
  text[63] = 9;  // the lowest byte of user_version in SQLite's header
  folder.write("state/allocator.sqlite", text);
  Running newer(allocator(config));
  const auto version = newer.join();
  ASSERT_FALSE(version.ok());
  EXPECT_EQ(version.error().code, ErrorCode::version);
  EXPECT_EQ(version.error().message,
            folder.path("state/allocator.sqlite") + " was made by another version of proffer");
  folder.write("state/allocator.sqlite", std::string(8192, 'x'));
  Running damaged(allocator(config));
  const auto corrupt = damaged.join();
  ASSERT_FALSE(corrupt.ok());
  EXPECT_EQ(corrupt.error().code, ErrorCode::corrupt);
  EXPECT_THAT(corrupt.error().message, testing::HasSubstr(folder.path("state/allocator.sqlite")));
}

TEST(AllocatorDaemon, EndsWhenAnAgentKnowsOfALaterStartOfIt) {
  Running daemon(allocator());
  WireClient wire(daemon.value("agents"));
  wire.greet<Registered>(agent("n1", 2));
  wire.epoch.value = 9;
  wire.say(Heartbeat{});
  const auto ended = daemon.join();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::split_brain);
  EXPECT_THAT(ended.error().message, testing::HasSubstr("(epoch 9)"));
}

TEST(AllocatorDaemon, KnowsItsFrameworksAndAgentsAfterAKillAndHoldsItsOffersUntilTheAgentsAreBack) {
  Folder folder;
  auto config = on_free_ports();
  config.state_dir = folder.path("state");
  auto hello = framework("f");
  auto node = agent("n1", 2);
  Folder image;
  {
    Running daemon(allocator(config));
    WireClient fw(daemon.value("frameworks"));
    WireClient wire(daemon.value("agents"));
    const auto subscribed = fw.greet<Subscribed>(hello);
    hello.framework = subscribed.framework;
    hello.secret = subscribed.secret;
    const auto registered = wire.greet<Registered>(node);
    node.agent = registered.agent;
    node.secret = registered.secret;
    fw.receive<Offers>();
    // What a kill would leave: the files as they are while it runs.
    std::filesystem::copy(folder.path("state"), image.path("state"),
                          std::filesystem::copy_options::recursive);
  }
  config.state_dir = image.path("state");
  Running daemon(allocator(config));
  WireClient fw(daemon.value("frameworks"));
  EXPECT_EQ(fw.greet<Subscribed>(hello).framework, hello.framework);
  WireClient look(daemon.value("frameworks"));
  look.say(Describe{1});
  const auto waits = look.receive<ClusterState>();
  EXPECT_EQ(waits.agents_known, 1u);
  EXPECT_EQ(waits.agents_back, 0u);
  WireClient wire(daemon.value("agents"));
  node.run = 2;
  EXPECT_EQ(wire.greet<Registered>(node).agent, node.agent);
  EXPECT_EQ(fw.receive<Offers>().offers.at(0).agent.id, node.agent);
}

TEST(AllocatorDaemon, IsTheOnlyOneOnItsStateDir) {
  Folder folder;
  auto config = on_free_ports();
  config.state_dir = folder.path("state");
  Running first(allocator(config));
  Running second(allocator(config));
  const auto ended = second.join();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().message, "an allocator is running on " + folder.path("state") + " already");
  EXPECT_EQ(second.line(), "") << "it was never ready";
}

TEST(AllocatorDaemon, SaysWhichAddressIsInUse) {
  Running first(allocator());
  auto config = on_free_ports();
  config.agents_endpoint = first.value("agents");
  Running second(allocator(config));
  const auto ended = second.join();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, ErrorCode::exists);
  EXPECT_EQ(ended.error().message, "the address " + config.agents_endpoint + " is in use by another program");
}

TEST(AllocatorDaemon, StopsWithinTwoSecondsOfSigterm) {
  Running daemon(allocator());
  daemon.stop().on_signals();
  WireClient fw(daemon.value("frameworks"));
  fw.greet<Subscribed>(framework("f"));
  const auto begin = steady_now();
  ASSERT_EQ(::kill(::getpid(), SIGTERM), 0);
  EXPECT_TRUE(daemon.join().ok());
  EXPECT_LT(steady_now() - begin, std::chrono::seconds(2));
}

TEST(AllocatorDaemon, WritesItsEventLog) {
  Folder folder;
  auto config = on_free_ports();
  config.event_log = folder.path("events.jsonl");
  {
    Running daemon(allocator(config));
    WireClient fw(daemon.value("frameworks"));
    fw.greet<Subscribed>(framework("f"));
  }
  EXPECT_NE(folder.read("events.jsonl").find("\"event\":\"framework_subscribed\""), std::string::npos);
}

/// Pools by name, and their racks, as the allocator has them.
std::vector<std::string> pools_of(const Running& daemon) {
  Context context;
  const auto state = describe(context, daemon.value("frameworks"), std::chrono::seconds(5));
  std::vector<std::string> names;
  if (state) {
    for (const auto& pool : state->pools) {
      names.push_back(pool.name);
      for (const auto& rack : pool.racks) names.back() += " in " + rack;
    }
  }
  return names;
}

Result<AdminDone> operate_on(const Running& daemon, Message change) {
  Context context;
  return operate(context, daemon.value("frameworks"), std::move(change), std::chrono::seconds(5));
}

ChangePool new_pool(const std::string& name) {
  ChangePool change;
  change.verb = "create";
  change.pool = name;
  return change;
}

TEST(AllocatorDaemon, KeepsPoolsOverARestartUntilItsFileIsReadAgain) {
  Folder folder;
  auto config = on_free_ports();
  config.state_dir = folder.path("state");
  config.file = folder.path("allocator.toml");
  std::ofstream(config.file) << "[[pool]]\nname = \"red\"\n";
  {
    Running daemon(allocator(config));
    auto green = new_pool("green");
    green.racks = {"r1"};
    EXPECT_TRUE(operate_on(daemon, green).ok());
  }
  Running daemon(allocator(config));
  EXPECT_THAT(pools_of(daemon), testing::ElementsAre("", "green in r1"));
  EXPECT_TRUE(operate_on(daemon, ReloadPools{}).ok());
  EXPECT_THAT(pools_of(daemon), testing::ElementsAre("", "red"));
}

TEST(AllocatorDaemon, NamesTheKeysOfItsFileThatWantARestart) {
  Folder folder;
  auto config = on_free_ports();
  config.file = folder.path("allocator.toml");
  std::ofstream(config.file) << "[allocator]\noffer_timeout = \"9s\"\n";
  Running daemon(allocator(config));
  EXPECT_THAT(operate_on(daemon, ReloadPools{}).value().warnings, testing::IsEmpty());
  std::ofstream(config.file) << "[allocator]\nshare_by = \"dominant\"\n";
  EXPECT_THAT(operate_on(daemon, ReloadPools{}).value().warnings,
              testing::ElementsAre(testing::HasSubstr("after a restart: offer_timeout, share_by")));
}

TEST(AllocatorDaemon, SaysAtItsStartThatPreemptionWithoutPoolsDoesNothing) {
  Folder folder;
  auto config = on_free_ports();
  config.event_log = folder.path("events.jsonl");
  config.allocator.preemption.mode = PreemptionMode::on;
  EXPECT_TRUE(Running(allocator(config)).end().ok());
  EXPECT_NE(folder.read("events.jsonl").find("there is no [[pool]] but the root"), std::string::npos);
}

TEST(AllocatorDaemon, ReadsItsPoolsAgainAtAHangup) {
  Folder folder;
  auto config = on_free_ports();
  config.file = folder.path("allocator.toml");
  Running daemon(allocator(config));
  std::ofstream(config.file) << "[[pool]]\nname = \"red\"\n";
  ::raise(SIGHUP);
  const auto deadline = steady_now() + std::chrono::seconds(10);
  while (pools_of(daemon).size() < 2 && steady_now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_THAT(pools_of(daemon), testing::ElementsAre("", "red"));
}

TEST(AllocatorDaemon, SaysWhatIsWrongInItsFileAndWhereAndKeepsItsPools) {
  Folder folder;
  auto config = on_free_ports();
  config.file = folder.path("allocator.toml");
  std::ofstream(config.file) << "[[pool]]\nname = \"red\"\nwieght = 2\n";
  Running daemon(allocator(config));
  const auto reloaded = operate_on(daemon, ReloadPools{});
  ASSERT_FALSE(reloaded.ok());
  EXPECT_THAT(reloaded.error().message, testing::HasSubstr("allocator.toml:3:1"));
  EXPECT_THAT(pools_of(daemon), testing::ElementsAre(""));
}

}  // namespace
}  // namespace proffer::live::test
