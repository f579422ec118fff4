// Listing, renaming and removing.
#include <gmock/gmock.h>

#include "proffer/limits.hpp"
#include "stage.hpp"

namespace proffer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Names, FolderListsWhatIsBelowItInOrderOfPath) {
  Stage stage;
  for (const auto* path : {"/a/2", "/a-b", "/a/1/x", "/b"}) stage.put(path, {});
  EXPECT_THAT(stage.list("/a"), ElementsAre("/a/1/x", "/a/2"));
  EXPECT_THAT(stage.list("/a/2"), ElementsAre("/a/2"));
  EXPECT_THAT(stage.list("/"), ElementsAre("/a-b", "/a/1/x", "/a/2", "/b"));
}

TEST(Names, MissingPathIsNotFoundByItsNameButTheRootMayBeEmpty) {
  Stage stage;
  EXPECT_THAT(stage.list("/"), IsEmpty());
  const auto error = stage.refused(ListFiles{0, "no/such", false});
  EXPECT_EQ(error->code, ErrorCode::not_found);
  EXPECT_EQ(error->message, "there is no /no/such in the store");
  EXPECT_EQ(stage.refused(ListFiles{0, "..", false})->code, ErrorCode::invalid);
}

TEST(Names, ListingWithoutBlocksTellsNoTokenAndNoBlocks) {
  Stage stage;
  stage.join(1, "r1");
  stage.put("/f");
  const auto listed = stage.ask<FilesListed>(ListFiles{0, "/f", false});
  EXPECT_EQ(listed.token, "");
  EXPECT_THAT(listed.files.at(0).blocks, IsEmpty());
}

TEST(Names, LongListingComesInPagesThatJoinToTheWhole) {
  FileInfo big{"/big", 0, 1, true, {}};
  for (std::uint64_t n = 1; n <= 30000; ++n) {
    big.blocks.push_back({BlockId{n}, 7, 0, {}});
    big.length += 7;
  }
  std::vector<FileInfo> files{big};
  for (int i = 0; i < 5000; ++i) {
    files.push_back({"/many/" + std::string(100, 'x') + std::to_string(i), 0, 1, true, {}});
  }
  Stage stage(files, BlockId{40000});
  stage.receive(kClient, {}, ListFiles{12, "/", true});
  const auto pages = stage.sent<FilesListed>(kClient);
  ASSERT_GT(pages.size(), 2u);
  FilesListed whole;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto& page = pages[i].second;
    EXPECT_EQ(page.more, i + 1 < pages.size());
    EXPECT_EQ(page.request, 12u);
    EXPECT_LE(page.files.size(), limits::kItems);
    append_page(whole, page);
  }
  EXPECT_EQ(whole.files.size(), files.size());
  EXPECT_EQ(whole.files.front(), big);
  EXPECT_EQ(whole.token, "t0ken");
  EXPECT_FALSE(whole.more);
}

TEST(Names, RenameMovesFilesAndFoldersTogether) {
  Stage stage;
  for (const auto* path : {"/out/_temporary/1/part-0", "/out/_temporary/1/part-1", "/x"}) stage.put(path, {});
  stage.must(RenameFiles{0, {{"/out/_temporary/1", "/out/final"}, {"x", "y/z"}}});
  EXPECT_THAT(stage.order(),
              ElementsAre("persist", "persist", "persist", "persist", "persist", "persist", "send"));
  EXPECT_THAT(stage.list("/"), ElementsAre("/out/final/part-0", "/out/final/part-1", "/y/z"));
}

TEST(Names, RenameThatFailsInPartChangesNothing) {
  Stage stage;
  for (const auto* path : {"/a", "/b", "/d/e"}) stage.put(path, {});
  stage.must(CreateFile{0, "/w/open", 1});
  const auto code = [&](std::vector<std::pair<std::string, std::string>> pairs) {
    const auto error = stage.refused(RenameFiles{0, std::move(pairs)});
    EXPECT_TRUE(error);
    return error ? error->code : ErrorCode::io;
  };
  EXPECT_EQ(code({{"/a", "/c"}, {"/none", "/x"}}), ErrorCode::not_found);
  EXPECT_EQ(code({{"/a", "/c"}, {"/b", "/d/e"}}), ErrorCode::exists);
  EXPECT_EQ(code({{"/a", "/c"}, {"/b", "/c"}}), ErrorCode::exists);
  EXPECT_EQ(code({{"/a", "/c"}, {"/b", "/c/d"}}), ErrorCode::exists);
  EXPECT_EQ(code({{"/a", "/c/d"}, {"/b", "/c"}}), ErrorCode::exists);
  EXPECT_EQ(code({{"/a", "/c"}, {"/a", "/x"}}), ErrorCode::invalid);
  EXPECT_EQ(code({{"/d", "/c"}, {"/d/e", "/x"}}), ErrorCode::invalid);
  EXPECT_EQ(code({{"/d", "/d/x"}}), ErrorCode::invalid);
  EXPECT_EQ(code({{"/a", "/b/x"}}), ErrorCode::exists);
  EXPECT_EQ(code({{"/w", "/v"}}), ErrorCode::refused);
  EXPECT_THAT(stage.list("/"), ElementsAre("/a", "/b", "/d/e"));
  EXPECT_THAT(stage.order(), ElementsAre("send")) << "and nothing was persisted";
}

TEST(Names, RemoveForgetsDurablyThenTellsTheHolders) {
  Stage stage;
  stage.join(1, "r1");
  stage.join(2, "r2");
  const auto one = stage.put("/d/one").at(0);
  const auto two = stage.put("/d/two").at(0);
  stage.stored(1, one, 10);
  stage.stored(2, one, 10);
  stage.stored(2, two, 10);
  stage.must(RemoveFiles{0, "/d"});
  EXPECT_THAT(stage.order(), ElementsAre("persist", "persist", "send", "send", "send"));
  EXPECT_THAT(stage.told_to_delete(1), ElementsAre(one));
  EXPECT_THAT(stage.told_to_delete(2), ElementsAre(one, two));
  EXPECT_THAT(stage.list("/"), IsEmpty());
  EXPECT_EQ(stage.refused(RemoveFiles{0, "/d"})->code, ErrorCode::not_found);
}

TEST(Names, RemoveAlsoTakesUnfinishedFiles) {
  Stage stage;
  stage.join(1, "r1");
  stage.must(CreateFile{0, "/f", 1});
  const auto block = stage.add_block("/f").block;
  stage.must(RemoveFiles{0, "/f"});
  EXPECT_THAT(stage.order(), ElementsAre("send")) << "it was never durable";
  stage.stored(1, block, 3);
  EXPECT_THAT(stage.told_to_delete(1), ElementsAre(block)) << "stored too late";
  EXPECT_EQ(stage.refused(SealBlock{0, "/f", block, 3, 0})->code, ErrorCode::not_found);
  stage.must(CreateFile{0, "/f", 1});
}

}  // namespace
}  // namespace proffer
