#include "tests/tidy/planted.hpp"

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::pair<std::string, std::string> kPage{"docs/RULES.md", "# Rules\n\n## 2. Offers, and more\n"};

TEST(References, ASectionThatThePageLacksIsCaught) {
  EXPECT_THAT(planted(check_references, {kPage, {"core/x.hpp", "// As RULES §2 says.\n"}}), IsEmpty());
  EXPECT_THAT(planted(check_references, {kPage, {"core/x.hpp", "//\n// As RULES §3 says.\n"}}),
              ElementsAre("core/x.hpp:2: docs/RULES.md has no section 3"));
  EXPECT_THAT(planted(check_references, "core/x.hpp", "// As RULES §2 says.\n"),
              ElementsAre("core/x.hpp:1: docs/RULES.md has no section 2"));
}

TEST(References, SectionsOfPapersAreNotOurs) {
  EXPECT_THAT(planted(check_references, "core/x.hpp", "// EuroSys 2010 §4.3, UCB/EECS-2009-55 §5\n"),
              IsEmpty());
}

TEST(References, APageThatThereIsNotIsCaught) {
  EXPECT_THAT(planted(check_references, {kPage, {"core/x.cpp", "// docs/RULES.md\n// docs/OTHER.md\n"}}),
              ElementsAre("core/x.cpp:2: docs/OTHER.md: there is no such page"));
}

TEST(References, DocumentsOutsideOfTheRepositoryAreCaught) {
  EXPECT_THAT(planted(check_references, "core/x.cpp", "// RELIABILITY U8\n"),
              ElementsAre("core/x.cpp:1: RELIABILITY is no document of this repository"));
  EXPECT_THAT(planted(check_references, "docs/A.md", "see DESIGN.md\n"),
              ElementsAre("docs/A.md:1: DESIGN.md is no document of this repository"));
  EXPECT_THAT(planted(check_references, "CMakeLists.txt", "install(TARGETS a)\n"), IsEmpty());
}

TEST(References, ALinkHasToLeadToAHeading) {
  EXPECT_THAT(
      planted(check_references, {kPage, {"docs/A.md", "[a](RULES.md#2-offers-and-more) [b](RULES.md)\n"}}),
      IsEmpty());
  EXPECT_THAT(planted(check_references, {kPage, {"docs/A.md", "[a](RULES.md#offers)\n"}}),
              ElementsAre("docs/A.md:1: the link to RULES.md#offers leads nowhere"));
  EXPECT_THAT(planted(check_references, {kPage, {"README.md", "[a](docs/RULES.md) [b](RULES.md)\n"}}),
              ElementsAre("README.md:1: the link to RULES.md leads nowhere"));
}

TEST(References, APathInBackquotesHasToLeadToAFileOrFolder) {
  const std::pair<std::string, std::string> source{"core/flow/cost.hpp", "#pragma once\n"};
  const auto said_of = [&](const std::string& text) {
    return planted(check_references, {source, {"docs/A.md", text}});
  };
  EXPECT_THAT(said_of("`core/flow/cost.hpp` `core/flow/cost` `core/flow/` `core/flow`\n"), IsEmpty());
  EXPECT_THAT(said_of("\n`core/cost.hpp`\n"),
              ElementsAre("docs/A.md:2: core/cost.hpp: there is no such file or folder"));
  EXPECT_THAT(said_of("`core/flow/costs`\n"),
              ElementsAre("docs/A.md:1: core/flow/costs: there is no such file or folder"));
}

TEST(References, PlaceholdersAndPathsBelowOtherFoldersAreNotLookedUp) {
  const std::pair<std::string, std::string> source{"core/ids.hpp", "#pragma once\n"};
  EXPECT_THAT(planted(check_references, {source, {"docs/A.md", "`core/ROOM/x.hpp` `blocks/7` `/core/x`\n"}}),
              IsEmpty());
  EXPECT_THAT(planted(check_references, {source, {"docs/A.md", "`core/none/X_figure.cpp`\n"}}),
              ElementsAre("docs/A.md:1: core/none/X_figure.cpp: there is no such file or folder"));
}

}  // namespace
}  // namespace proffer::tidy
