#include "tests/tidy/planted.hpp"

namespace proffer::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Text, PathsOfOneMachineAreCaughtInAnyFile) {
  const auto path = std::string("/wo") + "rk/";
  EXPECT_THAT(planted(check_text, "docs/A.md", "see\n`" + path + "main`\n"),
              ElementsAre("docs/A.md:2: " + path + " is a path of one machine; take it as a setting"));
  EXPECT_THAT(planted(check_text, "scripts/x.sh", "cd $HOME" + path + " tests" + path), IsEmpty());
}

TEST(Text, NotesForLaterAreCaught) {
  const auto note = std::string("TO") + "DO";
  EXPECT_THAT(planted(check_text, "agent/x.cpp", "// " + note + ": more\n"),
              ElementsAre("agent/x.cpp:1: " + note + ": do it now, or write an issue"));
  EXPECT_THAT(planted(check_text, "agent/x.cpp", "int " + note + "S;\n"), IsEmpty());
}

TEST(Text, CommentsThatAreTooWideAreCaught) {
  const auto caught = ElementsAre("agent/x.cpp:2: a comment of 111 columns; wrap it at 110");
  const std::string fits(107, 'x');
  EXPECT_THAT(planted(check_text, "agent/x.cpp", "\n// " + fits + "x\n"), caught);
  EXPECT_THAT(planted(check_text, "agent/x.cpp", "\nint i;  // " + fits.substr(8) + "x\n"), caught);
  EXPECT_THAT(planted(check_text, "agent/x.cpp", "// " + fits + "\n"), IsEmpty());
  EXPECT_THAT(planted(check_text, "agent/x.cpp", "// \u00a7" + fits.substr(1) + "\n"), IsEmpty());
  EXPECT_THAT(planted(check_text, "agent/x.cpp", "auto s = \"//" + fits + "\";\n"), IsEmpty());
  EXPECT_THAT(planted(check_text, "docs/A.md", "// " + fits + "x\n"), IsEmpty());
}

TEST(Built, ASourceWithoutATargetIsCaught) {
  const Tree tree{
      {"agent/a.cpp", ""}, {"agent/lost_main.cpp", ""}, {"agent/a.hpp", ""}, {"scripts/x.sh", ""}};
  EXPECT_THAT(
      said(check_all_built(tree, {"agent/a.cpp"})),
      ElementsAre("agent/lost_main.cpp:1: no target builds this source; configure again if it is new, else "
                  "delete it"));
}

}  // namespace
}  // namespace proffer::tidy
