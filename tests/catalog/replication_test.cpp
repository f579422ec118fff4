// Blocks in demand: from what frameworks report to replicas that are made and deleted.
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

constexpr std::uint64_t kLength = 1000;
constexpr BlockId kHot{5};
constexpr BlockId kOther{6};

CatalogConfig with(ReplicationPolicy policy, DsbraVariant variant = DsbraVariant::accessed) {
  CatalogConfig config;
  config.token = "t0ken";
  config.agent_silent_after = hours(100);
  config.replication.policy = policy;
  config.replication.variant = variant;
  config.replication.threshold = seconds(1);
  return config;
}

/// A file of two blocks with two replicas each, so that one more of one block is within the cap of 30%.
std::vector<FileInfo> two_blocks() {
  return {{"/f", 2 * kLength, 2, true, {{kHot, kLength, 0, {}}, {kOther, kLength, 0, {}}}}};
}

/// Four agents of which the first two hold both blocks.
class Scene : public Stage {
 public:
  explicit Scene(const CatalogConfig& config) : Stage(two_blocks(), BlockId{9}, config) {
    for (std::uint64_t n = 1; n <= 4; ++n) {
      join(n, "r1", n <= 2 ? Blocks{{kHot, kLength}, {kOther, kLength}} : Blocks{});
    }
    pass(seconds(20));
  }
};

/// All that read the hot block were delayed, nothing else was.
BlocksUsed one_hot() { return {{{kHot, 4, 4, seconds(4)}, {kOther, 4, 0, {}}}, {}}; }

void report(Stage& stage, const BlocksUsed& used) { stage.receive(kClient, {}, used); }

/// The interval's end, with what was reported in it.
void round_with(Stage& stage, const BlocksUsed& used) {
  report(stage, used);
  stage.pass(minutes(1));
}

template <class T>
std::vector<T> traced(const Actions& actions) {
  std::vector<T> found;
  for (const auto& action : actions) {
    const auto* emit = std::get_if<Emit>(&action);
    if (const auto* trace = emit ? std::get_if<T>(&emit->trace) : nullptr) found.push_back(*trace);
  }
  return found;
}

/// The blocks that agent n was told to copy.
std::vector<BlockId> told_to_copy(const Stage& stage, std::uint64_t n) {
  std::vector<BlockId> blocks;
  for (const auto& [envelope, copy] : stage.sent<CopyBlock>(PeerId{n})) blocks.push_back(copy.block);
  return blocks;
}

TEST(Replication, HotBlockIsCopiedToTheLeastHeatedAgent) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, one_hot());
  const auto orders = stage.sent<CopyBlock>(PeerId{3});
  ASSERT_THAT(orders, SizeIs(1));
  EXPECT_EQ(orders[0].second.block, kHot);
  EXPECT_EQ(orders[0].second.length, kLength);
  EXPECT_EQ(orders[0].second.token, "t0ken");
  EXPECT_THAT(orders[0].second.sources, SizeIs(2));
}

TEST(Replication, DecisionIsTracedWithItsReason) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, one_hot());
  const auto decided = traced<CopyDecided>(stage.actions());
  ASSERT_THAT(decided, SizeIs(1));
  EXPECT_EQ(decided[0].to, agent_id(3));
  EXPECT_EQ(decided[0].factor, 500'000);
  EXPECT_EQ(decided[0].mean, 250'000);
}

TEST(Replication, ReadersAreToldOfACopyOnceItIsThere) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, one_hot());
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1, 2));
  stage.stored(3, kHot, kLength);
  const auto told = stage.sent<ReplicasChanged>(kClient);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].second.blocks.at(0).block, kHot);
  EXPECT_THAT(told[0].second.blocks.at(0).replicas, SizeIs(3));
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1, 2, 3));
}

