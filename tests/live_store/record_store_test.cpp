// Records on disk: what was committed survives, whatever happens to the process or the host.
#include "live/store/record_store.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temp_dir.hpp"
#include "tests/live_host/small_disk.hpp"
#include "tests/live_store/record_history.hpp"

namespace proffer::live {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

std::unique_ptr<RecordStore> open_records(const std::string& path) {
  auto store = RecordStore::open(path);
  EXPECT_TRUE(store.ok()) << (store ? "" : store.error().message);
  return store ? std::move(*store) : nullptr;
}

/// How it is refused.
Error refusal(const std::string& path) {
  const auto store = RecordStore::open(path);
  EXPECT_FALSE(store.ok());
  return store ? Error{} : store.error();
}

KeptTask task(const std::string& id) {
  KeptTask record;
  record.task = {id};
  return record;
}
KeptNote note(const std::string& key, const std::string& value) { return {key, value}; }

/// Changes the file behind the store's back.
void execute_on(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

TEST(RecordStore, NewOneIsEmptyAndForItsOwnerOnly) {
  TempDir dir;
  const auto path = dir / "records";
  const auto store = open_records(path);
  EXPECT_THAT(store->records(), IsEmpty());
  ASSERT_TRUE(store->keep(KeptBoot{"b"}).ok() && store->commit().ok());
  for (const auto* end : {"", "-wal"}) {
    struct stat found {};
    ASSERT_EQ(::stat((path + end).c_str(), &found), 0) << end;
    EXPECT_EQ(found.st_mode & 0777, 0600u) << end;
  }
}

TEST(RecordStore, RecordsOfEachKindComeBackAsTheyWere) {
  TempDir dir;
  const auto all = one_record_of_each();
  std::set<std::size_t> kinds;
  {
    const auto store = open_records(dir / "records");
    for (const auto& record : all) {
      kinds.insert(record.index());
      ASSERT_TRUE(store->keep(record).ok());
    }
    ASSERT_TRUE(store->commit().ok());
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Kept::variant>);
  EXPECT_EQ(image_of(open_records(dir / "records")->records()), image_of(all));
}

TEST(RecordStore, ARecordReplacesTheFormerOneOfItsNameAndADroppedOneIsGone) {
  TempDir dir;
  {
    const auto store = open_records(dir / "records");
    ASSERT_TRUE(store->keep(note("a", "1")).ok());
    ASSERT_TRUE(store->keep(note("b", "1")).ok());
    ASSERT_TRUE(store->keep(task("a")).ok()) << "the same key, of another kind";
    ASSERT_TRUE(store->commit().ok());
    ASSERT_TRUE(store->keep(note("a", std::string("2\0'", 3))).ok());
    ASSERT_TRUE(store->drop(key_of_note("b")).ok());
    ASSERT_TRUE(store->drop(key_of_note("never there")).ok());
    ASSERT_TRUE(store->commit().ok());
  }
  EXPECT_EQ(image_of(open_records(dir / "records")->records()),
            image_of({note("a", std::string("2\0'", 3)), task("a")}));
}

TEST(RecordStore, ANoteMayBeMegabytesLongButNotMoreThanCanBeReadAgain) {
  TempDir dir;
  const auto big = note("job", std::string(5 << 20, 'x'));
  {
    const auto store = open_records(dir / "records");
    ASSERT_TRUE(store->keep(big).ok() && store->commit().ok());
    const auto too_big = store->keep(note("more", std::string(limits::kRecordBytes, 'x')));
    ASSERT_FALSE(too_big.ok());
    EXPECT_THAT(too_big.error().message, HasSubstr("the record 'note more' has more than"));
  }
  EXPECT_EQ(image_of(open_records(dir / "records")->records()), image_of({big}));
}

TEST(RecordStore, SecondProcessIsRefused) {
  TempDir dir;
  const auto path = dir / "records";
  const auto store = open_records(path);
  const auto child = ::fork();
  if (child == 0) {
    const auto second = RecordStore::open(path);
    ::_exit(!second && second.error().code == ErrorCode::exists ? 42 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST(RecordStore, WhatIsNoStoreOfRecordsIsRefusedAndLeftAlone) {
  TempDir dir;
  const auto path = dir.write("records", std::string(8192, 'x'));
  EXPECT_EQ(refusal(path).code, ErrorCode::corrupt);
  EXPECT_EQ(TempDir::read(path), std::string(8192, 'x'));
  EXPECT_EQ(refusal(dir / "no/such/folder/records").code, ErrorCode::io);
  execute_on(dir / "other", "PRAGMA application_id=5; CREATE TABLE t(a);");
  EXPECT_EQ(refusal(dir / "other").message, dir / "other" + ": this is no store of records");
}

TEST(RecordStore, OneOfAnotherVersionIsRefusedByName) {
  TempDir dir;
  const auto path = dir / "records";
  open_records(path);
  execute_on(path, "PRAGMA user_version=2");
  EXPECT_EQ(refusal(path).code, ErrorCode::version);
  EXPECT_EQ(refusal(path).message, path + " was made by another version of proffer");
}

TEST(RecordStore, ARowThatCannotBeReadIsRefusedByName) {
  const std::vector<std::pair<std::string, std::string>> changes{
      {"UPDATE records SET crc32 = crc32 + 1", "the checksum of the record 'note a' does not hold"},
      {"UPDATE records SET key = 'b'", "the checksum of the record 'note b' does not hold"},
      {"UPDATE records SET value = x'00'", "the checksum of the record 'note a' does not hold"},
      {"ALTER TABLE records RENAME TO other", "cannot read the store of records: no such table: records"},
  };
  for (const auto& [sql, why] : changes) {
    TempDir dir;
    const auto path = dir / "records";
    {
      const auto store = open_records(path);
      ASSERT_TRUE(store->keep(note("a", "1")).ok() && store->commit().ok());
    }
    execute_on(path, sql);
    EXPECT_THAT(refusal(path).message, HasSubstr(path + ": "));
    EXPECT_THAT(refusal(path).message, HasSubstr(why));
  }
}

TEST(RecordStore, WithAnyByteFlippedGivesWhatItHadOrIsRefused) {
  TempDir dir;
  const auto all = one_record_of_each();
  {
    const auto store = open_records(dir / "records");
    for (const auto& record : all) ASSERT_TRUE(store->keep(record).ok());
    ASSERT_TRUE(store->commit().ok());
  }
  const auto whole = TempDir::read(dir / "records");
  const auto image = image_of(all);
  ImageFolder images;
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); at += at < 512 ? 1 : 5) {
    auto bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    const auto found = images.open(bytes, "");
    refused += found ? 0 : 1;
    if (!found) continue;
    ASSERT_EQ(*found, image) << "byte " << at;
  }
  EXPECT_GT(refused, 100);
}

TEST(RecordStore, GroupForWhichThereIsNoSpaceIsTakenAgainOnceThereIs) {
  const test::SmallDisk disk("8m");
  if (!disk.mounted()) GTEST_SKIP() << "a test of full disks needs the right to mount a file system";
  const auto keep_many = [](RecordStore& store) {
    for (int i = 0; i < 1000; ++i) {
      if (!store.keep(note(std::to_string(i), std::string(500, 'x'))).ok()) return;
    }
  };
  {
    const auto store = open_records(disk.path("records"));
    ASSERT_TRUE(store->keep(note("kept", "")).ok() && store->commit().ok());
    disk.fill();
    keep_many(*store);
    const auto refused = store->commit();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::no_space);
    disk.make_room();
    keep_many(*store);
    EXPECT_TRUE(store->commit().ok());
  }
  EXPECT_EQ(open_records(disk.path("records"))->records().size(), 1001u);
}

TEST(RecordStore, GoesOnWithoutFurtherRoomOnceItWasTidied) {
  const test::SmallDisk disk("8m");
  if (!disk.mounted()) GTEST_SKIP() << "a test of full disks needs the right to mount a file system";
  const auto store = open_records(disk.path("records"));
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(store->keep(note("a", std::to_string(i))).ok() && store->commit().ok());
  store->tidy();
  disk.fill();
  for (int i = 0; i < 90; ++i) {
    ASSERT_TRUE(store->keep(note("a", std::to_string(i))).ok() && store->commit().ok()) << i;
  }
}

/// While it lives, syncs fail on demand: SQLite's own files, but for that.
class FailingSyncs {
 public:
  FailingSyncs() {
    real = sqlite3_vfs_find(nullptr);
    vfs_ = *real;
    vfs_.zName = "failing-syncs";
    vfs_.pNext = nullptr;
    vfs_.xOpen = &open;
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~FailingSyncs() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real, 1);
    fails = false;
  }
  static inline bool fails = false;

 private:
  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* given) {
    const int code = real->xOpen(real, name, file, flags, given);
    if (file->pMethods == nullptr) return code;
    real_sync = file->pMethods->xSync;
    auto& methods = copies.try_emplace(file->pMethods, *file->pMethods).first->second;
    methods.xSync = &sync;
    file->pMethods = &methods;
    return code;
  }
  static int sync(sqlite3_file* file, int flags) {
    return fails ? SQLITE_IOERR_FSYNC : real_sync(file, flags);
  }

