// The end of an agent in good order, farewells of servers, digests, and a disk without room.
#include "tests/agent/stage.hpp"

namespace proffer::agent_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Leave, WithoutItsTasksItSaysFarewellAndNothingMore) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.step(Stopping{false});
  EXPECT_THAT(stage.sent<Bye>(), SizeIs(1));
  EXPECT_THAT(stage.signals(), IsEmpty());
  EXPECT_TRUE(stage.agent().stopped());
  EXPECT_FALSE(stage.agent().next_deadline());
  stage.pass(seconds(60));
  EXPECT_THAT(stage.actions(), IsEmpty());
  stage.receive(Stage::launch_of(2, "m2"));
  EXPECT_THAT(stage.actions(), IsEmpty());
  stage.exits(1);
  EXPECT_THAT(stage.sent<Status>(), IsEmpty());
  EXPECT_TRUE(stage.kept_of<KeptLaunch>()[0].ended) << "the next life tells it";
}

TEST(Leave, WithoutASessionThereIsNobodyToSayFarewellTo) {
  Stage stage;
  stage.step(Stopping{false});
  EXPECT_THAT(stage.sent<Bye>(), IsEmpty());
  EXPECT_TRUE(stage.agent().stopped());
}

TEST(Leave, WithItsTasksItWaitsForTheirEndsAndTellsThemFirst) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.run(2, "m2");
  stage.step(Stopping{true});
  EXPECT_THAT(stage.signals(), ElementsAre("terminate 1", "terminate 2"));
  EXPECT_THAT(stage.sent<Bye>(), IsEmpty());
  EXPECT_FALSE(stage.agent().stopped());
  stage.exits(1, {0, 15});
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 KILLED drained"));
  stage.launch(3, "m3");
  EXPECT_THAT(stage.statuses(), Contains("m3 1 REJECTED agent-refused"));
  stage.pass_alive(seconds(5));
  EXPECT_THAT(stage.signals(), ElementsAre("kill 2"));
  stage.exits(2, {0, 9});
  EXPECT_THAT(stage.order(), ElementsAre("keep", "STATUS", "BYE"));
  EXPECT_TRUE(stage.agent().stopped());
}

TEST(Leave, TheAllocatorHearsAtOnceThatItIsToLaunchNothingMore) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.step(Stopping{true});
  ASSERT_THAT(stage.sent<AgentHealth>(), SizeIs(1));
  EXPECT_EQ(stage.sent<AgentHealth>()[0].trouble, "the agent is being stopped");
}

TEST(Leave, WithTasksThatWereNotFoundYetItWaitsForThem) {
  Stage former;
  former.join();
  former.run(1, "m1");
  Stage stage(Stage::config(), {}, former.kept());
  stage.step(Stopping{true});
  EXPECT_FALSE(stage.agent().stopped());
  stage.lists({1});
  EXPECT_THAT(stage.signals(), ElementsAre("terminate 1"));
  stage.exits(1, {0, 15});
  EXPECT_TRUE(stage.agent().stopped());
}

TEST(Leave, AWishToKillTasksThatComesLaterIsHeededToo) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.step(Stopping{false});
  stage.step(Stopping{true});
  EXPECT_THAT(stage.signals(), ElementsAre("terminate 1"));
  EXPECT_FALSE(stage.agent().stopped());
  stage.exits(1);
  EXPECT_TRUE(stage.agent().stopped());
}

TEST(Farewell, OfTheAllocatorEndsTheSessionAndNothingElse) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  stage.receive(Bye{"stopped"});
  EXPECT_FALSE(stage.agent().registered());
  EXPECT_THAT(stage.signals(), IsEmpty());
  stage.pass(milliseconds(200));
  EXPECT_THAT(stage.sent<Register>(), Not(IsEmpty()));
}

TEST(Farewell, OfTheCatalogEndsItsSession) {
  Stage stage;
  stage.join_with_catalog();
  stage.welcome();
  stage.from_catalog(Bye{"stopped"});
  stage.pass(milliseconds(200));
  EXPECT_THAT(stage.sent<BlockReport>(kCatalogPeer), Not(IsEmpty()));
  EXPECT_TRUE(stage.agent().registered());
}

TEST(Digest, OfTheTasksThatLiveIsInEachHeartbeat) {
  Stage stage;
  stage.join();
  const auto digest = [&] {
    stage.pass(seconds(3));
    const auto beats = stage.sent<Heartbeat>();
    stage.receive(Heartbeat{});
    return beats.empty() ? std::nullopt : beats.back().tasks;
  };
  EXPECT_EQ(digest(), (TaskDigest{0, 0}));
  stage.run(1, "m1");
  stage.run(2, "m2");
  const auto m1 = hash_of_task(kFramework, {"m1"});
  const auto m2 = hash_of_task(kFramework, {"m2"});
  EXPECT_EQ(digest(), (TaskDigest{2, m1 ^ m2}));
  stage.exits(1);
  EXPECT_EQ(digest(), (TaskDigest{1, m2})) << "an end that is not acknowledged is no living task";
}

TEST(Disk, WithoutRoomNothingIsLaunchedAndWhatRunsGoesOn) {
  Stage stage;
  stage.join();
  stage.run(1, "m1");
  for (const auto room : {Room::little, Room::none}) {
    stage.step(StoreRoom{room, "agent.sqlite: No space left on device"});
    EXPECT_THAT(stage.signals(), IsEmpty());
    const auto n = 2 + static_cast<std::uint64_t>(room);
    stage.launch(n, "t" + std::to_string(n));
    EXPECT_THAT(stage.did<StartRun>(), IsEmpty());
    EXPECT_THAT(stage.statuses(), ElementsAre("t" + std::to_string(n) + " 1 REJECTED agent-disk"));
  }
  stage.exits(1);
  EXPECT_THAT(stage.statuses(), ElementsAre("m1 2 FINISHED exit"));
}

TEST(Disk, TheAllocatorHearsOfItAndOfItsEnd) {
  Stage stage;
  stage.join();
  stage.step(StoreRoom{Room::none, "agent.sqlite: No space left on device"});
  ASSERT_THAT(stage.sent<AgentHealth>(), SizeIs(1));
  EXPECT_EQ(stage.sent<AgentHealth>()[0].trouble, "agent.sqlite: No space left on device");
  EXPECT_THAT(stage.did<Probe>(), IsEmpty());
  stage.receive(stage.sent<AgentHealth>()[0]);
  stage.step(StoreRoom{});
  ASSERT_THAT(stage.sent<AgentHealth>(), SizeIs(1));
  EXPECT_EQ(stage.sent<AgentHealth>()[0].trouble, "");
  stage.launch(1, "m1");
  EXPECT_THAT(stage.did<StartRun>(), SizeIs(1));
}

}  // namespace
}  // namespace proffer::agent_test