TEST(Replication, CopyThatFailsIsMadeElsewhere) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, one_hot());
  stage.from_agent(3, CopyFailed{kHot, {ErrorCode::unreachable, "no source"}});
  EXPECT_THAT(told_to_copy(stage, 4), ElementsAre(kHot));
  stage.from_agent(4, CopyFailed{kHot, {ErrorCode::unreachable, "no source"}});
  EXPECT_THAT(told_to_copy(stage, 3), IsEmpty()) << "it has failed there before";
}

TEST(Replication, CopyThatTakesTooLongIsMadeElsewhere) {
  auto config = with(ReplicationPolicy::dsbra);
  config.replication.copy_timeout = seconds(30);
  Scene stage(config);
  round_with(stage, one_hot());
  stage.pass(seconds(40));
  EXPECT_THAT(told_to_copy(stage, 4), ElementsAre(kHot));
}

TEST(Replication, TargetLostDuringACopyLeavesNothingAndAnotherGetsIt) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, one_hot());
  stage.step(PeerLost{PeerId{3}});
  const auto ended = traced<CopyEnded>(stage.actions());
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_FALSE(ended[0].ok);
  round_with(stage, one_hot());
  EXPECT_THAT(told_to_copy(stage, 4), ElementsAre(kHot));
}

TEST(Replication, TargetThatReportsAnewHasForgottenItsCopies) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, one_hot());
  stage.join(3, "r1");
  const auto ended = traced<CopyEnded>(stage.actions());
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_EQ(ended[0].why, "the agent reports anew");
  round_with(stage, one_hot());
  EXPECT_THAT(traced<CopyDecided>(stage.actions()), SizeIs(1));
}

TEST(Replication, CopyIsTriedAtThreeAgentsAtMost) {
  Scene stage(with(ReplicationPolicy::dsbra));
  for (const std::uint64_t n : {5u, 6u, 7u}) stage.join(n, "r1");
  round_with(stage, one_hot());
  std::set<std::uint64_t> tried;
  for (std::uint64_t n = 3; n <= 7;) {
    const bool told = !tried.contains(n) && !told_to_copy(stage, n).empty();
    if (told) tried.insert(n);
    if (told) stage.from_agent(n, CopyFailed{kHot, {ErrorCode::unreachable, "no source"}});
    n = told ? 3 : n + 1;
  }
  EXPECT_THAT(tried, SizeIs(3));
}

struct ManyBlocks {
  explicit ManyBlocks(std::uint64_t count) : file{"/f", count * kLength, 2, true, {}} {
    for (std::uint64_t n = 1; n <= count; ++n) {
      file.blocks.push_back({BlockId{n}, kLength, 0, {}});
      held.emplace_back(BlockId{n}, kLength);
    }
  }
  FileInfo file;
  Stage::Blocks held;
};

TEST(Replication, AnAgentHasNoMoreCopiesUnderWayThanItCanMakeInTime) {
  const ManyBlocks many(100);
  BlocksUsed used;
  for (const auto& block : many.file.blocks) {
    const bool hot = block.block.value <= 50;
    used.blocks.push_back({block.block, 4, hot ? 4u : 0u, hot ? seconds(4) : seconds(0)});
  }
  Stage stage({many.file}, BlockId{900}, with(ReplicationPolicy::dsbra));
  for (const std::uint64_t n : {1u, 2u}) stage.join(n, "r1", many.held);
  stage.join(3, "r1");
  round_with(stage, used);
  EXPECT_THAT(told_to_copy(stage, 3), SizeIs(32));
}

TEST(Replication, WatchersAreToldOfManyChangesInSeveralMessages) {
  const ManyBlocks many(8000);
  auto config = with(ReplicationPolicy::dsbra);
  config.replication.extra_milli = 0;
  Stage stage({many.file}, BlockId{9000}, config);
  for (const std::uint64_t n : {1u, 2u, 3u}) stage.join(n, "r1", many.held);
  round_with(stage, {});
  const auto told = stage.sent<ReplicasChanged>(kClient);
  ASSERT_THAT(told, SizeIs(2)) << "at 130 bytes a block no more than half of a frame each";
  EXPECT_EQ(told[0].second.blocks.size() + told[1].second.blocks.size(), many.held.size());
}