  static inline sqlite3_vfs* real = nullptr;
  // A journal has other methods than its file.
  static inline std::map<const sqlite3_io_methods*, sqlite3_io_methods> copies;
  static inline int (*real_sync)(sqlite3_file*, int) = nullptr;
  sqlite3_vfs vfs_{};
};

TEST(RecordStore, ASyncThatFailsIsNeitherAFullDiskNorTriedAgain) {
  TempDir dir;
  const auto path = dir / "records";
  {
    const FailingSyncs syncs;
    const auto store = open_records(path);
    ASSERT_TRUE(store->keep(note("a", "1")).ok() && store->commit().ok());
    syncs.fails = true;
    ASSERT_TRUE(store->keep(note("a", "2")).ok());
    const auto refused = store->commit();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::io);
    EXPECT_THAT(refused.error().message, HasSubstr(path + ": cannot write the store of records"));
  }
  const auto image = image_of(open_records(path)->records());
  EXPECT_TRUE(image == image_of({note("a", "1")}) || image == image_of({note("a", "2")}));
}

/// Commits the history from change `from` on, and says so byte by byte; never returns.
[[noreturn]] void write_history(const std::string& path, const History& history, std::size_t from, int say) {
  const auto store = RecordStore::open(path);
  if (!store) ::_exit(1);
  for (auto n = from; n < history.size(); ++n) {
    if (!history.apply(n, **store) || !(*store)->commit()) ::_exit(2);
    if (::write(say, "x", 1) != 1) ::_exit(3);
  }
  ::_exit(0);
}

TEST(RecordStore, AWriterThatIsKilledAtAnyTimeHasKeptAllThatItCommittedAndNothingInPart) {
  TempDir dir;
  const auto path = dir / "records";
  const History history(1000, 7);
  std::size_t kept = 0;
  int kills = 0;
  for (unsigned life = 0; kept < history.size() && life < 60; ++life) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const auto child = ::fork();
    if (child == 0) write_history(path, history, kept, ends[1]);
    ::close(ends[1]);
    std::size_t told = kept;
    char one = 0;
    for (unsigned n = 0; n < 5 + life * 7 % 60 && ::read(ends[0], &one, 1) == 1; ++n) ++told;
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    kills += WIFSIGNALED(status) ? 1 : 0;
    while (::read(ends[0], &one, 1) == 1) ++told;
    ::close(ends[0]);
    const auto found = history.find(image_of(open_records(path)->records()), told);
    ASSERT_TRUE(found) << "after life " << life << ", in which " << told << " commits were told";
    ASSERT_LE(*found, told + 1);
    kept = *found;
  }
  EXPECT_GE(kills, 15);
}

}  // namespace
}  // namespace proffer::live
