// Keys, order, the external sort and the merge; coreutils' sort is the judge.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "live/worker/line_counter.hpp"
#include "live/worker/line_key.hpp"
#include "live/worker/line_merge.hpp"
#include "live/worker/line_sorter.hpp"
#include "live/worker/line_splitter.hpp"
#include "proffer/random.hpp"
#include "tests/live_store/temp_dir.hpp"

namespace proffer::live {
namespace {

using testing::ElementsAre;

std::vector<std::string> split(const std::vector<std::string>& pieces) {
  LineSplitter splitter;
  std::vector<std::string> lines;
  const auto keep = [&lines](std::string_view line) {
    lines.emplace_back(line);
    return Result<>();
  };
  for (const auto& piece : pieces) EXPECT_TRUE(splitter.add(piece, keep).ok());
  EXPECT_TRUE(splitter.finish(keep).ok());
  return lines;
}

TEST(LineSplitter, LinesAreWholeWhereverPiecesEnd) {
  EXPECT_THAT(split({"a", "b\nc\n\nd", "\r\ne"}), ElementsAre("ab", "c", "", "d\r", "e"));
  EXPECT_THAT(split({"a\n"}), ElementsAre("a"));
  EXPECT_THAT(split({}), ElementsAre());
  EXPECT_THAT(split({std::string("\0\n", 2)}), ElementsAre(std::string("\0", 1)));
}

TEST(LineCounter, TheRestAfterTheLastLineFeedIsALine) {
  LineCounter counter;
  counter.add("a\nb\nc");
  EXPECT_EQ(counter.count(), 3u);
  counter.add("\n");
  EXPECT_EQ(counter.count(), 3u);
}

TEST(LineKey, AKeyEndsAtTheFirstTab) {
  EXPECT_EQ(key_of("a\tb\tc"), "a");
  EXPECT_EQ(key_of("whole line"), "whole line");
  EXPECT_EQ(key_of("\tempty"), "");
}

// zlib.crc32(b"...") % n of Python.
TEST(LineKey, PartitionsAreTheSameInEveryLanguage) {
  EXPECT_EQ(partition_of("123456789", 1000), 0xCBF43926u % 1000);
  EXPECT_EQ(partition_of("", 7), 0u);
  EXPECT_EQ(partition_of("the", 4), 0x3C456DE6u % 4);
}

TEST(LineKey, LinesAreOrderedByKeyThenAsAWhole) {
  const auto before = [](const std::string& a, const std::string& b) {
    return line_before(a, key_of(a).size(), b, key_of(b).size());
  };
  EXPECT_TRUE(before("a\tz", "a\x01\ta"));  // by key, though a tab is greater than \x01
  EXPECT_TRUE(before("a\ta", "a\tb"));
  EXPECT_TRUE(before("a", "\xff"));
  EXPECT_FALSE(before("a", "a"));
}

/// Lines with few and many keys, empty ones, zero bytes, bytes above 127 and carriage returns.
std::vector<std::string> wild_lines(std::size_t count) {
  Random random(7);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < count; ++i) {
    std::string line;
    for (auto n = random.below(20); n > 0; --n) {
      line.push_back("ab\t\r\x80\xff \0zA"[random.below(10)]);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

/// What coreutils make of them.
std::string sorted_by_coreutils(const TempDir& dir, const std::string& text) {
  const auto in = dir.write("in", text);
  const auto out = dir / "out";
  const auto command = "LC_ALL=C sort -t '\t' -k1,1 '" + in + "' > '" + out + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  return TempDir::read(out);
}

std::string read_all(const LineSorter& sorter, std::uint32_t partition) {
  std::string text;
  const auto read = sorter.read(partition, [&text](std::string_view line) {
    text.append(line).push_back('\n');
    return Result<>();
  });
  EXPECT_TRUE(read.ok());
  return text;
}

TEST(LineSorter, MillionsOfBytesInATinyBudgetComeOutAsFromCoreutils) {
  TempDir dir;
  const auto lines = wild_lines(200'000);
  LineSorter sorter(dir / "", 256 << 10, 1);
  for (const auto& line : lines) ASSERT_TRUE(sorter.add(0, line).ok());
  ASSERT_TRUE(sorter.finish().ok());
  EXPECT_GT(sorter.spills(), 10u);
  EXPECT_TRUE(read_all(sorter, 0) == sorted_by_coreutils(dir, joined(lines)));
}

TEST(LineSorter, WhatFitsIntoMemoryIsNotSpilled) {
  TempDir dir;
  const auto lines = wild_lines(1000);
  LineSorter sorter("/nowhere", 64 << 20, 1);
  for (const auto& line : lines) ASSERT_TRUE(sorter.add(0, line).ok());
  ASSERT_TRUE(sorter.finish().ok());
  EXPECT_EQ(sorter.spills(), 0u);
  EXPECT_TRUE(read_all(sorter, 0) == sorted_by_coreutils(dir, joined(lines)));
}

TEST(LineSorter, PartitionsStayApartWithAndWithoutSpills) {
  TempDir dir;
  for (const std::size_t budget : {std::size_t{100}, std::size_t{1} << 20}) {
    LineSorter sorter(dir / "", budget, 3);
    for (const auto* line : {"b", "a", "c"}) {
      ASSERT_TRUE(sorter.add(2, line).ok());
      ASSERT_TRUE(sorter.add(0, std::string(line) + "0").ok());
    }
    ASSERT_TRUE(sorter.finish().ok());
    EXPECT_EQ(read_all(sorter, 0), "a0\nb0\nc0\n");
    EXPECT_EQ(read_all(sorter, 1), "");
    EXPECT_EQ(read_all(sorter, 2), "a\nb\nc\n");
  }
}

TEST(LineSorter, ALineLongerThanTheBudgetIsHeldNevertheless) {
  TempDir dir;
  LineSorter sorter(dir / "", 1000, 1);
  const std::string large(100'000, 'x');
  ASSERT_TRUE(sorter.add(0, large).ok());
  ASSERT_TRUE(sorter.add(0, "a").ok());
  ASSERT_TRUE(sorter.finish().ok());
  EXPECT_EQ(read_all(sorter, 0), "a\n" + large + "\n");
}

TEST(LineSorter, ADiskThatTakesNothingIsAnError) {
  LineSorter sorter("/nowhere", 1, 1);
  ASSERT_TRUE(sorter.add(0, "a").ok());
  EXPECT_EQ(sorter.add(0, "b").error().code, ErrorCode::not_found);
}

TEST(MergeLines, MoreRunsThanCanBeReadAtOnceAreMergedInPasses) {
  TempDir dir;
  auto file = OpenFile::nameless(dir / "");
  ASSERT_TRUE(file.ok());
  FileAppender all(std::move(*file));
  std::vector<LineRun> runs;
  for (int i = 0; i < 1000; ++i) {
    const auto begin = all.size();
    for (const auto* end : {"a", "z"}) {
      ASSERT_TRUE(all.append_line(std::to_string(i * 7919 % 1000) + "\t" + end).ok());
    }
    runs.push_back({&all.file(), begin, all.size() - begin});
  }
  ASSERT_TRUE(all.flush().ok());
  std::vector<std::string> merged;
  ASSERT_TRUE(merge_lines(runs, dir / "", [&merged](std::string_view line) {
                merged.emplace_back(line);
                return Result<>();
              }).ok());
  EXPECT_TRUE(joined(merged) == sorted_by_coreutils(dir, joined(merged)));
  EXPECT_EQ(merged.size(), 2000u);
}

TEST(MergeLines, ARunThatEndsWithinALineIsBroken) {
  TempDir dir;
  const auto file = OpenFile::to_read(dir.write("run", "a\nb"));
  const auto merged = merge_lines({{&*file, 0, 3}}, dir / "", [](std::string_view) { return Result<>(); });
  EXPECT_EQ(merged.error().code, ErrorCode::corrupt);
}

TEST(MergeLines, TheFirstErrorOfTheSinkEndsIt) {
  TempDir dir;
  const auto file = OpenFile::to_read(dir.write("run", "a\nb\n"));
  int lines = 0;
  const auto merged = merge_lines({{&*file, 0, 4}}, dir / "", [&lines](std::string_view) -> Result<> {
    ++lines;
    return Error{ErrorCode::refused, "enough"};
  });
  EXPECT_EQ(merged.error().message, "enough");
  EXPECT_EQ(lines, 1);
}

}  // namespace
}  // namespace proffer::live
