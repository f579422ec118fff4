// Replicas in place of those that were lost.
#include <gmock/gmock.h>

#include <algorithm>

#include "stage.hpp"

namespace proffer {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr std::uint64_t kRestoreBytes = 1000;
constexpr BlockId kOne{5};
constexpr BlockId kTwo{6};

/// A file of two blocks on agents 1 and 2 of rack r1; agents 3 and 4 hold nothing. Lost replicas are restored
/// after a minute.
class Losing : public Stage {
 public:
  explicit Losing(Duration restore_after = minutes(1), const std::string& rack_of_4 = "r1",
                  Duration heartbeat = {})
      : Stage({{"/f",
                2 * kRestoreBytes,
                2,
                true,
                {{kOne, kRestoreBytes, 0, {}}, {kTwo, kRestoreBytes, 0, {}}}}},
              BlockId{9}, config(restore_after, heartbeat)) {
    for (std::uint64_t n = 1; n <= 4; ++n) join(n, n == 4 ? rack_of_4 : "r1", n <= 2 ? both() : Blocks{});
    pass(seconds(20));
  }
  static CatalogConfig config(Duration restore_after, Duration heartbeat) {
    CatalogConfig config;
    config.token = "t0ken";
    config.heartbeat = heartbeat;
    config.agent_silent_after = std::chrono::hours(100);
    config.replication.restore_after = restore_after;
    return config;
  }
  static Blocks both() { return {{kOne, kRestoreBytes}, {kTwo, kRestoreBytes}}; }
  void lose(std::uint64_t n) { step(PeerLost{PeerId{n}}); }
  /// Returns the blocks that agent n was told to copy in the last step or pass.
  std::vector<BlockId> copies_to(std::uint64_t n) const {
    std::vector<BlockId> blocks;
    for (const auto& [envelope, copy] : sent<CopyBlock>(PeerId{n})) blocks.push_back(copy.block);
    return blocks;
  }
  std::vector<BlockId> all_copies() const {
    std::vector<BlockId> blocks;
    for (std::uint64_t n = 1; n <= 4; ++n) {
      const auto more = copies_to(n);
      blocks.insert(blocks.end(), more.begin(), more.end());
    }
    return blocks;
  }
};

TEST(Restore, WhatIsMissedForLongIsCopiedFromWhoIsLeft) {
  Losing stage;
  stage.lose(2);
  stage.pass(seconds(59));
  EXPECT_THAT(stage.all_copies(), IsEmpty());
  stage.pass(seconds(30));
  EXPECT_THAT(stage.all_copies(), UnorderedElementsAre(kOne, kTwo));
  EXPECT_THAT(stage.copies_to(1), IsEmpty());
  for (const auto n : {3u, 4u}) {
    for (const auto& [envelope, copy] : stage.sent<CopyBlock>(PeerId{n})) {
      ASSERT_THAT(copy.sources, SizeIs(1));
      EXPECT_EQ(copy.sources[0].agent, agent_id(1));
    }
  }
  stage.pass(minutes(1));
  EXPECT_THAT(stage.all_copies(), IsEmpty()) << "they are on their way";
}

TEST(Restore, WhoComesBackInTimeIsNotReplaced) {
  Losing stage;
  stage.lose(2);
  stage.pass(seconds(40));
  stage.join(2, "r1", Losing::both());
  stage.pass(minutes(10));
  EXPECT_THAT(stage.all_copies(), IsEmpty());
}

TEST(Restore, SwitchedOffItMakesNoneAndWakesNobody) {
  Losing stage(Duration::zero());
  stage.lose(2);
  EXPECT_FALSE(stage.deadline());
}

TEST(Restore, WithAllThatWasAskedForItSleeps) {
  Losing stage;
  stage.pass(minutes(1));
  EXPECT_FALSE(stage.deadline());
}

TEST(Restore, ASecondRackComesFirst) {
  Losing stage(minutes(1), "r2");
  stage.lose(2);
  stage.pass(seconds(90));
  EXPECT_THAT(stage.copies_to(4), UnorderedElementsAre(kOne, kTwo));
}

TEST(Restore, WhatNobodyHoldsAnyMoreCannotBe) {
  Losing stage;
  stage.lose(1);
  stage.lose(2);
  stage.pass(minutes(10));
  EXPECT_THAT(stage.all_copies(), IsEmpty());
  stage.join(2, "r1", Losing::both());
  stage.pass(seconds(20));
  EXPECT_THAT(stage.all_copies(), UnorderedElementsAre(kOne, kTwo)) << "it has lacked one for long";
}

TEST(Restore, OneThatADiskLostIsMadeAnew) {
  Losing stage;
  stage.dropped(2, kTwo);
  stage.pass(seconds(90));
  EXPECT_THAT(stage.all_copies(), ElementsAre(kTwo));
}

TEST(Restore, ACopyThatFailsIsTriedElsewhere) {
  Losing stage;
  stage.dropped(2, kTwo);
  stage.pass(seconds(90));
  std::uint64_t first = 0;
  for (std::uint64_t n = 2; n <= 4; ++n) {
    if (!stage.copies_to(n).empty()) first = n;
  }
  stage.from_agent(first, CopyFailed{kTwo, {ErrorCode::io, "disk full"}});
  stage.pass(seconds(15));
  EXPECT_THAT(stage.copies_to(first), IsEmpty());
  EXPECT_THAT(stage.all_copies(), ElementsAre(kTwo));
}

TEST(Restore, ACopyThatNeverComesIsTriedElsewhereAfterItsTime) {
  Losing stage;
  stage.dropped(2, kTwo);
  stage.pass(seconds(90));
  EXPECT_THAT(stage.all_copies(), ElementsAre(kTwo));
  std::uint64_t first = 0;
  for (std::uint64_t n = 2; n <= 4; ++n) {
    if (!stage.copies_to(n).empty()) first = n;
  }
  stage.pass(minutes(2) + seconds(15));
  EXPECT_THAT(stage.all_copies(), ElementsAre(kTwo));
  EXPECT_THAT(stage.copies_to(first), IsEmpty());
}

TEST(Restore, MoreThanThereAreAgentsIsNotWaitedFor) {
  Losing stage;
  for (const auto n : {2u, 3u, 4u}) stage.lose(n);
  stage.pass(minutes(5));
  EXPECT_THAT(stage.all_copies(), IsEmpty());
  EXPECT_FALSE(stage.deadline());
}

TEST(Restore, AFileThatIsShortFromTheStartGetsWhatItLacks) {
  Losing stage(minutes(1), "r1", seconds(1));
  stage.must(CreateFile{0, "/new", 2});
  const auto block = stage.add_block("/new", agent_id(3)).block;
  stage.must(SealBlock{0, "/new", block, kRestoreBytes, 0});
  stage.stored(3, block, kRestoreBytes);
  stage.must(CompleteFile{0, "/new"});
  stage.pass(seconds(60));
  EXPECT_THAT(stage.all_copies(), IsEmpty()) << "for 30 s the other was on its way, as far as was known";
  stage.pass(seconds(60));
  EXPECT_THAT(stage.all_copies(), ElementsAre(block));
}

TEST(Restore, WhatComesBackAfterAllMakesOthersGo) {
  Losing stage;
  stage.lose(2);
  stage.pass(seconds(90));
  const std::map<std::uint64_t, std::vector<BlockId>> ordered{{3, stage.copies_to(3)},
                                                              {4, stage.copies_to(4)}};
  for (const auto& [n, blocks] : ordered) {
    for (const auto block : blocks) stage.stored(n, block, kRestoreBytes);
  }
  stage.join(2, "r1", Losing::both());
  stage.pass(minutes(1));
  std::size_t deleted = 0;
  for (std::uint64_t n = 1; n <= 4; ++n) deleted += stage.told_to_delete(n).size();
  EXPECT_EQ(deleted, 2u);
  EXPECT_THAT(stage.holders("/f"), SizeIs(2));
}

}  // namespace
}  // namespace proffer
