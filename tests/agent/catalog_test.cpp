#include "tests/agent/stage.hpp"

namespace proffer::agent_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

BlockId block(std::uint64_t n) { return {n}; }

Stage::Blocks blocks_to(std::uint64_t n) {
  Stage::Blocks blocks;
  for (std::uint64_t b = 1; b <= n; ++b) blocks.emplace_back(BlockId{b}, 10 * b);
  return blocks;
}

/// In session with both.
struct Settled : Stage {
  explicit Settled(Blocks blocks = {}) : Stage(config(), std::move(blocks)) {
    join_with_catalog();
    welcome();
  }
  template <class M>
  std::vector<M> told() {
    return sent<M>(kCatalogPeer);
  }
};

TEST(CatalogSide, WithoutAnEndpointThereIsNone) {
  Stage stage(Stage::config(), {{block(1), 10}});
  stage.join();
  stage.step(BlockStored{block(2), 20});
  stage.pass_alive(seconds(30));
  EXPECT_THAT(stage.sent<BlockReport>(kCatalogPeer), IsEmpty());
  EXPECT_THAT(stage.sent<BlocksChanged>(kCatalogPeer), IsEmpty());
}

TEST(CatalogSide, AnAgentThatServesNoDataDoesNotReport) {
  auto config = Stage::config();
  config.data_endpoint.clear();
  Stage stage(config);
  stage.join_with_catalog();
  EXPECT_THAT(stage.sent<BlockReport>(kCatalogPeer), IsEmpty());
}

TEST(CatalogSide, AReportOpensTheSession) {
  Stage stage(Stage::config(), {{block(2), 20}, {block(1), 10}});
  stage.join_with_catalog();
  const auto sent = stage.envelopes<BlockReport>(kCatalogPeer);
  ASSERT_THAT(sent, SizeIs(1));
  EXPECT_EQ(sent[0].session, SessionId{});
  EXPECT_EQ(std::get<BlockReport>(sent[0].message),
            (BlockReport{kAgent, "a1", "r1", "tcp://h:1", 0, true, {{block(1), 10}, {block(2), 20}}}));
}

TEST(CatalogSide, TheWelcomeBringsTheToken) {
  Stage stage;
  stage.join_with_catalog();
  stage.welcome();
  ASSERT_THAT(stage.did<SetStoreToken>(), SizeIs(1));
  EXPECT_EQ(stage.did<SetStoreToken>()[0].token, "t0ken");
  stage.welcome();
  EXPECT_THAT(stage.did<SetStoreToken>(), IsEmpty());
}

TEST(CatalogSide, AnUnansweredReportIsRepeated) {
  Stage stage;
  stage.join_with_catalog();
  stage.pass(milliseconds(200));
  EXPECT_FALSE(stage.sent<BlockReport>(kCatalogPeer).empty());
}

