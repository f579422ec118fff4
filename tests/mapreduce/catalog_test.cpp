// What a job asks the catalog before its first and after its last task.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Planned : Hand {
  explicit Planned(JobSpec spec = grep()) {
    input("/in", {{"a1"}});
    submit(std::move(spec));
  }
};

TEST(MapReduceCatalog, AnOutputThatExistsIsRefusedBeforeAnythingRan) {
  Planned hand;
  hand.store.add("/out/old");
  hand.begin();
  EXPECT_EQ(hand.report().why, "the output /out exists");
  EXPECT_THAT(hand.offer_map("a1"), IsEmpty());
  EXPECT_THAT(hand.store.below("/out"), ElementsAre("old"));
}

TEST(MapReduceCatalog, AMissingInputFailsTheJobInOneSentence) {
  Planned hand(grep("/nowhere"));
  hand.begin();
  EXPECT_EQ(hand.report().why, "the input cannot be read: there is no /nowhere");
  EXPECT_THAT(hand.store.below("/out"), IsEmpty());
}

TEST(MapReduceCatalog, ABlockThatNobodyHoldsIsWaitedForAndThatIsSaidOnce) {
  Hand hand;
  hand.input("/in", {{"a1"}, {}});
  hand.submit(grep());
  hand.begin();
  hand.pass(30s);
  EXPECT_EQ(hand.phase(), JobPhase::planning);
  EXPECT_THAT(hand.watcher.waits, ElementsAre("job 1 300 s: no agent holds block 2 of /in at present"));
  hand.store.hold("/in", 1, {agent_id("a2"), "tcp://a2", rack_of("a2")});
  hand.pass(1s);
  EXPECT_EQ(hand.phase(), JobPhase::running);
  EXPECT_EQ(hand.report().progress.maps.total, 2u) << "what was listed in vain does not count";
}

TEST(MapReduceCatalog, ABlockThatNobodyHoldsFailsTheJobInTheEnd) {
  Hand hand;
  hand.input("/in", {{"a1"}, {}});
  hand.submit(grep());
  hand.begin();
  hand.pass(299s);
  EXPECT_EQ(hand.phase(), JobPhase::planning);
  hand.pass(2s);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_EQ(hand.report().why, "no agent holds block 2 of /in at present");
  EXPECT_THAT(hand.store.below("/out"), IsEmpty());
}

TEST(MapReduceCatalog, ACatalogThatIsAwayForTwoMinutesFailsNoJob) {
  Planned hand;
  hand.catalog_answers = false;
  hand.begin();
  for (int i = 0; i < 120; ++i) {
    hand.lose_catalog();
    hand.pass(1s);
  }
  EXPECT_THAT(hand.watcher.waits, ElementsAre("job 1 300 s: lost"));
  hand.catalog_answers = true;
  hand.lose_catalog();
  hand.pass(1s);
  EXPECT_EQ(hand.phase(), JobPhase::running);
}

TEST(MapReduceCatalog, AClusterWithoutACatalogRunsNoJobs) {
  Planned hand;
  hand.begin();
  Hand other;
  other.submit(grep());
  Random random(1);
  std::uint64_t next = 1;
  Driver driver(other.now, random, next);
  other.framework->subscribed(driver, {FrameworkId{{0, 1}}, 1, 1s, ""});
  EXPECT_EQ(other.phase(), JobPhase::failed);
}

TEST(MapReduceCatalog, TwoJobsOfOneOutputCannotBothClaimIt) {
  Hand hand;
  hand.input("/in", {{"a1"}});
  hand.submit(grep());
  hand.submit(grep());
  hand.begin();
  EXPECT_EQ(hand.phase(JobId{2}), JobPhase::failed);
  hand.run_maps();
  EXPECT_EQ(hand.phase(JobId{1}), JobPhase::succeeded);
  EXPECT_THAT(hand.store.below("/out"), ElementsAre("_SUCCESS", "part-00000"));
}

TEST(MapReduceCatalog, SuccessIsReportedOnlyOnceTheRenameIsConfirmed) {
  Planned hand;
  hand.begin();
  const auto map = hand.offer_map("a1").at(0);
  hand.catalog_answers = false;
  hand.finish(map);
  EXPECT_EQ(hand.phase(), JobPhase::committing);
  EXPECT_THAT(hand.watcher.ended, IsEmpty());
  hand.catalog_answers = true;
  hand.answer_catalog();
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
}

TEST(MapReduceCatalog, OneRenameMovesAllPartsAndSuccess) {
  Planned hand;
  hand.begin();
  const auto map = hand.run_maps().at(0);
  ASSERT_THAT(hand.store.renames, SizeIs(1));
  EXPECT_THAT(hand.store.renames[0].pairs,
              ElementsAre(std::pair<std::string, std::string>(
                              "/out/_temporary/" + map.id.value + "/part-00000", "/out/part-00000"),
                          std::pair<std::string, std::string>("/out/_temporary/_SUCCESS", "/out/_SUCCESS")));
}

