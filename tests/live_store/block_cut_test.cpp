// Where files are cut, and that every record belongs to exactly one block.
#include "live/store/block_cut.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace proffer::live {
namespace {

struct Cut {
  std::string bytes;
  std::uint64_t first_record = 0;
};

/// As a FileWriter cuts.
std::vector<Cut> cut(std::string text, std::uint64_t block_bytes) {
  std::vector<Cut> blocks;
  bool after_line_end = true;
  while (!text.empty()) {
    const auto end = text.size() > block_bytes ? block_end(text, block_bytes) : text.size();
    blocks.push_back({text.substr(0, end), first_record_in(text.substr(0, end), after_line_end)});
    after_line_end = blocks.back().bytes.back() == '\n';
    text.erase(0, end);
  }
  return blocks;
}

/// As a map reads: from the first record of its block, and on into the next blocks for the last one.
std::vector<std::string> records_of(const std::vector<Cut>& blocks, std::size_t index) {
  std::string text = blocks[index].bytes.substr(blocks[index].first_record);
  for (auto next = index + 1; next < blocks.size() && !text.empty() && text.back() != '\n'; ++next) {
    text += blocks[next].bytes.substr(0, blocks[next].first_record);
    if (blocks[next].first_record < blocks[next].bytes.size()) break;
  }
  std::vector<std::string> records;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    records.push_back(text.substr(0, end));
    text.erase(0, end);
  }
  return records;
}

std::vector<std::string> lines_of(const std::string& text) { return records_of({{text, 0}}, 0); }

void expect_every_record_once(const std::string& text, std::uint64_t block_bytes) {
  const auto blocks = cut(text, block_bytes);
  std::string joined;
  std::vector<std::string> records;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_LE(blocks[i].bytes.size(), block_bytes);
    joined += blocks[i].bytes;
    for (auto& record : records_of(blocks, i)) records.push_back(record);
  }
  EXPECT_EQ(joined, text);
  EXPECT_EQ(records, lines_of(text)) << "in blocks of " << block_bytes;
}

TEST(BlockCut, EndsAtTheLastLineEndInTheWindow) {
  EXPECT_EQ(block_end("ab\ncd\nefgh", 8), 6u);
  EXPECT_EQ(block_end("ab\ncdefg\nh", 9), 9u) << "a line that just fits";
  EXPECT_EQ(block_end("abcdefghij", 4), 4u) << "no line end at all";
}

TEST(BlockCut, LineEndBeforeTheWindowIsNoPlaceToCut) {
  const std::string text = "x\n" + std::string(kCutWindow, 'y') + "z";
  EXPECT_EQ(block_end(text, text.size() - 1), text.size() - 1);
  EXPECT_EQ(block_end(text, text.size() - 2), 2u) << "here it is in the window";
}

TEST(BlockCut, FirstRecordBeginsAfterTheRestOfTheLastOne) {
  EXPECT_EQ(first_record_in("abc\ndef", true), 0u);
  EXPECT_EQ(first_record_in("abc\ndef", false), 4u);
  EXPECT_EQ(first_record_in("abc\n", false), 4u) << "none begins here";
  EXPECT_EQ(first_record_in("abcdef", false), 6u) << "nor here, the record is longer";
  EXPECT_EQ(first_record_in("\nabc", false), 1u);
}

TEST(BlockCut, EveryRecordBelongsToExactlyOneBlock) {
  const std::string odd =
      "a\r\nbb\r\n\r\n\nccc" + std::string(40, 'x') + "\nd\n\n" + std::string(90, 'y') + "\nlast";
  for (std::uint64_t block_bytes = 1; block_bytes <= odd.size() + 1; ++block_bytes) {
    expect_every_record_once(odd, block_bytes);
    expect_every_record_once(odd + "\n", block_bytes);
  }
}

TEST(BlockCut, RecordsLongerThanBlocksAreKeptWhole) {
  const std::string text = "s\n" + std::string(3 * kCutWindow, 'l') + "\nt\n";
  for (const std::uint64_t block_bytes : {kCutWindow - 1, kCutWindow, kCutWindow + 1, 2 * kCutWindow}) {
    expect_every_record_once(text, block_bytes);
  }
}

TEST(BlockCut, FileThatFitsIsOneBlockAndAnEmptyOneHasNone) {
  EXPECT_EQ(cut("a\nbcd", 5).size(), 1u);
  EXPECT_EQ(cut("a\nbcd", 4).size(), 2u);
  EXPECT_TRUE(cut("", 4).empty());
}

}  // namespace
}  // namespace proffer::live
