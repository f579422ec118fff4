// Which words of a page are commands.
#include "commands.hpp"

#include <gmock/gmock.h>

namespace proffer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> keys(const std::vector<Command>& commands) {
  std::vector<std::string> all;
  for (const auto& command : commands) all.push_back(command.key);
  return all;
}

TEST(Commands, OfAPageStandInIndentedBlocksWithoutTheirComments) {
  EXPECT_THAT(keys(commands_of_page("Text\n\n    make   # builds\n    a && b\n\ntext")),
              ElementsAre("make", "a && b"));
}

TEST(Commands, LinesThatAreIndentedFurtherGoOn) {
  const auto commands = commands_of_page("\n    mr -input x \\\n       -output y  # all\n    next\n");
  EXPECT_THAT(keys(commands), ElementsAre("mr -input x -output y", "next"));
  EXPECT_EQ(commands[0].text, "mr -input x \\\n   -output y  # all");
  EXPECT_TRUE(commands[0].begins);
  EXPECT_FALSE(commands[1].begins);
}

TEST(Commands, FencesWithALanguageHaveNone) {
  EXPECT_THAT(commands_of_page("```toml\na = 1\n```\n```text\n    b\n```\n"), IsEmpty());
  EXPECT_THAT(keys(commands_of_page("```sh\nls\n```\n\n```\npwd\n```\n")), ElementsAre("ls", "pwd"));
}

TEST(Commands, LinesOfAListAreNone) {
  EXPECT_THAT(commands_of_page("- a point\n    that goes on\n"), IsEmpty());
}

TEST(Commands, ExamplesOfAHelpAreFoundWithoutRemarks) {
  EXPECT_THAT(
      keys(examples_of_help("proffer - a scheduler\nUsage: proffer mr\nExample: proffer mr -input a \\\n"
                            "            -output b\n  proffer run -- ls          lists\n")),
      ElementsAre("proffer mr -input a -output b", "proffer run -- ls"));
}

TEST(Commands, BelowAHelpAreThoseThatItLists) {
  EXPECT_THAT(commands_below("Usage: proffer pool [OPTIONS] SUBCOMMAND\n\nOptions:\n  -h,--help   Help\n\n"
                             "Subcommands:\n  list       Pools\n  rm         Remove\n             one\n"),
              ElementsAre("list", "rm"));
  EXPECT_THAT(commands_below("Usage: proffer ls\n\n  list       Pools\n"), IsEmpty());
}

}  // namespace
}  // namespace proffer::testing