TEST(MapReduceCatalog, OnlyTheWinningAttemptIsPublishedAndTheOthersAreRemoved) {
  Planned hand;
  hand.begin();
  const auto first = hand.offer_map("a1").at(0);
  hand.store.add(map_of(first).output.path);
  hand.fail(first);
  hand.finish(hand.offer_map("a1").at(0));
  EXPECT_EQ(hand.store.renames.at(0).pairs.at(0).first, "/out/_temporary/j1-m-00000-1/part-00000");
  EXPECT_THAT(hand.store.below("/out"), ElementsAre("_SUCCESS", "part-00000"));
}

TEST(MapReduceCatalog, ARenameThatHappenedThoughItsAnswerWasLostIsNotMadeTwice) {
  Planned hand;
  hand.begin();
  const auto map = hand.offer_map("a1").at(0);
  hand.catalog_answers = false;
  hand.finish(map);
  hand.lose_answers();
  hand.catalog_answers = true;
  EXPECT_EQ(hand.phase(), JobPhase::committing);
  hand.pass(1s);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_THAT(hand.store.renames, SizeIs(1));
}

TEST(MapReduceCatalog, ARenameThatWasLostIsAskedForAgain) {
  Planned hand;
  hand.begin();
  const auto map = hand.offer_map("a1").at(0);
  hand.catalog_answers = false;
  hand.finish(map);
  hand.lose_catalog();
  hand.catalog_answers = true;
  hand.pass(1s);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_THAT(hand.store.renames, SizeIs(1));
}

TEST(MapReduceCatalog, AJobWhoseOutputCannotBePublishedForLackOfSpaceWaitsForIt) {
  Planned hand;
  hand.begin();
  const auto map = hand.offer_map("a1").at(0);
  hand.store.full = true;
  hand.finish(map);
  hand.pass(60s);
  EXPECT_EQ(hand.phase(), JobPhase::committing);
  hand.store.full = false;
  hand.pass(5s);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
}

TEST(MapReduceCatalog, ALateFirstRenameIsFoundWhenTheSecondIsRefused) {
  Planned hand;
  hand.begin();
  const auto map = hand.offer_map("a1").at(0);
  hand.catalog_answers = false;
  hand.finish(map);
  const auto late = hand.asked.back();
  hand.lose_catalog();  // its answer is given up, but it is still on its way
  hand.pass(1s);
  hand.catalog_answers = false;
  ASSERT_TRUE(std::holds_alternative<ListFiles>(hand.asked.back()));
  hand.answer_one();  // not there yet
  hand.store.answer(late);
  hand.catalog_answers = true;
  hand.answer_catalog();
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_THAT(hand.store.renames, SizeIs(1));
}

TEST(MapReduceCatalog, ARefusedRenameFailsTheJob) {
  Planned hand;
  hand.begin();
  const auto map = hand.offer_map("a1").at(0);
  hand.store.add("/out/part-00000");  // by somebody who does not care
  hand.finish(map);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_EQ(hand.report().why, "the output cannot be published: /out/part-00000 exists");
  EXPECT_THAT(hand.store.below("/out"), ElementsAre("part-00000"));
}

TEST(MapReduceCatalog, AQuestionWithoutAnAnswerIsAskedAgain) {
  Planned hand;
  hand.catalog_answers = false;
  hand.begin();
  hand.lose_catalog();
  EXPECT_EQ(hand.phase(), JobPhase::planning);
  hand.catalog_answers = true;
  hand.pass(1s);
  EXPECT_EQ(hand.phase(), JobPhase::running);
}

TEST(MapReduceCatalog, ACatalogThatNeverAnswersFailsTheJobInTheEnd) {
  Planned hand;
  hand.catalog_answers = false;
  hand.begin();
  for (int i = 0; i < 400 && hand.phase() == JobPhase::planning; ++i) {
    hand.lose_catalog();
    hand.pass(1s);
  }
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_THAT(hand.report().why, HasSubstr("the catalog cannot be asked"));
}

TEST(MapReduceCatalog, AClaimOfWhichNobodyKnowsWhoseItIsIsLeftAlone) {
  Planned hand;
  hand.catalog_answers = false;
  hand.begin();
  hand.answer_one();
  hand.answer_one();
  ASSERT_TRUE(std::holds_alternative<CreateFile>(hand.asked.back()));
  hand.lose_answers();
  hand.catalog_answers = true;
  hand.pass(1s);
  EXPECT_EQ(hand.phase(), JobPhase::failed);
  EXPECT_THAT(hand.report().why, HasSubstr("remove it and try again"));
  EXPECT_THAT(hand.store.below("/out"), ElementsAre("_temporary/_SUCCESS"));
}

TEST(MapReduceCatalog, AListingInPagesIsOneFile) {
  Hand hand;
  hand.input("/in", {{"a1"}, {"a2"}});
  hand.submit(grep());
  hand.catalog_answers = false;
  hand.begin();
  hand.answer_one();
  const auto blocks = hand.store.files["/in"].blocks;
  auto head = hand.store.files["/in"];
  auto rest = head;
  head.blocks = {blocks[0]};
  rest.blocks = {blocks[1]};
  hand.answer_one_with([&](std::uint64_t request) {
    return FilesListed{request, {head, rest}, "store-token", false, {}};
  });
  hand.catalog_answers = true;
  hand.answer_catalog();
  EXPECT_EQ(hand.report().progress.maps.total, 2u);
}

}  // namespace
}  // namespace proffer::mapreduce_test