TEST(Replication, SourceLostDuringACopyIsNoSourceOfTheNext) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, one_hot());
  stage.step(PeerLost{PeerId{1}});
  stage.from_agent(3, CopyFailed{kHot, {ErrorCode::unreachable, "no source"}});
  const auto orders = stage.sent<CopyBlock>(PeerId{4});
  ASSERT_THAT(orders, SizeIs(1));
  ASSERT_THAT(orders[0].second.sources, SizeIs(1));
  EXPECT_EQ(orders[0].second.sources[0].agent, agent_id(2));
}

TEST(Replication, CapHoldsWithCopiesUnderWay) {
  auto config = with(ReplicationPolicy::dsbra);
  config.replication.extra_milli = 249;
  Scene stage(config);
  round_with(stage, one_hot());
  EXPECT_THAT(traced<CopyDecided>(stage.actions()), IsEmpty()) << "a quarter more is above the cap";
  config.replication.extra_milli = 250;
  Scene roomier(config);
  round_with(roomier, one_hot());
  EXPECT_THAT(traced<CopyDecided>(roomier.actions()), SizeIs(1));
  round_with(roomier, one_hot());
  EXPECT_THAT(traced<CopyDecided>(roomier.actions()), IsEmpty()) << "the first one is under way";
}

TEST(Replication, ColdBlockLosesWhatIsBeyondItsReplicationAndNoMore) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, one_hot());
  stage.stored(3, kHot, kLength);
  std::size_t drops = 0;
  for (int interval = 0; interval < 60; ++interval) {
    stage.pass(minutes(1));
    drops += traced<DropDecided>(stage.actions()).size();
    for (std::uint64_t n = 1; n <= 3; ++n) {
      for (const auto block : stage.told_to_delete(n)) stage.dropped(n, block);
    }
  }
  EXPECT_EQ(drops, 1u);
  EXPECT_THAT(stage.holders("/f"), SizeIs(2));
}

TEST(Replication, ReplicaThatIsToGoIsShownToNobodyAndWatchersAreTold) {
  auto config = with(ReplicationPolicy::dsbra);
  Scene stage(config);
  round_with(stage, one_hot());
  stage.stored(3, kHot, kLength);
  for (int i = 0; i < 60 && traced<DropDecided>(stage.actions()).empty(); ++i) round_with(stage, {});
  EXPECT_THAT(stage.sent<ReplicasChanged>(kClient), SizeIs(1));
  EXPECT_THAT(stage.holders("/f"), SizeIs(2)) << "though the agent still holds it";
}

TEST(Replication, WhatNobodyOrderedIsDeletedWhenItIsBeyondTheCap) {
  auto config = with(ReplicationPolicy::dsbra);
  config.replication.extra_milli = 100;
  Scene stage(config);
  stage.stored(3, kHot, kLength);  // ordered by a catalog before this one
  EXPECT_THAT(traced<DropDecided>(stage.actions()), SizeIs(1));
  EXPECT_THAT(stage.holders("/f"), SizeIs(2));
}

TEST(Replication, NothingIsDroppedOnTheWordOfAnAgentThatHasJustReported) {
  auto config = with(ReplicationPolicy::dsbra);
  config.replication.extra_milli = 100;
  Scene stage(config);
  stage.join(3, "r1", {{kHot, kLength}});
  stage.stored(4, kOther, kLength);  // both have one more than the cap allows
  auto dropped = traced<DropDecided>(stage.actions());
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].block, kOther) << "a deletion of the other may be under way";
  stage.pass(minutes(1));
  dropped = traced<DropDecided>(stage.actions());
  ASSERT_THAT(dropped, SizeIs(1));
  EXPECT_EQ(dropped[0].block, kHot);
}

TEST(Replication, RemovedFileEndsItsCopies) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, one_hot());
  stage.must(RemoveFiles{0, "/f"});
  EXPECT_THAT(traced<CopyEnded>(stage.actions()), SizeIs(1));
  stage.stored(3, kHot, kLength);
  EXPECT_THAT(stage.told_to_delete(3), ElementsAre(kHot));
}

