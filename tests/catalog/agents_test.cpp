// Agents that report what they hold.
#include <gmock/gmock.h>

#include "stage.hpp"

namespace proffer {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

FileInfo file_of(const std::string& path, std::vector<BlockInfo> blocks) {
  FileInfo file{path, 0, 2, true, std::move(blocks)};
  for (const auto& block : file.blocks) file.length += block.length;
  return file;
}

/// A catalog that has started again: one file of block 5, length 10.
Stage restarted() { return Stage({file_of("/f", {{BlockId{5}, 10, 0, {}}})}, BlockId{9}); }

/// Says something for agent 1, as its 7th message of the session.
void say_as_7th(Stage& stage, Message message) {
  stage.step(MessageReceived{PeerId{1}, {kCluster, kEpoch, stage.session(1), 7, std::move(message)}});
}

TEST(Agents, FirstPageOpensASessionAndTellsTheToken) {
  Stage stage;
  stage.join(1, "r1");
  const auto welcome = stage.sent<CatalogWelcome>(PeerId{1});
  ASSERT_THAT(welcome, SizeIs(1));
  EXPECT_EQ(welcome[0].second.token, "t0ken");
  EXPECT_EQ(welcome[0].first.cluster, kCluster);
  EXPECT_EQ(welcome[0].first.epoch, kEpoch);
  EXPECT_EQ(welcome[0].first.seq, 1u);
  EXPECT_NE(welcome[0].first.session.value, 0u);
}

TEST(Agents, HolderCountsOnceTheLastPageHasComeNotBefore) {
  auto stage = restarted();
  stage.receive(PeerId{1}, {}, stage.page(1, "r1", {{BlockId{5}, 10}}, 0, false));
  stage.learn_session(1);
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
  stage.from_agent(1, stage.page(1, "r1", {}, 1, true));
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
}

TEST(Agents, PagesThatDidNotWaitForTheWelcomeAreTaken) {
  auto stage = restarted();
  stage.receive(PeerId{1}, {}, stage.page(1, "r1", {}, 0, false));
  stage.receive(PeerId{1}, {}, stage.page(1, "r1", {{BlockId{5}, 10}}, 1, true));
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
}

TEST(Agents, MissingPageIsAnsweredBySendBlockReport) {
  auto stage = restarted();
  stage.receive(PeerId{1}, {}, stage.page(1, "r1", {}, 0, false));
  stage.learn_session(1);
  stage.from_agent(1, stage.page(1, "r1", {{BlockId{5}, 10}}, 2, true));
  EXPECT_THAT(stage.sent<SendBlockReport>(PeerId{1}), SizeIs(1));
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
  stage.from_agent(1, stage.page(1, "r1", {{BlockId{5}, 10}}));
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
}

TEST(Agents, ReportThatStopsHalfwayIsAskedForAgain) {
  auto stage = restarted();
  stage.receive(PeerId{1}, {}, stage.page(1, "r1", {}, 0, false));
  stage.pass(seconds(7));
  EXPECT_THAT(stage.sent<SendBlockReport>(PeerId{1}), SizeIs(1));
}

TEST(Agents, NumberedChangesAreAppliedAndRepeatedOnesIgnored) {
  auto stage = restarted();
  stage.join(1, "r1");
  stage.from_agent(1, BlocksChanged{1, {{BlockId{5}, 10}}, {}});
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
  stage.from_agent(1, BlocksChanged{2, {}, {BlockId{5}}});
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
  stage.from_agent(1, BlocksChanged{1, {{BlockId{5}, 10}}, {}});
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
}

TEST(Agents, AMessageWhoseNumberInTheSessionHasComeHasNoEffectAgain) {
  auto stage = restarted();
  stage.join(1, "r1");
  say_as_7th(stage, BlocksChanged{1, {{BlockId{5}, 10}}, {}});
  say_as_7th(stage, BlocksChanged{2, {}, {BlockId{5}}});
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
}

TEST(Agents, AMessageWhoseNumberInTheSessionHasComeIsASignOfLife) {
  auto config = settled();
  config.agent_silent_after = seconds(10);
  Stage stage({file_of("/f", {{BlockId{5}, 10, 0, {}}})}, BlockId{9}, config);
  stage.join(1, "r1", {{BlockId{5}, 10}});
  say_as_7th(stage, Heartbeat{1, {}});
  stage.pass(seconds(11));
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
  say_as_7th(stage, Heartbeat{1, {}});
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
}

TEST(Agents, GapInTheNumbersAsksOnceForAFullReport) {
  auto stage = restarted();
  stage.join(1, "r1", {{BlockId{5}, 10}});
  stage.from_agent(1, BlocksChanged{2, {}, {}});
  EXPECT_THAT(stage.sent<SendBlockReport>(PeerId{1}), SizeIs(1));
  stage.from_agent(1, BlocksChanged{3, {}, {BlockId{5}}});
  EXPECT_THAT(stage.sent<SendBlockReport>(PeerId{1}), IsEmpty()) << "one is on its way";
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1)) << "what was known stands until the report";
  stage.from_agent(1, stage.page(1, "r1", {}));
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
  stage.from_agent(1, BlocksChanged{1, {{BlockId{5}, 10}}, {}});
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1)) << "numbers begin again with the report";
}

