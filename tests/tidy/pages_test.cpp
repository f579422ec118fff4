#include "tests/tidy/planted.hpp"

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Pages, ALongLineIsCaught) {
  EXPECT_THAT(planted(check_pages, "docs/A.md", std::string(120, 'a') + "\n"), IsEmpty());
  EXPECT_THAT(planted(check_pages, "docs/A.md", "a\n" + std::string(121, 'a') + "\n"),
              ElementsAre("docs/A.md:2: 121 columns; lines of pages end before 121"));
}

TEST(Pages, LettersCountAndNotTheirBytes) {
  std::string line;
  for (int i = 0; i < 120; ++i) line += "λ";
  EXPECT_THAT(planted(check_pages, "docs/A.md", line + "\n"), IsEmpty());
}

TEST(Pages, RowsOfTablesAndFencesMayBeLong) {
  const std::string wide(190, 'a');
  EXPECT_THAT(planted(check_pages, "docs/A.md", "| " + wide + " | b |\n```text\n" + wide + "\n```\n"),
              IsEmpty());
}

TEST(Pages, AWideCellIsCaught) {
  EXPECT_THAT(planted(check_pages, "README.md", "| a | " + std::string(201, 'b') + " |\n"),
              ElementsAre("README.md:1: a cell of 201 characters; beyond 200 say it below the table"));
}

TEST(Pages, WhatIsNotOursMayBeAsItIs) {
  EXPECT_THAT(planted(check_pages, "third_party/js/README.md", std::string(300, 'a') + "\n"), IsEmpty());
}

}  // namespace
}  // namespace proffer::tidy
