// Names on disk: what was committed survives, whatever happens to the process.
#include "live/store/name_store.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "temp_dir.hpp"
#include "tests/live_host/small_disk.hpp"

namespace proffer::live {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

FileInfo file(const std::string& path, std::vector<BlockInfo> blocks = {}) {
  FileInfo info{path, 0, 3, true, std::move(blocks)};
  for (const auto& block : info.blocks) info.length += block.length;
  return info;
}

std::unique_ptr<NameStore> open(const std::string& path) {
  auto store = NameStore::open(path);
  EXPECT_TRUE(store.ok()) << (store ? "" : store.error().message);
  return store ? std::move(*store) : nullptr;
}

void apply(NameStore& store, const std::vector<Persist>& changes) {
  for (const auto& change : changes) ASSERT_TRUE(store.apply(change).ok());
}

/// How a process ended that did this; it must not return.
int in_a_child(const std::function<void()>& work) {
  const auto child = ::fork();
  if (child == 0) {
    work();
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(NameStore, NewOneIsEmptyAndBeginsAtBlockOne) {
  TempDir dir;
  const auto store = open(dir / "names");
  EXPECT_THAT(store->files(), IsEmpty());
  EXPECT_EQ(store->next_block(), BlockId{1});
}

TEST(NameStore, CommittedFilesComeBackAsTheyWere) {
  TempDir dir;
  const auto big = file("/a/b", {{BlockId{1}, 10, 0, {}}, {BlockId{3}, 1ull << 31, 7, {}}});
  const auto odd = file("/ü \"'; DROP TABLE files;--");
  apply(*open(dir / "names"), {});
  {
    const auto store = open(dir / "names");
    apply(*store, {PersistNextBlock{BlockId{260}}, PersistFile{big}, PersistFile{odd},
                   PersistFile{file("/gone")}, ForgetFile{"/gone"}});
    ASSERT_TRUE(store->commit().ok());
  }
  const auto store = open(dir / "names");
  EXPECT_THAT(store->files(), ElementsAre(big, odd));
  EXPECT_EQ(store->next_block(), BlockId{260});
}

TEST(NameStore, PersistingAPathAgainReplacesWhatWasKnownOfIt) {
  TempDir dir;
  const auto after = file("/f", {{BlockId{2}, 5, 0, {}}});
  {
    const auto store = open(dir / "names");
    apply(*store, {PersistNextBlock{BlockId{9}}, PersistFile{file("/f", {{BlockId{1}, 4, 0, {}}})},
                   PersistFile{after}});
    ASSERT_TRUE(store->commit().ok());
  }
  EXPECT_THAT(open(dir / "names")->files(), ElementsAre(after));
}

TEST(NameStore, RenameOfManyFilesIsOneGroup) {
  TempDir dir;
  const auto from = file("/t/1", {{BlockId{1}, 4, 0, {}}});
  auto to = from;
  to.path = "/f/1";
  const auto path = dir / "names";
  in_a_child([&] {
    const auto store = open(path);
    apply(*store, {PersistNextBlock{BlockId{9}}, PersistFile{from}});
    if (!store->commit().ok()) ::_exit(1);
    apply(*store, {ForgetFile{"/t/1"}, PersistFile{to}});
    ::raise(SIGKILL);
  });
  EXPECT_THAT(open(path)->files(), ElementsAre(from)) << "half of it was not committed";
}

TEST(NameStore, KilledProcessKeepsWhatItCommittedAndNothingElse) {
  TempDir dir;
  const auto path = dir / "names";
  const int status = in_a_child([&] {
    const auto store = open(path);
    apply(*store, {PersistFile{file("/kept")}});
    if (!store->commit().ok()) ::_exit(1);
    apply(*store, {PersistFile{file("/lost")}});
    ::raise(SIGKILL);
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_THAT(open(path)->files(), ElementsAre(file("/kept")));
}

TEST(NameStore, FullDiskIsAnErrorAndLosesNothingThatWasCommitted) {
  TempDir dir;
  const auto path = dir / "names";
  const int status = in_a_child([&] {
    const auto store = open(path);
    apply(*store, {PersistFile{file("/kept")}});
    if (!store->commit().ok()) ::_exit(1);
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{40'000, 40'000};
    ::setrlimit(RLIMIT_FSIZE, &small);
    bool ok = true;
    for (int i = 0; ok && i < 1000; ++i) {
      ok = store->apply(PersistFile{file("/more" + std::to_string(i))}).ok() && store->commit().ok();
    }
    ::_exit(ok ? 1 : 42);
  });
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 42);
  EXPECT_THAT(open(path)->files(), testing::Contains(file("/kept")));
}

TEST(NameStore, GroupForWhichThereIsNoSpaceIsTakenAgainOnceThereIs) {
  const test::SmallDisk disk("8m");
  if (!disk.mounted()) GTEST_SKIP() << "a test of full disks needs the right to mount a file system";
  std::vector<Persist> group;
  for (int i = 0; i < 1000; ++i) group.push_back(PersistFile{file("/" + std::to_string(i))});
  {
    const auto store = open(disk.path("names"));
    apply(*store, {PersistFile{file("/kept")}});
    ASSERT_TRUE(store->commit().ok());
    disk.fill();
    live::apply(*store, group);
    const auto refused = store->commit();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::no_space);
    disk.make_room();
    live::apply(*store, group);
    EXPECT_TRUE(store->commit().ok());
  }
  EXPECT_EQ(open(disk.path("names"))->files().size(), 1001u);
}

TEST(NameStore, SecondProcessIsRefused) {
  TempDir dir;
  const auto path = dir / "names";
  const auto store = open(path);
  const int status = in_a_child([&] {
    const auto second = NameStore::open(path);
    ::_exit(!second && second.error().code == ErrorCode::exists ? 42 : 1);
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST(NameStore, WhatIsNoStoreOfNamesIsRefusedAndLeftAlone) {
  TempDir dir;
  const auto path = dir.write("names", std::string(8192, 'x'));
  const auto store = NameStore::open(path);
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().code, ErrorCode::corrupt);
  EXPECT_EQ(TempDir::read(path), std::string(8192, 'x'));
  EXPECT_EQ(NameStore::open(dir / "no/such/folder/names").error().code, ErrorCode::io);
}

TEST(NameStore, BlockPastTheBoundOfGivenIdsIsCorruption) {
  TempDir dir;
  {
    const auto store = open(dir / "names");
    apply(*store, {PersistFile{file("/f", {{BlockId{5}, 4, 0, {}}})}});
    ASSERT_TRUE(store->commit().ok());
  }
  EXPECT_EQ(NameStore::open(dir / "names").error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace proffer::live
