// Frameworks that read blocks are told where these are, while agents come and go.
#include <gmock/gmock.h>

#include "stage.hpp"

namespace proffer {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t kReadBytes = 1000;
constexpr PeerId kReader{9100};
constexpr BlockId kFirstBlock{5};
constexpr BlockId kSecondBlock{6};
constexpr BlockId kForeign{7};

std::vector<std::uint64_t> agents_of(const BlockPlaces& places) {
  std::vector<std::uint64_t> numbers;
  for (const auto& replica : places.replicas) numbers.push_back(replica.agent.value.lo);
  return numbers;
}

/// /mine has two blocks and /other one, each on agents 1 and 2. No replica is ever made by the catalog.
class Reading : public Stage {
 public:
  explicit Reading(std::vector<FileInfo> files = two_files())
      : Stage(std::move(files), BlockId{900'000}, config()) {
    for (const auto n : {1u, 2u}) join(n, "r1", all());
  }
  static std::vector<FileInfo> two_files() {
    return {{"/mine",
             2 * kReadBytes,
             2,
             true,
             {{kFirstBlock, kReadBytes, 0, {}}, {kSecondBlock, kReadBytes, 0, {}}}},
            {"/other", kReadBytes, 2, true, {{kForeign, kReadBytes, 0, {}}}}};
  }
  static Blocks all() {
    return {{kFirstBlock, kReadBytes}, {kSecondBlock, kReadBytes}, {kForeign, kReadBytes}};
  }
  static CatalogConfig config() {
    CatalogConfig config{"t0ken"};
    config.heartbeat = seconds(1);
    config.agent_silent_after = hours(100);
    return config;
  }
  void lists(const std::string& path, PeerId reader = kReader) {
    greet(reader);
    receive(reader, {}, ListFiles{1, path, true});
  }
  void reports(PeerId reader = kReader) {
    greet(reader);
    receive(reader, {}, BlocksUsed{});
  }
  void lose(std::uint64_t n) { step(PeerLost{PeerId{n}}); }
  /// Returns what the last step or pass told that reader.
  std::vector<BlockPlaces> told(PeerId reader = kReader) const {
    std::vector<BlockPlaces> all;
    for (const auto& [envelope, changed] : sent<ReplicasChanged>(reader)) {
      all.insert(all.end(), changed.blocks.begin(), changed.blocks.end());
    }
    return all;
  }
};

TEST(Readers, AreAskedToReportWhereAgentsMayBeLost) {
  Reading stage;
  const auto listed = stage.ask<FilesListed>(ListFiles{0, "/mine", true});
  EXPECT_GT(listed.use.interval, Duration::zero());
}

TEST(Readers, HearOfAnAgentThatComesBackAndOfTheirOwnBlocksOnly) {
  Reading stage;
  stage.lose(2);
  stage.lists("/mine");
  stage.reports();
  stage.join(2, "r1", Reading::all());
  const auto told = stage.told();
  ASSERT_THAT(told, SizeIs(2));
  EXPECT_EQ(told[0].block, kFirstBlock);
  EXPECT_THAT(agents_of(told[0]), ElementsAre(1, 2));
  EXPECT_EQ(told[1].block, kSecondBlock);
}

TEST(Readers, HearOfAnAgentThatGoes) {
  Reading stage;
  stage.lists("/other");
  stage.reports();
  stage.lose(1);
  ASSERT_THAT(stage.told(), SizeIs(1));
  EXPECT_EQ(stage.told()[0].block, kForeign);
  EXPECT_THAT(agents_of(stage.told()[0]), ElementsAre(2));
}

TEST(Readers, HearOfAnAgentThatFallsSilentAndSpeaksAgain) {
  auto config = Reading::config();
  config.agent_silent_after = seconds(10);
  Stage stage(Reading::two_files(), BlockId{9}, config);
  stage.join(1, "r1", Reading::all());
  stage.greet(kReader);
  stage.receive(kReader, {}, ListFiles{1, "/other", true});
  stage.receive(kReader, {}, BlocksUsed{});
  stage.pass(seconds(11));
  ASSERT_THAT(stage.sent<ReplicasChanged>(kReader), SizeIs(1));
  EXPECT_THAT(stage.sent<ReplicasChanged>(kReader)[0].second.blocks.at(0).replicas, IsEmpty());
  stage.from_agent(1, Heartbeat{1, {}});
  ASSERT_THAT(stage.sent<ReplicasChanged>(kReader), SizeIs(1));
  EXPECT_THAT(stage.sent<ReplicasChanged>(kReader)[0].second.blocks.at(0).replicas, SizeIs(1));
}

TEST(Readers, HearOfABlockThatADiskLostOrFound) {
  Reading stage;
  stage.lists("/mine");
  stage.reports();
  stage.dropped(1, kSecondBlock);
  ASSERT_THAT(stage.told(), SizeIs(1));
  EXPECT_THAT(agents_of(stage.told()[0]), ElementsAre(2));
  stage.stored(1, kSecondBlock, kReadBytes);
  ASSERT_THAT(stage.told(), SizeIs(1));
  EXPECT_THAT(agents_of(stage.told()[0]), ElementsAre(1, 2));
}

TEST(Readers, HearWithTheirFirstReportWhatChangedSinceTheyListed) {
  Reading stage;
  stage.lose(2);
  stage.lists("/mine");
  stage.join(2, "r1", Reading::all());
  EXPECT_THAT(stage.told(), IsEmpty()) << "it may be somebody who looks, and no framework";
  stage.reports();
  EXPECT_THAT(stage.told(), SizeIs(2));
}

TEST(Readers, ThatAreSilentForThreeIntervalsHearNothingMore) {
  Reading stage;
  stage.lists("/mine");
  stage.reports();
  stage.pass(minutes(4));
  stage.lose(1);
  EXPECT_THAT(stage.told(), IsEmpty());
}

TEST(Readers, WhomTheCatalogDoesNotKnowHearOfAllBlocks) {
  Reading stage;
  stage.reports();
  stage.lose(1);
  EXPECT_THAT(stage.told(), SizeIs(3)) << "it may have listed them from a catalog before this one";
}

TEST(Readers, ThatReadWhatTheyHaveNotListedHearOfAllBlocks) {
  Reading stage;
  stage.lists("/other");
  stage.greet(kReader);
  stage.receive(kReader, {}, BlocksUsed{{{kFirstBlock, 1, 0, {}}}, {}});
  stage.lose(1);
  EXPECT_THAT(stage.told(), SizeIs(3));
}

TEST(Readers, OfVeryManyBlocksHearOfSomeInEachBeat) {
  FileInfo file{"/many", 40'000 * kReadBytes, 2, true, {}};
  Stage::Blocks held;
  for (std::uint64_t n = 1; n <= 40'000; ++n) {
    file.blocks.push_back({BlockId{n}, kReadBytes, 0, {}});
    held.emplace_back(BlockId{n}, kReadBytes);
  }
  Reading stage({file});
  stage.lists("/many");
  stage.reports();
  stage.join(3, "r1", held);
  const auto at_once = stage.told().size();
  EXPECT_GT(at_once, 1'000u);
  EXPECT_LT(at_once, 40'000u) << "a peer's queue takes 4 MiB";
  stage.pass(seconds(30));
  EXPECT_EQ(at_once + stage.told().size(), 40'000u);
}

}  // namespace
}  // namespace proffer