TEST(Agents, ChangeBetweenPagesIsAppliedAfterTheLastOne) {
  auto stage = restarted();
  stage.receive(PeerId{1}, {}, stage.page(1, "r1", {}, 0, false));
  stage.learn_session(1);
  stage.from_agent(1, BlocksChanged{1, {}, {BlockId{5}}});
  stage.from_agent(1, stage.page(1, "r1", {{BlockId{5}, 10}}, 1, true));
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
}

TEST(Agents, ReplicaOfTheWrongLengthIsNoneAndIsDeleted) {
  auto stage = restarted();
  stage.join(1, "r1", {{BlockId{5}, 9}});
  EXPECT_THAT(stage.told_to_delete(1), ElementsAre(BlockId{5}));
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
}

TEST(Agents, ReplicaStoredBeforeSealingIsJudgedByTheSealedLength) {
  Stage stage;
  stage.join(1, "r1");
  stage.must(CreateFile{0, "/f", 1});
  const auto block = stage.add_block("/f").block;
  stage.stored(1, block, 9);
  stage.must(SealBlock{0, "/f", block, 10, 0});
  EXPECT_THAT(stage.told_to_delete(1), ElementsAre(block));
}

TEST(Agents, BlocksOfNoFileAreDeletedButNotThoseOfOtherCatalogs) {
  auto stage = restarted();
  stage.join(1, "r1", {{BlockId{4}, 1}, {BlockId{5}, 10}, {BlockId{9}, 1}});
  EXPECT_THAT(stage.told_to_delete(1), ElementsAre(BlockId{4}));
  stage.must(CreateFile{0, "/g", 1});
  EXPECT_EQ(stage.add_block("/g").block, BlockId{10}) << "9 stands on a disk already";
}

TEST(Agents, DeletionThatWasLostIsToldAgainUntilTheReplicaIsGone) {
  auto stage = restarted();
  stage.join(1, "r1", {{BlockId{4}, 1}});
  Actions all;
  for (int i = 0; i < 31; ++i) {
    stage.from_agent(1, Heartbeat{});
    stage.pass(seconds(1));
    if (i < 29) {
      EXPECT_THAT(stage.told_to_delete(1), IsEmpty());
    }
    all.insert(all.end(), stage.actions().begin(), stage.actions().end());
  }
  EXPECT_EQ(std::count_if(all.begin(), all.end(),
                          [](const Action& action) {
                            const auto* send = std::get_if<Send>(&action);
                            return send && std::holds_alternative<DeleteBlocks>(send->envelope.message);
                          }),
            1);
  stage.dropped(1, BlockId{4});
  stage.pass(seconds(60));
  EXPECT_THAT(stage.told_to_delete(1), IsEmpty());
}

TEST(Agents, SilentAgentsReplicasDoNotCountUntilItSpeaksAgain) {
  auto stage = restarted();
  stage.join(1, "r1", {{BlockId{5}, 10}});
  stage.pass(seconds(9));
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
  stage.pass(seconds(2));
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
  stage.must(CreateFile{0, "/g", 1});
  EXPECT_EQ(stage.refused(AddBlock{0, "/g", {}})->code, ErrorCode::unreachable);
  stage.from_agent(1, Heartbeat{});
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
}

TEST(Agents, PauseOfTheCatalogItselfSilencesNobody) {
  auto stage = restarted();
  stage.join(1, "r1", {{BlockId{5}, 10}});
  stage.pass(seconds(3));
  stage.sleep(seconds(100));
  stage.step(TimePassed{});
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
  stage.pass(seconds(8));
  EXPECT_THAT(stage.holders("/f"), IsEmpty()) << "but silence before and after it adds up";
}

TEST(Agents, LostConnectionEndsTheSessionAndItsReplicas) {
  auto stage = restarted();
  stage.join(1, "r1", {{BlockId{5}, 10}});
  stage.step(PeerLost{PeerId{1}});
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
  EXPECT_FALSE(stage.deadline()) << "nobody is left to wait for";
  stage.from_agent(1, Heartbeat{});
  const auto errors = stage.sent<ErrorMessage>(PeerId{1});
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].second.error.code, ErrorCode::unknown_session);
}

TEST(Agents, AgentThatConnectsAgainReplacesItsOldSession) {
  auto stage = restarted();
  stage.join(1, "r1", {{BlockId{5}, 10}});
  const auto old = stage.session(1);
  stage.receive(PeerId{77}, {}, stage.page(1, "r1", {}, 0, false));
  EXPECT_THAT(stage.holders("/f"), IsEmpty());
  stage.receive(PeerId{77}, {}, stage.page(1, "r1", {{BlockId{5}, 10}}, 1, true));
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
  stage.receive(PeerId{1}, old, BlocksChanged{1, {}, {BlockId{5}}});
  EXPECT_THAT(stage.sent<ErrorMessage>(PeerId{1}), SizeIs(1));
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
}

