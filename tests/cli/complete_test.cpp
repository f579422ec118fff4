// Completion of a command line.
#include "cli/complete.hpp"

#include <gmock/gmock.h>

namespace proffer::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CommandWords root() {
  CommandWords mr{"mr", {{{"--mapper"}, true}, {{"--map-things"}, true}, {{"--quiet", "-q"}, false}}, {}};
  CommandWords move{"move", {}, {}};
  move.arguments = {{"FRAMEWORK", "", true, false}, {"POOL", "", true, false}};
  CommandWords framework{"framework", {}, {move}};
  CommandWords run{"run", {{{"--order"}, true, "fair|fifo", {"fair", "fifo"}}, {{"--pool"}, true}}, {}};
  run.arguments = {{"COMMAND", "", false, true}};
  CommandWords secret{"secret", {}, {}, true};
  return {"proffer", {{{"--help", "-h"}, false}}, {mr, framework, run, secret}};
}

std::vector<std::string> words_for(std::vector<std::string> typed) {
  std::vector<std::string> words;
  for (auto& candidate : complete(root(), std::move(typed)).candidates) words.push_back(candidate.word);
  return words;
}

TEST(Complete, TheFirstWordIsACommandThatPeopleSee) {
  EXPECT_THAT(words_for({""}), ElementsAre("mr", "framework", "run", "help"));
  EXPECT_THAT(words_for({"fr"}), ElementsAre("framework"));
  EXPECT_THAT(words_for({"framework", ""}), ElementsAre("move"));
  EXPECT_THAT(words_for({"help", "r"}), ElementsAre("run"));
}

TEST(Complete, OptionsAreThoseOfTheCommand) {
  EXPECT_THAT(words_for({"run", "--o"}), ElementsAre("--order"));
  EXPECT_THAT(words_for({"-"}), ElementsAre("--help", "-h"));
  EXPECT_THAT(words_for({"mr", "--map"}), ElementsAre("--mapper", "--map-things"));
  EXPECT_THAT(words_for({"mr", "-map"}), ElementsAre("-mapper", "-map-things")) << "as Hadoop writes them";
}

TEST(Complete, ValuesAreTheChoicesOfTheirOption) {
  EXPECT_THAT(words_for({"run", "--order", ""}), ElementsAre("fair", "fifo"));
  EXPECT_THAT(words_for({"run", "--order=fi"}), ElementsAre("--order=fifo"));
  EXPECT_THAT(words_for({"run", "--order", "=", "fi"}), ElementsAre("fifo")) << "as bash splits it";
  EXPECT_THAT(words_for({"run", "--order", "="}), ElementsAre("fair", "fifo"));
  EXPECT_THAT(words_for({"mr", "-mapper", "-q"}), IsEmpty()) << "any text";
}

TEST(Complete, NounsSayWhoseNamesAreWanted) {
  EXPECT_EQ(complete(root(), {"framework", "move", ""}).noun, Noun::framework);
  EXPECT_EQ(complete(root(), {"framework", "move", "hadoop", ""}).noun, Noun::pool);
  EXPECT_EQ(complete(root(), {"framework", "move", "hadoop", "p", ""}).noun, Noun::none);
  EXPECT_EQ(complete(root(), {"run", "--pool", "re"}).noun, Noun::pool);
}

TEST(Complete, WhatFollowsTwoDashesIsSomebodyElses) {
  EXPECT_THAT(words_for({"run", "--", "--o"}), IsEmpty());
  EXPECT_THAT(words_for({"run", "cmd", "ru"}), IsEmpty());
}

}  // namespace
}  // namespace proffer::cli
