// Bounds on the unfinished files of one client and their age, and on what one agent may report.
#include <gmock/gmock.h>

#include <algorithm>

#include "proffer/limits.hpp"
#include "tests/catalog/stage.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

std::optional<Error> answer(Stage& stage, PeerId peer, Message message) {
  stage.greet(peer);
  stage.receive(peer, {}, std::move(message));
  const auto answers = stage.sent<CatalogDone>(peer);
  EXPECT_EQ(answers.size(), 1u);
  return answers.empty() ? std::nullopt : answers[0].second.error;
}

std::optional<Error> create(Stage& stage, PeerId peer, std::size_t n) {
  return answer(stage, peer, CreateFile{1, "/f" + std::to_string(n), 1});
}

constexpr PeerId kFirst{1001};
constexpr PeerId kSecond{1002};

TEST(Writers, AConnectionWritesSoManyFilesAtATimeAndOthersMayWrite) {
  Stage stage;
  for (std::size_t n = 0; n < limits::kUnfinishedFilesPerPeer; ++n) ASSERT_FALSE(create(stage, kFirst, n));
  const auto refused = create(stage, kFirst, 5000);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, ErrorCode::slow_down);
  EXPECT_THAT(refused->message, HasSubstr("writes as many files at a time as it may"));
  EXPECT_FALSE(create(stage, kSecond, 5001));
}

TEST(Writers, AFileThatIsCompleteOrRemovedMakesRoomForAnother) {
  Stage stage;
  for (std::size_t n = 0; n < limits::kUnfinishedFilesPerPeer; ++n) ASSERT_FALSE(create(stage, kFirst, n));
  EXPECT_FALSE(answer(stage, kFirst, CompleteFile{1, "/f0"}));
  EXPECT_FALSE(create(stage, kFirst, 5000));
  EXPECT_FALSE(answer(stage, kSecond, RemoveFiles{1, "/f1"}));
  EXPECT_FALSE(create(stage, kFirst, 5001));
}

TEST(Writers, AFileWhoseWriterWasLostIsRemovedWithItsBlocksAfterAnHour) {
  Stage stage;
  stage.join(1, "r1");
  ASSERT_FALSE(create(stage, kFirst, 1));
  stage.receive(kFirst, {}, AddBlock{2, "/f1", {}});
  const auto block = stage.sent<BlockAllocated>(kFirst).at(0).second.block;
  stage.stored(1, block, 10);
  stage.step(PeerLost{kFirst});
  stage.pass(1h - 1s);
  stage.from_agent(1, Heartbeat{});
  EXPECT_EQ(stage.refused(CreateFile{0, "/f1", 1})->message, "/f1 is being written; remove it first");
  stage.pass(1s);
  EXPECT_THAT(stage.told_to_delete(1), ElementsAre(block));
  EXPECT_FALSE(stage.refused(CreateFile{0, "/f1", 1}));
}

TEST(Writers, AFileThatIsGoneOnWithThroughAnotherConnectionStays) {
  Stage stage;
  stage.join(1, "r1");
  ASSERT_FALSE(create(stage, kFirst, 1));
  stage.step(PeerLost{kFirst});
  stage.greet(kSecond);
  stage.receive(kSecond, {}, AddBlock{2, "/f1", {}});
  stage.pass(2h);
  EXPECT_TRUE(stage.refused(CreateFile{0, "/f1", 1}));
}

TEST(Writers, AFileWhoseWriterIsStillThereStays) {
  Stage stage;
  ASSERT_FALSE(create(stage, kFirst, 1));
  stage.step(PeerLost{kSecond});
  stage.pass(24h);
  EXPECT_TRUE(stage.refused(CreateFile{0, "/f1", 1}));
}

Stage::Blocks blocks_from(std::uint64_t first, std::size_t count) {
  Stage::Blocks blocks;
  for (std::uint64_t n = 0; n < count; ++n) blocks.emplace_back(BlockId{first + n}, 10);
  return blocks;
}

TEST(AnAgentsChanges, WhileItReportsAreKeptUpToSoManyBlocks) {
  Stage stage;
  stage.receive(PeerId{1}, {}, stage.page(1, "r1", {}, 0, false));
  stage.learn_session(1);
  stage.from_agent(1, BlocksChanged{1, blocks_from(1, limits::kItems), {}});
  EXPECT_TRUE(stage.sent<SendBlockReport>(PeerId{1}).empty());
  stage.from_agent(1, BlocksChanged{2, blocks_from(100'000, 1), {}});
  EXPECT_EQ(stage.sent<SendBlockReport>(PeerId{1}).size(), 1u);
}

// The bare machine: to look at all invariants after each step would take long with so many blocks.
TEST(AnAgentsChanges, PastWhatAnAgentHoldsAreRefused) {
  Catalog catalog({"t0ken"}, kCluster, kEpoch, {}, BlockId{1}, Random(5), SecretSource(Random(6)));
  Actions actions;
  const auto say = [&](SessionId session, Message message) {
    actions.clear();
    catalog.step(MessageReceived{PeerId{1}, {{}, {}, session, 0, std::move(message)}}, actions, Time{});
  };
  const auto refused = [&] {
    return std::any_of(actions.begin(), actions.end(), [](const Action& action) {
      const auto* send = std::get_if<Send>(&action);
      return send != nullptr && std::holds_alternative<ErrorMessage>(send->envelope.message);
    });
  };
  const auto pages = static_cast<std::uint32_t>(limits::kReplicasPerAgent / limits::kItems);
  SessionId session;
  for (std::uint32_t page = 0; page < pages; ++page) {
    const auto blocks = blocks_from(1 + std::uint64_t{page} * limits::kItems, limits::kItems);
    say(session, BlockReport{agent_id(1), "a1", "r1", "ep1", page, page + 1 == pages, blocks});
    ASSERT_FALSE(refused());
    if (page == 0) session = std::get<Send>(actions.front()).envelope.session;
  }
  say(session, BlocksChanged{1, blocks_from(1 << 30, 1), {}});
  EXPECT_TRUE(refused());
}

}  // namespace
}  // namespace proffer
