// Man pages.
#include "cli/man_page.hpp"

#include <gmock/gmock.h>

namespace proffer::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

CommandWords known() {
  CommandWords made{"new", {}, {}};
  made.arguments = {{"NAME", "Its name: a-z\n.and a dot", true, true}};
  CommandWords policy{
      "policy", {{{"--level", "-l"}, true, "N", {}, "3", "PROFFER_LEVEL", "How far \\ up"}}, {made}};
  policy.help = "Decline policies";
  CommandWords secret{"secret", {}, {}, true};
  return {"proffer", {}, {policy, secret}};
}

TEST(ManPages, ThereIsOneForEachCommandThatPeopleSee) {
  const auto pages = man_pages(known(), "0.1");
  ASSERT_THAT(pages, SizeIs(3));
  EXPECT_EQ(pages[0].name, "proffer");
  EXPECT_EQ(pages[1].name, "proffer-policy");
  EXPECT_EQ(pages[2].name, "proffer-policy-new");
  EXPECT_THAT(pages[0].text, HasSubstr("proffer\\-policy\\fR(1)\nDecline policies\n"));
  EXPECT_THAT(pages[0].text, Not(HasSubstr("secret")));
}

TEST(ManPages, SayWhatTheHelpSays) {
  const auto pages = man_pages(known(), "0.1");
  EXPECT_THAT(pages[1].text, HasSubstr(".SH NAME\nproffer\\-policy \\- Decline policies\n"));
  EXPECT_THAT(pages[1].text,
              HasSubstr("\\fB\\-\\-level\\fR, \\fB\\-l\\fR N\nHow far \\e up\n.br\nDefault: 3.\n"
                        ".br\nEnvironment: \\fBPROFFER_LEVEL\\fR.\n"));
  EXPECT_THAT(pages[2].text, HasSubstr(".B proffer policy new\n[OPTIONS] NAME...\n"));
  EXPECT_THAT(pages[2].text, HasSubstr("Its name: a\\-z\n\\&.and a dot\n")) << "a dot begins no request";
}

}  // namespace
}  // namespace proffer::cli
