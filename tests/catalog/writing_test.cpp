// Clients that write files.
#include "proffer/limits.hpp"
#include "stage.hpp"

namespace proffer {
namespace {

TEST(Writing, FileIsVisibleOnceCompleteNotBefore) {
  Stage stage;
  stage.join(1, "r1");
  stage.must(CreateFile{0, "a/b", 1});
  const auto block = stage.add_block("/a/b").block;
  stage.must(SealBlock{0, "/a/b", block, 5, 0});
  const auto early = stage.refused(ListFiles{0, "/a/b", false});
  ASSERT_TRUE(early);
  EXPECT_EQ(early->code, ErrorCode::not_found);
  EXPECT_EQ(early->message, "/a/b is still being written");
  stage.must(CompleteFile{0, "/a/b"});
  const auto listed = stage.ask<FilesListed>(ListFiles{0, "/a", true});
  ASSERT_EQ(listed.files.size(), 1u);
  EXPECT_EQ(listed.files[0].length, 5u);
  EXPECT_EQ(listed.files[0].blocks.at(0), (BlockInfo{block, 5, 0, {{agent_id(1), "ep1", "r1"}}}));
  EXPECT_EQ(listed.token, "t0ken");
}

TEST(Writing, CompletionIsDurableBeforeItsAnswer) {
  Stage stage;
  stage.must(CreateFile{0, "/f", 1});
  stage.must(CompleteFile{0, "/f"});
  EXPECT_EQ(stage.order(), (std::vector<std::string>{"persist", "send"}));
  const auto* change = std::get_if<Persist>(&stage.actions().at(0));
  ASSERT_TRUE(change);
  EXPECT_EQ(std::get<PersistFile>(*change).file, (FileInfo{"/f", 0, 1, true, {}}));
}

TEST(Writing, FullDiskRefusesWhatTakesRoomAndAllowsToRemove) {
  Stage stage;
  stage.join(1, "r1");
  stage.put("/old");
  stage.must(CreateFile{0, "/half", 1});
  stage.set_room(Room::little);
  for (const auto& error :
       {stage.refused(CreateFile{0, "/new", 1}), stage.refused(AddBlock{0, "/half", {}}),
        stage.refused(CompleteFile{0, "/half"}), stage.refused(RenameFiles{0, {{"/old", "/newer"}}})}) {
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::no_space);
  }
  stage.must(CompleteFile{0, "/old"});  // asked again, since the answer was lost
  EXPECT_EQ(stage.list("/"), std::vector<std::string>{"/old"});
  stage.must(RemoveFiles{0, "/old"});
  stage.set_room(Room::plenty);
  stage.must(CompleteFile{0, "/half"});
}

TEST(Writing, DiskThatIsFullToTheLastByteRefusesToRemoveAsWell) {
  Stage stage;
  stage.join(1, "r1");
  stage.put("/old");
  stage.set_room(Room::none);
  EXPECT_TRUE(stage.refused(RemoveFiles{0, "/old"}));
  EXPECT_EQ(stage.list("/"), std::vector<std::string>{"/old"});
}

TEST(Writing, BlockIdsAreReservedDurablyAheadAndNeverGivenTwice) {
  Stage stage({}, BlockId{41});
  stage.join(1, "r1");
  stage.must(CreateFile{0, "/f", 1});
  EXPECT_EQ(stage.add_block("/f").block, BlockId{41});
  EXPECT_EQ(stage.order().front(), "persist");
  const auto bound = std::get<PersistNextBlock>(std::get<Persist>(stage.actions().at(0))).next;
  EXPECT_GT(bound, BlockId{41});
  EXPECT_EQ(stage.add_block("/f").block, BlockId{42});
  EXPECT_EQ(stage.order().front(), "send") << "42 was reserved with 41";
  Stage restarted({}, bound);
  restarted.join(1, "r1");
  restarted.must(CreateFile{0, "/g", 1});
  EXPECT_EQ(restarted.add_block("/g").block, bound);
}

TEST(Writing, TargetsCarryEndpointAndRackAndTheToken) {
  Stage stage;
  stage.join(1, "r1");
  stage.join(2, "r2");
  stage.must(CreateFile{0, "/f", 3});
  const auto allocated = stage.add_block("/f", agent_id(2));
  EXPECT_EQ(allocated.token, "t0ken");
  EXPECT_EQ(allocated.targets,
            (std::vector<Replica>{{agent_id(2), "ep2", "r2"}, {agent_id(1), "ep1", "r1"}}));
}

TEST(Writing, TakenPathsAreRefusedWithTheReason) {
  Stage stage;
  stage.put("/d/f", {});
  stage.must(CreateFile{0, "/d/open", 1});
  const auto why = [&](const std::string& path) {
    const auto error = stage.refused(CreateFile{0, path, 1});
    EXPECT_TRUE(error && error->code == ErrorCode::exists) << path;
    return error ? error->message : "";
  };
  EXPECT_EQ(why("/d/f"), "/d/f exists");
  EXPECT_EQ(why("/d"), "/d exists and is a folder");
  EXPECT_EQ(why("/"), "/ exists and is a folder");
  EXPECT_EQ(why("/d/f/g/h"), "/d/f exists and is a file, so that /d/f/g/h cannot be below it");
  EXPECT_EQ(why("/d/open"), "/d/open is being written; remove it first");
  EXPECT_FALSE(stage.refused(CreateFile{0, "/d/f2", 1})) << "a name that only begins like a file's is free";
}

TEST(Writing, ImpossibleReplicationIsRefused) {
  Stage stage;
  EXPECT_EQ(stage.refused(CreateFile{0, "/f", 0})->code, ErrorCode::invalid);
  EXPECT_EQ(stage.refused(CreateFile{0, "/f", limits::kReplication + 1})->code, ErrorCode::invalid);
}

TEST(Writing, WithoutAgentsNoBlockIsAllocated) {
  Stage stage;
  stage.must(CreateFile{0, "/f", 1});
  EXPECT_EQ(stage.refused(AddBlock{0, "/f", {}})->code, ErrorCode::unreachable);
}

TEST(Writing, SealingTwiceIsFineButNotWithOtherFigures) {
  Stage stage;
  stage.join(1, "r1");
  stage.must(CreateFile{0, "/f", 1});
  const auto block = stage.add_block("/f").block;
  EXPECT_EQ(stage.refused(SealBlock{0, "/f", block, 0, 0})->code, ErrorCode::invalid);
  EXPECT_EQ(stage.refused(SealBlock{0, "/f", block, 4, 5})->code, ErrorCode::invalid);
  EXPECT_EQ(stage.refused(SealBlock{0, "/f", BlockId{77}, 4, 0})->code, ErrorCode::not_found);
  stage.must(SealBlock{0, "/f", block, 4, 1});
  stage.must(SealBlock{0, "/f", block, 4, 1});
  EXPECT_EQ(stage.refused(SealBlock{0, "/f", block, 5, 1})->code, ErrorCode::not_found);
}

TEST(Writing, FileWithAPendingBlockCannotBeCompleted) {
  Stage stage;
  stage.join(1, "r1");
  stage.must(CreateFile{0, "/f", 1});
  stage.add_block("/f");
  EXPECT_EQ(stage.refused(CompleteFile{0, "/f"})->code, ErrorCode::invalid);
}

TEST(Writing, CompletingTwiceIsFineAndPersistsOnce) {
  Stage stage;
  stage.put("/f", {});
  stage.must(CompleteFile{0, "/f"});
  EXPECT_EQ(stage.order(), (std::vector<std::string>{"send"}));
  EXPECT_EQ(stage.refused(AddBlock{0, "/f", {}})->code, ErrorCode::exists);
}

TEST(Writing, AskingForAnotherBlockGivesUpThePendingOneAndDeletesItsReplicas) {
  Stage stage;
  stage.join(1, "r1");
  stage.must(CreateFile{0, "/f", 1});
  const auto first = stage.add_block("/f").block;
  stage.stored(1, first, 8);
  EXPECT_TRUE(stage.told_to_delete(1).empty()) << "its file is still being written";
  const auto second = stage.add_block("/f").block;
  EXPECT_NE(first, second);
  EXPECT_EQ(stage.told_to_delete(1), (std::vector<BlockId>{first}));
  EXPECT_EQ(stage.refused(SealBlock{0, "/f", first, 8, 0})->code, ErrorCode::not_found);
}

TEST(Writing, NewReplicasAreListedBeforeTheirReportButNotForLongWithoutIt) {
  Stage stage;
  stage.join(1, "r1");
  stage.join(2, "r2");
  const auto block = stage.put("/f").at(0);
  EXPECT_EQ(stage.holders("/f"), (std::vector<std::uint64_t>{1, 2}));
  stage.stored(2, block, 10);
  for (int second = 0; second < 31; ++second) {
    stage.from_agent(1, Heartbeat{});
    stage.from_agent(2, Heartbeat{});
    stage.pass(std::chrono::seconds(1));
  }
  EXPECT_EQ(stage.holders("/f"), (std::vector<std::uint64_t>{2})) << "1 never reported it";
}

TEST(Writing, BlocksUnderWayCountAsLoad) {
  Stage stage;
  for (std::uint64_t n = 1; n <= 4; ++n) stage.join(n, "r" + std::to_string(n));
  std::map<AgentId, int> firsts;
  for (int i = 0; i < 80; ++i) {
    const auto path = "/f" + std::to_string(i);
    stage.must(CreateFile{0, path, 1});
    ++firsts[stage.add_block(path).targets.at(0).agent];
  }
  for (const auto& [agent, count] : firsts) EXPECT_NEAR(count, 20, 4);
}

}  // namespace
}  // namespace proffer
