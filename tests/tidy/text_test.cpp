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