/// A hello under the id of agent 1 over another connection; the answer.
template <class Answer>
std::vector<Answer> hello(Stage& stage, Secret secret) {
  auto page = stage.page(1, "r1", {});
  page.data_endpoint = "elsewhere";
  page.secret = secret;
  stage.receive(PeerId{66}, {}, page);
  std::vector<Answer> answers;
  for (const auto& [envelope, answer] : stage.sent<Answer>(PeerId{66})) answers.push_back(answer);
  return answers;
}

TEST(Agents, AKnownIdWithoutItsSecretIsRefusedAndItsReplicasStay) {
  auto stage = restarted();
  stage.join(1, "r1", {{BlockId{5}, 10}});
  for (const auto secret : {Secret{}, Secret{{1, 1}}}) {
    const auto errors = hello<ErrorMessage>(stage, secret);
    ASSERT_THAT(errors, SizeIs(1));
    EXPECT_EQ(errors[0].error.code, ErrorCode::refused);
    EXPECT_THAT(stage.sent<CatalogWelcome>(PeerId{66}), IsEmpty());
  }
  EXPECT_THAT(stage.holders("/f"), ElementsAre(1));
  stage.from_agent(1, Heartbeat{});
  EXPECT_THAT(stage.sent<ErrorMessage>(PeerId{1}), IsEmpty());
}

TEST(Agents, AnIdIsKeptForItsSecretWhenItsSessionHasEnded) {
  Stage stage;
  stage.join(1, "r1");
  const auto secret = stage.page(1, "r1", {}).secret;
  EXPECT_FALSE(secret.value.is_nil());
  stage.step(PeerLost{PeerId{1}});
  EXPECT_THAT(hello<ErrorMessage>(stage, {{1, 1}}), SizeIs(1));
  EXPECT_THAT(hello<CatalogWelcome>(stage, secret), SizeIs(1));
}

TEST(Agents, ACatalogThatKnowsNoIdsTakesTheSecretThatComesWithOne) {
  Stage stage;
  EXPECT_EQ(hello<CatalogWelcome>(stage, {{7, 8}}).at(0).secret, (Secret{{7, 8}}));
}

TEST(Agents, SecondHelloOfOnePeerKeepsItsSession) {
  Stage stage;
  stage.join(1, "r1");
  const auto session = stage.session(1);
  stage.join(1, "r1");
  EXPECT_EQ(stage.session(1), session);
}

TEST(Agents, ReportsThatMakeNoSenseAreRefused) {
  Stage stage;
  const auto code = [&](BlockReport page, Envelope envelope = {}) {
    envelope.message = std::move(page);
    stage.step(MessageReceived{PeerId{1}, envelope});
    const auto errors = stage.sent<ErrorMessage>(PeerId{1});
    EXPECT_THAT(errors, SizeIs(1));
    return errors.empty() ? ErrorCode::io : errors[0].second.error.code;
  };
  auto page = stage.page(1, "r1", {});
  EXPECT_EQ(code(stage.page(1, "no rack", {})), ErrorCode::invalid);
  EXPECT_EQ(code(stage.page(0, "r1", {})), ErrorCode::invalid);
  EXPECT_EQ(code(page, {{Bits128{1, 2}}, {}, {}, 0, {}}), ErrorCode::wrong_cluster);
  EXPECT_EQ(code(page, {kCluster, Epoch{4}, {}, 0, {}}), ErrorCode::wrong_cluster);
  EXPECT_EQ(code(page, {kCluster, kEpoch, SessionId{5}, 0, {}}), ErrorCode::unknown_session);
  EXPECT_EQ(code(stage.page(1, "r1", {}, 1)), ErrorCode::unknown_session);
  page.data_endpoint.clear();
  EXPECT_EQ(code(page), ErrorCode::invalid);
}

TEST(Agents, HeartbeatsGoToEveryAgentWhileThereIsOne) {
  Stage stage;
  EXPECT_FALSE(stage.deadline());
  stage.join(1, "r1");
  ASSERT_TRUE(stage.deadline());
  EXPECT_EQ(*stage.deadline(), stage.now() + seconds(1));
  stage.pass(seconds(3));
  EXPECT_THAT(stage.sent<Heartbeat>(PeerId{1}), SizeIs(3));
}

TEST(Agents, MessagesThatACatalogDoesNotTakeAreAnsweredButErrorsAreNot) {
  Stage stage;
  stage.receive(kClient, {}, Subscribe{});
  ASSERT_THAT(stage.sent<ErrorMessage>(kClient), SizeIs(1));
  EXPECT_EQ(stage.sent<ErrorMessage>(kClient)[0].second.error.code, ErrorCode::type);
  stage.receive(kClient, {}, ErrorMessage{});
  EXPECT_THAT(stage.actions(), IsEmpty());
}

}  // namespace
}  // namespace proffer
