// A catalog that has just been started with files: not all agents have come back.
#include <gmock/gmock.h>

#include "stage.hpp"

namespace proffer {
namespace {

using testing::SizeIs;
using namespace std::chrono_literals;

/// Returns a catalog that knows /f of one block, which nobody has reported yet.
Stage started_again() {
  return Stage({FileInfo{"/f", 10, 2, true, {{BlockId{1}, 10, 0, {}}}}}, BlockId{2}, CatalogConfig{"t0ken"});
}
const ListFiles kListing{0, "/f", true};

TEST(Settling, BlocksThatNobodyHasReportedAreNotListedYet) {
  auto stage = started_again();
  const auto error = stage.refused(kListing);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code, ErrorCode::slow_down);
  EXPECT_EQ(error->message, "the catalog has just started, and no agent has reported block 1 of /f yet");
  EXPECT_EQ(stage.list("/f"), std::vector<std::string>{"/f"}) << "names need no agents";
}

TEST(Settling, OnceSomebodyHasReportedThemTheyAre) {
  auto stage = started_again();
  stage.join(1, "r1", {{BlockId{1}, 10}});
  EXPECT_THAT(stage.holders("/f"), SizeIs(1));
}

TEST(Settling, AfterAWhileTheyAreListedAsNobodys) {
  auto stage = started_again();
  EXPECT_TRUE(stage.refused(kListing));
  stage.sleep(15s);
  EXPECT_THAT(stage.ask<FilesListed>(kListing).files.at(0).blocks, SizeIs(1));
}

TEST(Settling, ABlockWaitsForAsManyAgentsAsItShallHaveReplicas) {
  auto stage = started_again();
  stage.join(1, "r1", {{BlockId{1}, 10}});
  stage.must(CreateFile{0, "/g", 2});
  EXPECT_EQ(stage.refused(AddBlock{0, "/g", {}})->code, ErrorCode::slow_down);
  stage.join(2, "r2");
  EXPECT_THAT(stage.add_block("/g").targets, SizeIs(2));
}

TEST(Settling, AfterAWhileItTakesThoseThatThereAre) {
  auto stage = started_again();
  stage.join(1, "r1", {{BlockId{1}, 10}});
  stage.must(CreateFile{0, "/g", 2});
  stage.sleep(15s);
  EXPECT_THAT(stage.add_block("/g").targets, SizeIs(1));
}

TEST(Settling, ACatalogWithoutFilesWaitsForNobody) {
  Stage stage;
  stage.join(1, "r1");
  stage.must(CreateFile{0, "/g", 2});
  EXPECT_THAT(stage.add_block("/g").targets, SizeIs(1));
}

}  // namespace
}  // namespace proffer