TEST(Replication, FixedWantsNoReportsAndNeverWakes) {
  auto config = with(ReplicationPolicy::fixed);
  config.heartbeat = {};
  Scene stage(config);
  EXPECT_EQ(stage.ask<FilesListed>(ListFiles{0, "/f", true}).use, UseWanted{});
  EXPECT_FALSE(stage.deadline());
  report(stage, one_hot());
  EXPECT_FALSE(stage.deadline());
}

TEST(Replication, ListingSaysWhatIsWanted) {
  Scene stage(with(ReplicationPolicy::dsbra));
  const UseWanted wanted{minutes(1), seconds(1), true, false};
  EXPECT_EQ(stage.ask<FilesListed>(ListFiles{0, "/f", true}).use, wanted);
  EXPECT_EQ(stage.ask<FilesListed>(ListFiles{0, "/f", false}).use, UseWanted{});
}

TEST(Replication, LiteralFormNeverActs) {
  Scene stage(with(ReplicationPolicy::dsbra, DsbraVariant::literal));
  for (int i = 0; i < 100; ++i) {
    round_with(stage, {{{kHot, 4, 4, seconds(4)}, {kOther, 4, i % 4 == 0 ? 4u : 0u, seconds(4)}}, {}});
    ASSERT_THAT(traced<CopyDecided>(stage.actions()), IsEmpty());
  }
}

TEST(Replication, SilentFrameworkIsToldOfNothing) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, one_hot());
  stage.pass(minutes(5));
  stage.stored(3, kHot, kLength);
  EXPECT_THAT(stage.sent<ReplicasChanged>(kClient), IsEmpty());
}

TEST(Replication, MadeUpNumbersAreCutDown) {
  Scene stage(with(ReplicationPolicy::dsbra));
  round_with(stage, {{{kHot, 1, 4'000'000'000, hours(1'000'000)}, {kOther, 1, 0, -seconds(5)}}, {}});
  const auto decided = traced<CopyDecided>(stage.actions());
  ASSERT_THAT(decided, SizeIs(1));
  EXPECT_EQ(decided[0].factor, 500'000) << "as if every one was delayed as long as counts";
}

TEST(Dare, KeepsWhatWasReadFromElsewhereWhereItWasRead) {
  Scene stage(with(ReplicationPolicy::dare));
  round_with(stage, {{{kHot, 4, 0, {}}}, {{kHot, agent_id(4)}}});
  EXPECT_THAT(told_to_copy(stage, 4), ElementsAre(kHot));
  EXPECT_THAT(told_to_copy(stage, 3), IsEmpty());
}

TEST(Dare, LessPopularReplicaMakesRoom) {
  Scene stage(with(ReplicationPolicy::dare));
  round_with(stage, {{{kOther, 1, 0, {}}}, {{kOther, agent_id(3)}}});
  stage.stored(3, kOther, kLength);
  round_with(stage, {{{kHot, 9, 0, {}}}, {{kHot, agent_id(4)}}});
  EXPECT_THAT(traced<DropDecided>(stage.actions()), SizeIs(1));
  EXPECT_THAT(told_to_copy(stage, 4), ElementsAre(kHot));
}

TEST(Dare, WhereNothingIsLessPopularNothingMakesRoom) {
  Scene stage(with(ReplicationPolicy::dare));
  round_with(stage, {{{kOther, 9, 0, {}}}, {{kOther, agent_id(3)}}});
  stage.stored(3, kOther, kLength);
  round_with(stage, {{{kOther, 9, 0, {}}, {kHot, 9, 0, {}}}, {{kHot, agent_id(4)}}});
  EXPECT_THAT(traced<DropDecided>(stage.actions()), IsEmpty());
  EXPECT_THAT(told_to_copy(stage, 4), IsEmpty());
}

}  // namespace
}  // namespace proffer
