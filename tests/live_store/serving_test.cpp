// The parts of a data server that need no socket: its budget, its queue, its folders, its intake.
#include <gmock/gmock.h>

#include "live/store/block_ingest.hpp"
#include "live/store/crc32.hpp"
#include "live/store/data_folders.hpp"
#include "live/store/fetch_queue.hpp"
#include "live/store/secret.hpp"
#include "live/store/send_budget.hpp"
#include "proffer/limits.hpp"
#include "temp_dir.hpp"

namespace proffer::live {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Time kStart = time_from_us(1'000'000);

TEST(SendBudget, WithoutARateEverythingMayGoAtOnce) {
  SendBudget budget({}, kStart);
  EXPECT_EQ(budget.piece(), limits::kChunkBytes);
  for (int i = 0; i < 100; ++i) budget.spend(budget.piece(), kStart);
  EXPECT_EQ(budget.wait(kStart), Duration::zero());
}

/// Bytes that go in so long, by somebody who always waits as told.
std::uint64_t sent_in(std::uint64_t rate, Duration time) {
  SendBudget budget(rate, kStart);
  std::uint64_t sent = 0;
  for (auto now = kStart; now < kStart + time;) {
    if (const auto wait = budget.wait(now); wait > Duration::zero()) {
      now += wait;
      continue;
    }
    sent += budget.piece();
    budget.spend(budget.piece(), now);
  }
  return sent;
}

TEST(SendBudget, RateHoldsBeyondASmallBurst) {
  for (const std::uint64_t rate : {10'000u, 500'000u, 3'000'000u, 100'000'000u}) {
    const auto sent = static_cast<std::int64_t>(sent_in(rate, seconds(10)));
    EXPECT_NEAR(static_cast<double>(sent), static_cast<double>(10 * rate), 64 * 1024 + 32 * 1024) << rate;
  }
}

TEST(SendBudget, IdleTimeIsNotSavedUp) {
  SendBudget budget(1'000'000, kStart);
  const auto later = kStart + seconds(3600);
  std::uint64_t burst = 0;
  while (budget.wait(later) == Duration::zero()) {
    burst += budget.piece();
    budget.spend(budget.piece(), later);
  }
  EXPECT_LE(burst, 64u * 1024);
}

Fetch fetch(std::uint64_t request) { return {request, "", DataName{BlockId{1}}, 0, 1}; }

TEST(FetchQueue, ReadersTakeTurnsWhateverTheyHaveOpen) {
  FetchQueue queue;
  for (std::uint64_t i = 0; i < 4; ++i) queue.add(PeerId{1}, fetch(10 + i));
  queue.add(PeerId{2}, fetch(20));
  queue.add(PeerId{3}, fetch(30));
  std::vector<std::uint64_t> order;
  while (!queue.empty()) order.push_back(queue.take().second.request);
  EXPECT_THAT(order, ElementsAre(10, 20, 30, 11, 12, 13));
}

TEST(FetchQueue, CreditIsPerReader) {
  FetchQueue queue;
  for (std::uint64_t i = 0; i < kFetchCredit; ++i) EXPECT_TRUE(queue.add(PeerId{1}, fetch(i)));
  EXPECT_FALSE(queue.add(PeerId{1}, fetch(99)));
  EXPECT_TRUE(queue.add(PeerId{2}, fetch(1)));
  queue.take();
  EXPECT_TRUE(queue.add(PeerId{1}, fetch(99)));
}

TEST(FetchQueue, ForgottenReaderHasNoTurn) {
  FetchQueue queue;
  queue.add(PeerId{1}, fetch(1));
  queue.add(PeerId{2}, fetch(2));
  queue.forget(PeerId{1});
  EXPECT_EQ(queue.take().first, PeerId{2});
  EXPECT_TRUE(queue.empty());
}

TEST(Secret, OnlyTheSameOneOpensAndAnEmptyOneNothing) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "abcd"));
  EXPECT_FALSE(same_secret("", ""));
}

TEST(Crc32, IsThatOfZipInPiecesAsWell) {
  Crc32 whole;
  whole.add("123456789");
  EXPECT_EQ(whole.value(), 0xCBF43926u);
  Crc32 pieces;
  for (const auto* piece : {"1", "", "2345678", "9"}) pieces.add(piece);
  EXPECT_EQ(pieces.value(), whole.value());
  EXPECT_EQ(Crc32().value(), 0u);
}

TEST(DataFolders, PrepareFindsWholeBlocksAndDeletesHalfStoredOnes) {
  TempDir dir;
  dir.write("blocks/7", "seven");
  dir.write("blocks/12", "");
  dir.write("blocks/007", "not our spelling");
  dir.write("blocks/9.part", "half");
  dir.write("blocks/notes.txt", "somebody's");
  std::filesystem::create_directory(dir / "blocks/5");
  const DataFolders folders(dir / "blocks", dir / "outputs");
  const auto found = folders.prepare();
  ASSERT_TRUE(found.ok());
  EXPECT_THAT(*found, ElementsAre(std::pair(BlockId{7}, 5u), std::pair(BlockId{12}, 0u)));
  EXPECT_FALSE(std::filesystem::exists(dir / "blocks/9.part"));
  EXPECT_TRUE(std::filesystem::exists(dir / "blocks/notes.txt"));
  EXPECT_TRUE(std::filesystem::is_directory(dir / "outputs"));
}