TEST(CatalogSide, ManyBlocksGoInPagesAndNotAllAtOnce) {
  Stage stage(Stage::config(), blocks_to(95'000));
  stage.join_with_catalog();
  auto pages = stage.sent<BlockReport>(kCatalogPeer);
  ASSERT_THAT(pages, SizeIs(8));
  EXPECT_THAT(pages[7].blocks, SizeIs(10'000));
  EXPECT_FALSE(pages[7].last);
  stage.welcome();
  stage.pass(milliseconds(200));
  pages = stage.sent<BlockReport>(kCatalogPeer);
  ASSERT_THAT(pages, SizeIs(2));
  EXPECT_EQ(pages[0].page, 8u);
  EXPECT_TRUE(pages[1].last);
  EXPECT_THAT(pages[1].blocks, SizeIs(5'000));
  EXPECT_EQ(pages[1].blocks.back().first, block(95'000));
}

TEST(CatalogSide, ExactlyFullPagesHaveNoEmptyOneBehindThem) {
  Stage stage(Stage::config(), blocks_to(20'000));
  stage.join_with_catalog();
  const auto pages = stage.sent<BlockReport>(kCatalogPeer);
  ASSERT_THAT(pages, SizeIs(2));
  EXPECT_TRUE(pages[1].last);
}

TEST(CatalogSide, ChangesAreNumberedFromOne) {
  Settled stage({{block(1), 10}});
  stage.step(BlockStored{block(2), 20});
  EXPECT_THAT(stage.told<BlocksChanged>(), ElementsAre(BlocksChanged{1, {{block(2), 20}}, {}}));
  stage.step(BlockVanished{block(1)});
  EXPECT_THAT(stage.told<BlocksChanged>(), ElementsAre(BlocksChanged{2, {}, {block(1)}}));
}

TEST(CatalogSide, WhatChangesNothingIsNotTold) {
  Settled stage({{block(1), 10}});
  stage.step(BlockStored{block(1), 10});
  stage.step(BlockVanished{block(7)});
  EXPECT_THAT(stage.told<BlocksChanged>(), IsEmpty());
  stage.step(BlockStored{block(1), 11});
  EXPECT_THAT(stage.told<BlocksChanged>(), ElementsAre(BlocksChanged{1, {{block(1), 11}}, {}}));
}

TEST(CatalogSide, ChangesBeforeTheWelcomeAreToldAfterIt) {
  Stage stage(Stage::config(), {{block(1), 10}});
  stage.join_with_catalog();
  stage.step(BlockStored{block(2), 20});
  stage.step(BlockVanished{block(1)});
  EXPECT_THAT(stage.sent<BlocksChanged>(kCatalogPeer), IsEmpty());
  stage.welcome();
  EXPECT_THAT(stage.sent<BlocksChanged>(kCatalogPeer),
              ElementsAre(BlocksChanged{1, {{block(2), 20}}, {block(1)}}));
}

TEST(CatalogSide, AFullReportOnRequestOpensASessionAndBeginsTheNumbersAnew) {
  Settled stage;
  stage.step(BlockStored{block(1), 10});
  stage.from_catalog(SendBlockReport{});
  stage.pass(milliseconds(200));
  const auto reports = stage.envelopes<BlockReport>(kCatalogPeer);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports[0].session, SessionId{});
  EXPECT_THAT(std::get<BlockReport>(reports[0].message).blocks, ElementsAre(Pair(block(1), 10)));
  stage.welcome();
  stage.step(BlockStored{block(2), 20});
  EXPECT_THAT(stage.told<BlocksChanged>(), ElementsAre(BlocksChanged{1, {{block(2), 20}}, {}}));
}

TEST(CatalogSide, DeletionsAreCarriedOutAndToldOnceDone) {
  Settled stage({{block(1), 10}});
  stage.from_catalog(DeleteBlocks{{block(1)}});
  ASSERT_THAT(stage.did<DropBlock>(), SizeIs(1));
  EXPECT_EQ(stage.did<DropBlock>()[0].block, block(1));
  EXPECT_THAT(stage.told<BlocksChanged>(), IsEmpty());
  stage.step(BlockVanished{block(1)});
  EXPECT_THAT(stage.told<BlocksChanged>(), SizeIs(1));
}

TEST(CatalogSide, WhatIsNotHereIsDenied) {
  Settled stage;
  stage.from_catalog(DeleteBlocks{{block(9)}});
  EXPECT_THAT(stage.did<DropBlock>(), IsEmpty());
  EXPECT_THAT(stage.told<BlocksChanged>(), ElementsAre(BlocksChanged{1, {}, {block(9)}}));
}

TEST(CatalogSide, ALostConnectionIsReportedOverAgain) {
  Settled stage({{block(1), 10}});
  stage.step(PeerLost{kCatalogPeer});
  EXPECT_TRUE(stage.agent().registered());
  stage.pass(milliseconds(200));
  const auto reports = stage.envelopes<BlockReport>(kCatalogPeer);
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports[0].session, SessionId{});
}

TEST(CatalogSide, AnUnknownSessionOrALaterEpochMeansReportAgain) {
  Settled stage;
  stage.from_catalog({}, ErrorMessage{{ErrorCode::unknown_session, "report again"}, 2});
  stage.pass(milliseconds(200));
  EXPECT_FALSE(stage.told<BlockReport>().empty());
  stage.welcome();
  stage.from_catalog(kCatalogSession, Heartbeat{}, Epoch{2});
  stage.pass(milliseconds(200));
  EXPECT_FALSE(stage.told<BlockReport>().empty());
}

TEST(CatalogSide, HeartbeatsGoToTheCatalogAndItsSilenceIsNoticed) {
  Settled stage;
  stage.pass(seconds(3));
  EXPECT_THAT(stage.told<Heartbeat>(), SizeIs(3));
  stage.pass(seconds(8));
  EXPECT_FALSE(stage.told<BlockReport>().empty());
}

TEST(CatalogSide, OutlivesTheAllocatorsSession) {
  Settled stage;
  stage.step(PeerLost{kAllocatorPeer});
  stage.step(BlockStored{block(1), 10});
  EXPECT_THAT(stage.told<BlocksChanged>(), SizeIs(1));
  stage.join({kAgent, seconds(1), "tcp://cat:1", {}}, SessionId{12});
  EXPECT_THAT(stage.told<BlockReport>(), IsEmpty());
}

TEST(CatalogSide, AnotherEndpointOrANewIdMeansReportAgain) {
  Settled stage;
  stage.join({kAgent, seconds(1), "tcp://cat:2", {}}, SessionId{12});
  EXPECT_THAT(stage.told<BlockReport>(), SizeIs(1));
  const AgentId other{Bits128{2, 2}};
  stage.join({other, seconds(1), "tcp://cat:2", {}}, SessionId{13});
  ASSERT_THAT(stage.told<BlockReport>(), SizeIs(1));
  EXPECT_EQ(stage.told<BlockReport>()[0].agent, other);
}

TEST(CatalogSide, AnotherCatalogThanBeforeIsRefused) {
  Settled stage;
  stage.step(MessageReceived{kCatalogPeer,
                             {ClusterId{Bits128{8, 8}}, Epoch{1}, SessionId{5}, 1, CatalogWelcome{"x", {}}}});
  EXPECT_THAT(stage.did<SetStoreToken>(), IsEmpty());
  EXPECT_THAT(stage.refusals(), ElementsAre("CATALOG_WELCOME wrong-cluster"));
}

CopyBlock copy_of(std::uint64_t n) { return {block(n), 10 * n, {}, "t0ken"}; }

TEST(CatalogSide, ABlockThatIsHereIsNotCopied) {
  Settled stage({{block(1), 10}});
  stage.from_catalog(copy_of(1));
  EXPECT_THAT(stage.did<FetchBlock>(), IsEmpty());
  ASSERT_THAT(stage.told<CopyFailed>(), SizeIs(1));
  EXPECT_EQ(stage.told<CopyFailed>()[0].error.code, ErrorCode::exists);
}

TEST(CatalogSide, BlocksWaitToBeCopiedAndTooManyAreRefused) {
  Settled stage;
  for (std::uint64_t n = 1; n <= 2 + 256; ++n) {
    stage.from_catalog(copy_of(n));
    EXPECT_THAT(stage.did<FetchBlock>(), SizeIs(n <= 2 ? 1 : 0));
    ASSERT_THAT(stage.told<CopyFailed>(), IsEmpty());
  }
  stage.from_catalog(copy_of(259));
  ASSERT_THAT(stage.told<CopyFailed>(), SizeIs(1));
  EXPECT_EQ(stage.told<CopyFailed>()[0].error.code, ErrorCode::slow_down);
}

TEST(CatalogSide, ABlockThatIsDeletedNeedNotBeCopied) {
  Settled stage;
  for (const std::uint64_t n : {1u, 2u, 3u, 4u}) stage.from_catalog(copy_of(n));
  stage.from_catalog(DeleteBlocks{{block(3)}});
  stage.step(BlockStored{block(1), 10});
  ASSERT_THAT(stage.did<FetchBlock>(), SizeIs(1));
  EXPECT_EQ(stage.did<FetchBlock>()[0].block, block(4));
}

}  // namespace
}  // namespace proffer::agent_test
