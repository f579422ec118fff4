// The same job without a cluster, and the check of a command before anything starts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "live/worker/line_key.hpp"
#include "proffer/live/local_mapreduce.hpp"
#include "tests/live_store/temp_dir.hpp"

namespace proffer::live {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kTokenizeLines = "tr -s ' ' '\\n' | awk 'NF {print $1 \"\\t1\"}'";
constexpr auto kSumLines =
    "awk -F'\\t' '$1 != key {if (NR > 1) print key \"\\t\" n; key = $1; n = 0} {n += $2} END {if (NR) print "
    "key \"\\t\" n}'";

LocalJob word_count(const TempDir& dir) {
  LocalJob job;
  job.inputs = {dir.write("in/a", "to be or\nnot to be"), dir.write("in/b", "be\n")};
  job.output = dir / "out";
  job.mapper = kTokenizeLines;
  job.reducer = kSumLines;
  job.num_reduces = 3;
  return job;
}

TEST(LocalMapReduce, WordsAreCountedInTheirPartitions) {
  TempDir dir;
  const auto job = word_count(dir);
  ASSERT_TRUE(run_local_mapreduce(job).ok());
  EXPECT_THAT(TempDir::names_in(job.output),
              ElementsAre("_SUCCESS", "part-00000", "part-00001", "part-00002"));
  std::string all;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto part = TempDir::read(job.output + "/part-0000" + std::to_string(i));
    for (const auto* line : {"be\t3\n", "not\t1\n", "or\t1\n", "to\t2\n"}) {
      const bool here = part.find(line) != std::string::npos;
      EXPECT_EQ(here, partition_of(key_of(line), 3) == i) << line;
    }
    all += part;
  }
  EXPECT_EQ(all.size(), std::string("be\t3\nnot\t1\nor\t1\nto\t2\n").size());
}

TEST(LocalMapReduce, WithoutAReducerEachFileIsAPart) {
  TempDir dir;
  auto job = word_count(dir);
  job.inputs = {dir / "in"};
  job.mapper = "cat";
  job.reducer = "NONE";
  ASSERT_TRUE(run_local_mapreduce(job).ok());
  EXPECT_EQ(TempDir::read(job.output + "/part-00000"), "to be or\nnot to be");
  EXPECT_EQ(TempDir::read(job.output + "/part-00001"), "be\n");
}

TEST(LocalMapReduce, ShippedFilesAndVariablesAreThere) {
  TempDir dir;
  auto job = word_count(dir);
  job.files = {{"shout.sh", "#!/bin/sh\ntr a-z \"$TO\"\n", true}};
  job.env = {{"TO", "A-Z"}};
  job.mapper = "shout.sh";
  job.reducer = "NONE";
  ASSERT_TRUE(run_local_mapreduce(job).ok());
  EXPECT_EQ(TempDir::read(job.output + "/part-00001"), "BE\n");
}

std::string refusal(const LocalJob& job) {
  const auto done = run_local_mapreduce(job);
  return done ? "done" : done.error().message;
}

TEST(LocalMapReduce, WhatCannotBeDoneLeavesNothingBehind) {
  TempDir dir;
  auto job = word_count(dir);
  auto failing = job;
  failing.mapper = "exit 3";
  EXPECT_EQ(refusal(failing), "the mapper ended with exit code 3");
  failing = job;
  failing.reducer = "kill -9 $$";
  EXPECT_EQ(refusal(failing), "the reducer ended with signal 9");
  failing = job;
  failing.inputs = {dir / "nothing"};
  EXPECT_THAT(refusal(failing), HasSubstr("does not exist"));
  std::filesystem::create_directory(dir / "taken");
  failing = job;
  failing.output = dir / "taken";
  EXPECT_THAT(refusal(failing), HasSubstr("exists"));
  EXPECT_THAT(TempDir::names_in(dir / ""), ElementsAre("in", "taken"));
}

std::string verdict(const std::string& command, const std::vector<ShippedFile>& files = {}) {
  const auto checked = check_command("mapper", command, files);
  return checked ? "fine" : checked.error().message;
}

TEST(CheckCommand, WhatTheShellCanRunIsFine) {
  for (const auto* command : {"cat", "/bin/cat -n", "  grep x | sort", "echo", "FOO=1 whatever", "\"a b\"",
                              "$MAPPER", "(cat; cat)", "cat;cat", "while read x; do :; done", ""}) {
    EXPECT_EQ(verdict(command), "fine") << command;
  }
}

TEST(CheckCommand, APathThatCannotRunIsRefusedInOneSentence) {
  TempDir dir;
  const auto script = dir.write("script.sh", "#!/bin/sh\ncat\n");
  EXPECT_EQ(verdict(script), "the mapper " + script + " is not executable");
  EXPECT_EQ(verdict((dir / "none") + " -x"), "the mapper " + (dir / "none") + " does not exist");
  EXPECT_EQ(verdict((dir / "") + "|cat"), "the mapper " + (dir / "") + " is a folder");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_EQ(verdict(script + " x"), "fine");
}

TEST(CheckCommand, APlainNameMustBeShippedOrOnPath) {
  EXPECT_EQ(verdict("no-such-command-here"), "the mapper no-such-command-here is not a command on PATH");
  EXPECT_EQ(verdict("mine.py", {{"mine.py", "", true}}), "fine");
  EXPECT_EQ(verdict("./mine.py", {{"mine.py", "", true}}), "fine");
  EXPECT_EQ(verdict("mine.py", {{"mine.py", "", false}}),
            "the mapper mine.py is shipped, but is not executable");
}

TEST(CheckCommand, ARelativePathMustBeShipped) {
  TempDir dir;
  const auto script = dir.write("script.sh", "#!/bin/sh\ncat\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto relative = std::filesystem::relative(script).string();
  EXPECT_THAT(verdict(relative), HasSubstr("ship it with -file " + relative));
  EXPECT_EQ(verdict("./script.sh", {{"script.sh", "", true}}), "fine");
}

}  // namespace
}  // namespace proffer::live