TEST(DataFolders, FolderThatCannotBeMadeIsAnError) {
  TempDir dir;
  dir.write("file", "");
  EXPECT_EQ(DataFolders(dir / "file/blocks", dir / "outputs").prepare().error().code, ErrorCode::io);
}

TEST(DataFolders, MapNamesThatLeadElsewhereAreRefused) {
  const DataFolders folders("/b", "/o");
  const auto code = [&](const std::string& map) {
    const auto path = folders.output({FrameworkId{}, JobId{1}, TaskId{map}});
    return path ? std::string("ok") : std::string(to_string(path.error().code));
  };
  for (const auto* map : {"", ".", "..", "../x", "a/b", ".token", "a\n"})
    EXPECT_EQ(code(map), "invalid") << map;
  EXPECT_EQ(*folders.output({FrameworkId{Bits128{1, 2}}, JobId{3}, TaskId{"m-1"}}),
            "/o/00000000000000010000000000000002/3/m-1");
}

TEST(DataFolders, OutputsGoByJobOrAllTogether) {
  TempDir dir;
  const DataFolders folders(dir / "b", dir / "o");
  const FrameworkId framework{Bits128{1, 2}};
  const auto home = "o/" + to_hex(framework.value);
  for (const auto* job : {"/1/m", "/2/m", "/3/m"}) dir.write(home + job, "x");
  folders.delete_outputs(framework, JobId{1});
  EXPECT_THAT(TempDir::names_in(dir / home), ElementsAre("2", "3"));
  folders.delete_outputs(framework, JobId{});
  EXPECT_FALSE(std::filesystem::exists(dir / home));
}

class Ingest : public testing::Test {
 protected:
  static Store piece(std::uint64_t offset, std::string bytes, bool last = false, std::uint32_t crc = 0) {
    return {1, "", BlockId{4}, offset, std::move(bytes), last, crc};
  }
  static std::uint32_t crc(std::string_view bytes) {
    Crc32 sum;
    sum.add(bytes);
    return sum.value();
  }
  ErrorCode code(PeerId writer, const Store& store) {
    const auto taken = ingest_.take(writer, store, now_);
    return taken ? ErrorCode::unreachable : taken.error().code;
  }
  std::vector<std::string> files() { return TempDir::names_in(dir_ / "b"); }

  TempDir dir_;
  DataFolders folders_{dir_ / "b", dir_ / "o"};
  bool prepared_ = folders_.prepare().ok();
  BlockIngest ingest_{folders_};
  Time now_ = kStart;
};

TEST_F(Ingest, BlockGetsItsNameOnceWholeAndChecked) {
  EXPECT_TRUE(ingest_.take(PeerId{1}, piece(0, "hello "), now_).ok());
  EXPECT_THAT(files(), ElementsAre("4.part"));
  const auto closed = ingest_.take(PeerId{1}, piece(6, "you", true, crc("hello you")), now_);
  ASSERT_TRUE(closed.ok());
  EXPECT_EQ(*closed, 9u);
  EXPECT_THAT(files(), ElementsAre("4"));
  EXPECT_EQ(TempDir::read(dir_ / "b/4"), "hello you");
}

TEST_F(Ingest, WrongChecksumGapAndEmptyBlockLeaveNothing) {
  EXPECT_EQ(code(PeerId{1}, piece(0, "x", true, 5)), ErrorCode::corrupt);
  EXPECT_TRUE(ingest_.take(PeerId{1}, piece(0, "x"), now_).ok());
  EXPECT_EQ(code(PeerId{1}, piece(2, "y")), ErrorCode::invalid);
  EXPECT_EQ(code(PeerId{1}, piece(1, "y")), ErrorCode::invalid) << "it must begin anew";
  EXPECT_EQ(code(PeerId{1}, piece(0, "", true, 0)), ErrorCode::invalid);
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(Ingest, SecondWriterAndStoredBlockAreRefused) {
  EXPECT_TRUE(ingest_.take(PeerId{1}, piece(0, "x"), now_).ok());
  EXPECT_EQ(code(PeerId{2}, piece(0, "y")), ErrorCode::exists);
  EXPECT_TRUE(ingest_.take(PeerId{1}, piece(1, "z", true, crc("xz")), now_).ok());
  EXPECT_EQ(code(PeerId{2}, piece(0, "y")), ErrorCode::exists);
  EXPECT_EQ(TempDir::read(dir_ / "b/4"), "xz");
}

TEST_F(Ingest, WriterMayBeginAnew) {
  EXPECT_TRUE(ingest_.take(PeerId{1}, piece(0, "first try"), now_).ok());
  EXPECT_TRUE(ingest_.take(PeerId{1}, piece(0, "second", true, crc("second")), now_).ok());
  EXPECT_EQ(TempDir::read(dir_ / "b/4"), "second");
}

TEST_F(Ingest, WritersThatVanishOrFallSilentLeaveNothing) {
  EXPECT_TRUE(ingest_.take(PeerId{1}, piece(0, "x"), now_).ok());
  ingest_.forget(PeerId{1});
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_TRUE(ingest_.take(PeerId{2}, piece(0, "x"), now_).ok());
  ingest_.expire(now_ + seconds(60));
  EXPECT_THAT(files(), ElementsAre("4.part"));
  ingest_.expire(now_ + seconds(61));
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_TRUE(ingest_.empty());
}

TEST_F(Ingest, PieceOverTheBoundIsRefused) {
  EXPECT_EQ(code(PeerId{1}, piece(0, std::string(limits::kChunkBytes + 1, 'x'))), ErrorCode::invalid);
}

}  // namespace
}  // namespace proffer::live
