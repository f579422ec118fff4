// Every image of a store of records that a crash of its host may leave: each gives what was there after some
// change, and never less than what was durable before the change that was under way.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/live_store/record_history.hpp"

namespace proffer::live {
namespace {

constexpr std::size_t kChanges = 200;
constexpr std::size_t kSector = 512;  // the least that a disk writes as a whole
constexpr std::size_t kShares = 4;    // tests that divide the images among them: opening all takes long

/// The bytes of a store's files at one moment.
struct Files {
  std::string main;
  std::string wal;
};

Files read_files(const std::string& path) { return {TempDir::read(path), TempDir::read(path + "-wal")}; }

/// `after` up to `cut`, and then what was there before.
std::string torn(const std::string& before, const std::string& after, std::size_t cut) {
  auto bytes = after.substr(0, cut);
  if (before.size() > cut) bytes += before.substr(cut);
  return bytes;
}

/// `after`, but for the sector at `at`, which never reached the disk.
std::string with_lost_sector(const std::string& before, const std::string& after, std::size_t at) {
  auto bytes = after;
  const auto size = std::min(kSector, after.size() - at);
  auto old = at < before.size() ? before.substr(at, size) : std::string();
  old.resize(size, '\0');
  return bytes.replace(at, size, old);
}

/// The part of a file in which it differs from before.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};
Span change_of(const std::string& before, const std::string& after) {
  Span span{0, after.size()};
  const auto same = std::min(before.size(), after.size());
  while (span.begin < same && before[span.begin] == after[span.begin]) ++span.begin;
  if (before.size() != after.size()) return span;
  while (span.end > span.begin && before[span.end - 1] == after[span.end - 1]) --span.end;
  return span;
}

struct RecordCrash : testing::TestWithParam<std::size_t> {
  History history{kChanges, 11};
  ImageFolder images;
  std::size_t seen = 0;
  std::size_t opened = 0;
  std::size_t refused = 0;
  std::size_t undone = 0;  // gave what was there before the change under way

  /// True for the images of this test's share. Asked before an image is made, which takes long as well.
  bool is_ours() { return seen++ % kShares == GetParam(); }

  /// An image of the time when change number `at` was under way: what was there before it, or after it.
  void expect_before_or_after(const Files& image, std::size_t at, const std::string& what) {
    const auto found = look(image);
    if (!found || *found == history.after(at + 1)) return;
    ++undone;
    ASSERT_EQ(*found, history.after(at)) << what << ", change " << at;
  }
  void expect_after(const Files& image, std::size_t changes, const std::string& what) {
    const auto found = look(image);
    if (!found) return;
    ASSERT_EQ(*found, history.after(changes)) << what << ", after change " << changes;
  }
  /// Returns what a store opened on an image holds; nothing when it cannot be opened.
  std::optional<Image> look(const Files& image) {
    ++opened;
    auto found = images.open(image.main, image.wal);
    refused += found ? 0 : 1;
    return found;
  }

  /// Tears the write of change `at` at each byte, or near the borders of sectors only; and loses each sector.
  void tear_wal(const Files& before, const Files& after, std::size_t at, bool each_byte) {
    const auto [begin, end] = change_of(before.wal, after.wal);
    for (auto cut = begin; cut < end && !HasFailure(); ++cut) {
      if (!each_byte && cut % kSector != 0 && cut + 1 != end) continue;
      if (!is_ours()) continue;
      expect_before_or_after({after.main, torn(before.wal, after.wal, cut)}, at,
                             "torn at " + std::to_string(cut));
    }
    for (auto lost = begin / kSector * kSector; lost < end && !HasFailure(); lost += kSector) {
      if (!is_ours()) continue;
      expect_before_or_after({after.main, with_lost_sector(before.wal, after.wal, lost)}, at,
                             "without the sector at " + std::to_string(lost));
    }
  }
  /// Tears the writes by which committed changes reach the main file.
  void tear_main(const Files& before, const Files& after, std::size_t changes) {
    const auto [begin, end] = change_of(before.main, after.main);
    for (auto cut = begin / kSector * kSector; cut < end && !HasFailure(); cut += kSector) {
      if (is_ours()) expect_after({torn(before.main, after.main, cut), before.wal}, changes, "the file torn");
      if (!is_ours()) continue;
      expect_after({with_lost_sector(before.main, after.main, cut), before.wal}, changes,
                   "a sector of it lost");
    }
  }
};

TEST_P(RecordCrash, EachImageOfAHistoryGivesWhatWasThereBeforeOrAfterTheChangeUnderWay) {
  TempDir dir;
  const auto path = dir / "records";
  auto store = RecordStore::open(path).value();
  auto before = read_files(path);
  for (std::size_t at = 0; at < kChanges && !HasFailure(); ++at) {
    ASSERT_TRUE(history.apply(at, *store) && store->commit());
    const auto after = read_files(path);
    if (is_ours()) expect_after(after, at + 1, "whole");
    tear_wal(before, after, at, at == 0 || at == kChanges / 2 || at + 1 == kChanges);
    before = after;
    if (at % 50 != 49 - at / 50) continue;  // the change after it begins the log anew, over what it held
    store->tidy();
    const auto tidied = read_files(path);
    EXPECT_NE(tidied.main, after.main);
    tear_main(after, tidied, at + 1);
    before = tidied;
  }
  EXPECT_GT(opened, 10'000u / kShares);
  EXPECT_EQ(refused, 0u) << "a torn write is what a crash leaves, and no damage";
  EXPECT_GT(undone, 10'000u / kShares) << "hardly a write was torn";
  std::cout << opened << " images of " << kChanges << " changes, of which " << undone << " lack the last\n";
}

INSTANTIATE_TEST_SUITE_P(Share, RecordCrash, testing::Range<std::size_t>(0, kShares));

}  // namespace
}  // namespace proffer::live
