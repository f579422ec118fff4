// What the command line says to words that it does not know, and to those who ask for help.
#include <gmock/gmock.h>

#include "cluster.hpp"

namespace proffer {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::proffer;
using ::testing::StartsWith;

/// What is said to words that are wrong usage.
std::string complaint(const std::vector<std::string>& words) {
  const auto ran = proffer(words);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, "");
  return ran.err;
}

std::string help(const std::vector<std::string>& words) {
  const auto ran = proffer(words);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return ran.out;
}

TEST(Words, ACommandThatIsNotThereIsNamedWithTheNearest) {
  EXPECT_EQ(complaint({"stauts"}), "proffer: there is no command stauts; did you mean status?\n");
  EXPECT_EQ(complaint({"frobnicate"}), "proffer: there is no command frobnicate; see proffer --help\n");
  EXPECT_EQ(complaint({"help", "stauts"}), "proffer: there is no command stauts; did you mean status?\n");
}

TEST(Words, ACommandOfAGroupThatIsNotThereIsNamedWithThoseThatAre) {
  EXPECT_EQ(complaint({"policy", "lst"}),
            "proffer: policy has no command lst; there are list, show, new, bench; did you mean list?\n");
  EXPECT_EQ(complaint({"job", "show"}),
            "proffer: job has no command show; there are kill, move, attach, list\n");
}

TEST(Words, AnOptionThatIsNotThereIsNamedWithTheNearestInTheSameSpelling) {
  EXPECT_EQ(complaint({"dev", "--nodez", "3"}),
            "proffer: dev has no option --nodez; did you mean --nodes?\n");
  EXPECT_EQ(complaint({"mr", "-input", "i", "-output", "o", "-maper", "cat"}),
            "proffer: mr has no option -maper; did you mean -mapper?\n");
  EXPECT_EQ(complaint({"status", "--frobnicate=3"}),
            "proffer: status has no option --frobnicate; see proffer status --help\n");
  EXPECT_EQ(complaint({"--versoin"}), "proffer: proffer has no option --versoin; did you mean --version?\n");
}

TEST(Words, HadoopsOptionForSettingsIsAnsweredWithWhatIsThereForIt) {
  EXPECT_THAT(complaint({"mr", "-D", "mapred.reduce.tasks=3"}), HasSubstr("-numReduceTasks"));
}

TEST(Words, WhatAnOptionTakesIsNoOption) {
  const auto ran = proffer({"mr", "-input", "i", "-output", "o", "-mapper", "--no-such-program"});
  EXPECT_THAT(ran.err, Not(HasSubstr("has no option")));
}

TEST(Words, AValueThatIsNotThereIsNamedWithThoseThatAre) {
  EXPECT_EQ(complaint({"status", "-o", "csv"}),
            "proffer: csv is of one list; try proffer agents list -o csv\n");
  EXPECT_EQ(complaint({"status", "-o", "xml"}),
            "proffer: --output-format: xml is wrong: there are table, wide, json, jsonl, csv\n");
  EXPECT_EQ(
      complaint({"why", "farmework", "x"}),
      "proffer: KIND: farmework is wrong: there are job, task, framework, pool; did you mean framework?\n");
  EXPECT_EQ(complaint({"run", "-n", "--", "true"}),
            "proffer: --tasks: -- is wrong: write a whole number from 1 to 1000000\n");
}

TEST(Words, WhatIsMissingIsSaid) {
  EXPECT_EQ(complaint({"run"}), "proffer: run needs COMMAND; see proffer run --help\n");
  EXPECT_EQ(complaint({"put", "a"}), "proffer: put needs STORE; see proffer put --help\n");
  EXPECT_EQ(complaint({"policy", "bench", "wait"}),
            "proffer: policy bench needs --on; see proffer policy bench --help\n");
}

TEST(Words, MoreThanIsTakenIsSaid) {
  EXPECT_EQ(complaint({"ui", "now"}), "proffer: ui does not take now; see proffer ui --help\n");
}

TEST(Words, WithoutACommandTheHelpIsShown) {
  for (const auto& words : {std::vector<std::string>{}, {"policy"}}) {
    const auto ran = proffer(words);
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.out, HasSubstr(words.empty() ? "First steps" : "bench"));
    EXPECT_EQ(ran.err, "");
  }
}

TEST(Words, HelpAndVersionAreCommandsToo) {
  EXPECT_EQ(help({"help"}), help({"--help"}));
  EXPECT_EQ(help({"help", "run"}), help({"run", "--help"}));
  EXPECT_EQ(help({"help", "policy", "new"}), help({"policy", "new", "--help"}));
  EXPECT_EQ(help({"version"}), help({"--version"}));
}

TEST(Words, OnlyTheHelpOfProfferItselfEndsWithFirstSteps) {
  EXPECT_THAT(help({"--help"}), AllOf(HasSubstr("First steps"), HasSubstr("Exit codes")));
  EXPECT_THAT(help({"rm", "--help"}), Not(HasSubstr("First steps")));
  EXPECT_THAT(help({"policy", "list", "--help"}), Not(HasSubstr("First steps")));
}

TEST(Words, UsageIsWhatOneTypes) {
  EXPECT_THAT(help({"put", "--help"}), HasSubstr("Usage: proffer put [OPTIONS] LOCAL STORE\n"));
  EXPECT_THAT(help({"why", "--help"}), HasSubstr("Usage: proffer why [OPTIONS] KIND ID\n"));
  EXPECT_THAT(help({"mr", "--help"}), Not(HasSubstr("Excludes")));
  EXPECT_THAT(help({"dev", "--help"}), AllOf(HasSubstr("--nodes N=4"), Not(HasSubstr(" in ["))));
  EXPECT_THAT(help({"mr", "--help"}), HasSubstr("--order fair|fifo|capacity|deadline=fair"));
}

}  // namespace
}  // namespace proffer
