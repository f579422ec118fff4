#include "tests/tidy/planted.hpp"

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kBugCode = "int f() {\n  keep();\n  return 1;\n}\n";
const std::string kBugPatch =
    "Plants: nothing is kept\n"
    "\n"
    "diff --git a/agent/a.cpp b/agent/a.cpp\n"
    "--- a/agent/a.cpp\n"
    "+++ b/agent/a.cpp\n"
    "@@ -1,3 +1,2 @@\n"
    " int f() {\n"
    "-  keep();\n"
    "   return 1;\n";
const std::string kBugPage = "| bug | seed |\n|---|---|\n| `kept-not` | 7 |\n";

std::vector<std::string> found_in(const std::string& code, const std::string& patch,
                                  const std::string& page) {
  return planted(
      check_bugs,
      {{"agent/a.cpp", code}, {"tests/planted/kept-not.patch", patch}, {"docs/FAILURES.md", page}});
}

TEST(Bugs, APatchThatAppliesIsLeftAlone) { EXPECT_THAT(found_in(kBugCode, kBugPatch, kBugPage), IsEmpty()); }

TEST(Bugs, LinesThatHaveMovedMatterNot) {
  EXPECT_THAT(found_in("\n\n" + kBugCode, kBugPatch, kBugPage), IsEmpty());
}

TEST(Bugs, APatchThatAppliesNoMoreIsCaught) {
  EXPECT_THAT(
      found_in("int f() {\n  hold();\n  return 1;\n}\n", kBugPatch, kBugPage),
      ElementsAre("tests/planted/kept-not.patch:6: does not apply to agent/a.cpp any more: plant the bug "
                  "anew, and write the patch with git diff"));
}

TEST(Bugs, APatchOfAFileThatIsGoneIsCaught) {
  EXPECT_THAT(
      planted(check_bugs, {{"tests/planted/kept-not.patch", kBugPatch}, {"docs/FAILURES.md", kBugPage}}),
      ElementsAre("tests/planted/kept-not.patch:6: does not apply to agent/a.cpp any more: plant the bug "
                  "anew, and write the patch with git diff"));
}

TEST(Bugs, APatchWithoutADescriptionIsCaught) {
  EXPECT_THAT(
      found_in(kBugCode, kBugPatch.substr(kBugPatch.find('\n')), kBugPage),
      ElementsAre("tests/planted/kept-not.patch:1: its first line says what it does: \"Plants: ...\""));
}

TEST(Bugs, APatchOfNothingIsCaught) {
  EXPECT_THAT(found_in(kBugCode, "Plants: nothing\n", kBugPage),
              ElementsAre("tests/planted/kept-not.patch:1: a patch that changes nothing"));
}

TEST(Bugs, ABugThatThePageDoesNotTellIsCaught) {
  EXPECT_THAT(found_in(kBugCode, kBugPatch, kBugPage + "\n| what | seen |\n|---|---|\n| a | b |\n"),
              ElementsAre("tests/planted/kept-not.patch:1: not in the last table of docs/FAILURES.md"));
}

TEST(Bugs, ABugThatThereIsNotIsCaught) {
  EXPECT_THAT(found_in(kBugCode, kBugPatch, kBugPage + "| `other` | 8 |\n"),
              ElementsAre("docs/FAILURES.md:4: tests/planted/ has no bug 'other'"));
}

}  // namespace
}  // namespace proffer::tidy
