// put, cat, get, ls and rm against a catalog and agents on loopback.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <set>

#include <thread>

#include "proffer/random.hpp"
#include "store_cluster.hpp"

namespace proffer::live {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Lines of many lengths, so many bytes in all.
std::string text_of(std::size_t bytes, std::uint64_t seed = 1) {
  Random random(seed);
  std::string text;
  while (text.size() < bytes)
    text += std::string(random.below(120), static_cast<char>('a' + random.below(26))) + "\n";
  text.resize(bytes);
  return text;
}

StoreOptions options(std::uint64_t block_bytes, std::uint32_t replication = 2) {
  return {replication, block_bytes, seconds(10)};
}

class Commands : public testing::Test {
 protected:
  Result<PutReport> put(const std::string& local, const std::string& path, StoreOptions how = options(1000)) {
    return put_path(cluster_.context(), *client_, local, path, how);
  }
  void must_put(const std::string& local, const std::string& path, StoreOptions how = options(1000)) {
    const auto done = put(local, path, how);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  std::string cat(const std::string& path) {
    std::string text;
    const auto done = cat_path(cluster_.context(), *client_, path, seconds(10), [&](std::string_view bytes) {
      text += bytes;
      return Result<>();
    });
    EXPECT_TRUE(done.ok()) << done.error().message;
    return text;
  }
  Result<GetReport> get(const std::string& path, const std::string& local) {
    return get_path(cluster_.context(), *client_, path, local, seconds(10));
  }
  std::vector<FileInfo> blocks_of(const std::string& path) {
    auto answer = client_->ask(ListFiles{0, path, true});
    EXPECT_TRUE(answer.ok());
    return answer ? std::get<FilesListed>(*answer).files : std::vector<FileInfo>{};
  }
  std::vector<std::string> everything() {
    std::vector<std::string> paths;
    const auto entries = list_path(*client_, "/", true);
    EXPECT_TRUE(entries.ok());
    for (const auto& entry : *entries) paths.push_back(entry.path);
    return paths;
  }

  StoreCluster cluster_;
  std::unique_ptr<CatalogClient> client_ = cluster_.client();
  const TempDir& dir_ = cluster_.dir();
};

TEST_F(Commands, WhatWasPutIsReadBackAtAllSizesAroundBlocks) {
  for (const std::size_t block : {1u, 100u, 70'000u}) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, block - 1, block, block + 1, 3 * block, 3 * block + 7}) {
      const auto name = "/s/" + std::to_string(block) + "-" + std::to_string(size);
      const auto text = text_of(size, size + 1);
      must_put(dir_.write("in", text), name, options(block));
      EXPECT_EQ(cat(name), text) << name;
      EXPECT_EQ(blocks_of(name).at(0).length, size);
      EXPECT_TRUE(remove_path(*client_, name).ok());
    }
  }
}

TEST_F(Commands, BlocksEndWithLinesAndHaveTheirReplicas) {
  const auto text = text_of(400'000);
  must_put(dir_.write("in", text), "/f", options(100'000));
  const auto files = blocks_of("/f");
  std::size_t at = 0;
  for (const auto& block : files.at(0).blocks) {
    at += block.length;
    EXPECT_EQ(block.first_record, 0u);
    EXPECT_TRUE(at == text.size() || text[at - 1] == '\n');
    EXPECT_EQ(block.replicas.size(), 2u);
    EXPECT_NE(block.replicas.at(0).rack, block.replicas.at(1).rack);
  }
}

TEST_F(Commands, FolderGoesThereAndBack) {
  dir_.write("in/a", text_of(5000));
  dir_.write("in/sub/b", "b\n");
  dir_.write("in/sub/empty", "");
  std::filesystem::create_symlink("../sub/b", dir_ / "in/sub/link");
  std::filesystem::create_symlink(".", dir_ / "in/loop");
  const auto done = put(dir_ / "in/", "/out");
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done->files, 4u);
  EXPECT_EQ(done->skipped, 1u) << "the link to a folder";
  EXPECT_EQ(done->missing_replicas, 0u);
  EXPECT_THAT(everything(), ElementsAre("/out/a", "/out/sub/b", "/out/sub/empty", "/out/sub/link"));
  EXPECT_THAT(*list_path(*client_, "out", false),
              ElementsAre(StoreEntry{"/out/a", false, 5000, 1, 2}, StoreEntry{"/out/sub", true, 4, 3, 0}));
  const auto got = get("/out", dir_ / "back/");
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->bytes, 5004u);
  EXPECT_EQ(TempDir::read(dir_ / "back/a"), text_of(5000));
  EXPECT_EQ(TempDir::read(dir_ / "back/sub/link"), "b\n");
  EXPECT_TRUE(std::filesystem::is_regular_file(dir_ / "back/sub/empty"));
  EXPECT_THAT(TempDir::names_in(dir_ / "."), Not(testing::Contains(HasSubstr("partial"))));
}

TEST_F(Commands, PutRefusesWhatIsMissingTakenOrNamelessAndLeavesNothing) {
  const auto why = [&](const std::string& local, const std::string& path) {
    const auto done = put(local, path);
    EXPECT_FALSE(done.ok());
    return done ? "" : done.error().message;
  };
  const auto file = dir_.write("in", "x\n");
  must_put(file, "/taken");
  EXPECT_EQ(why(dir_ / "none", "/f"), "there is no file or folder " + (dir_ / "none") + " on this machine");
  EXPECT_EQ(why(file, "/taken"), "/taken exists in the store");
  EXPECT_THAT(why(file, "/taken/f"), HasSubstr("/taken exists and is a file"));
  EXPECT_THAT(why(file, "/a/../b"), HasSubstr("\"..\""));
  std::filesystem::create_directory(dir_ / "hollow");
  EXPECT_EQ(why(dir_ / "hollow", "/f"), "there is no file in " + (dir_ / "hollow"));
  ASSERT_EQ(::mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(why(dir_ / "pipe", "/f"), (dir_ / "pipe") + " is neither a file nor a folder");
  dir_.write("odd/fine", "x");
  dir_.write("odd/new\nline", "x");
  EXPECT_THAT(why(dir_ / "odd", "/f"), HasSubstr("control character"));
  EXPECT_THAT(everything(), ElementsAre("/taken"));
}

TEST_F(Commands, PutThatFailsHalfwayRemovesWhatItMade) {
  dir_.write("in/1", text_of(3000));
  const auto second = dir_.write("in/2", text_of(3000));
  const auto done = put_path(cluster_.context(), *client_, dir_ / "in", "/f", options(1000),
                             [&](std::uint64_t, std::uint64_t) { std::filesystem::remove(second); });
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message, HasSubstr(second));
  EXPECT_THAT(everything(), IsEmpty());
  cluster_.eventually([&] { return cluster_.files_on_disks() == 0; }, "its replicas are deleted");
  EXPECT_TRUE(put(dir_ / "in", "/f").ok()) << "the name is free again";
}

TEST_F(Commands, PutShowsNothingUntilAllOfItIsThere) {
  dir_.write("in/1", text_of(3000));
  dir_.write("in/2", text_of(3000));
  std::set<std::string> seen;
  const auto look = [&](std::uint64_t, std::uint64_t) {
    for (const auto& path : everything()) seen.insert(path.substr(0, path.find('-')));
  };
  ASSERT_TRUE(put_path(cluster_.context(), *client_, dir_ / "in", "/d/f", options(1000), look).ok());
  EXPECT_THAT(seen, ElementsAre("/d/_temporary"));
  EXPECT_THAT(everything(), ElementsAre("/d/f/1", "/d/f/2"));
}

TEST_F(Commands, PutThatIsStoppedLeavesNothing) {
  dir_.write("in/1", text_of(3000));
  dir_.write("in/2", text_of(3000));
  Stop stop;
  const auto done = put_path(
      cluster_.context(), *client_, dir_ / "in", "/f", options(1000),
      [&](std::uint64_t, std::uint64_t) { stop.request(); }, &stop);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, ErrorCode::refused);
  EXPECT_THAT(everything(), IsEmpty());
}

TEST_F(Commands, GetRefusesWhatExistsAndLeavesNothingHalfWritten) {
  must_put(dir_.write("in", text_of(3000)), "/d/f");
  dir_.write("here", "mine");
  EXPECT_EQ(get("/d/f", dir_ / "here").error().code, ErrorCode::exists);
  EXPECT_EQ(TempDir::read(dir_ / "here"), "mine");
  EXPECT_EQ(get("/d/f", dir_ / "no/folder").error().code, ErrorCode::not_found);
  EXPECT_EQ(get("/none", dir_ / "x").error().message, "there is no /none in the store");
  for (std::uint64_t n = 1; n <= 3; ++n) cluster_.kill_agent(n);
  cluster_.eventually([&] { return blocks_of("/d/f").at(0).blocks.at(0).replicas.empty(); },
                      "no replica is left");
  const auto got = get("/d", dir_ / "x");
  ASSERT_FALSE(got.ok());
  EXPECT_THAT(got.error().message, HasSubstr("of /d/f cannot be read: no agent that holds it is there"));
  EXPECT_FALSE(std::filesystem::exists(dir_ / "x"));
  EXPECT_THAT(TempDir::names_in(dir_ / "."), Not(testing::Contains(HasSubstr("partial"))));
}

TEST_F(Commands, RemovedFilesLeaveTheDisks) {
  must_put(dir_.write("in", text_of(5000)), "/d/f");
  cluster_.eventually([&] { return cluster_.files_on_disks() == 2 * blocks_of("/d/f").at(0).blocks.size(); },
                      "all is stored");
  EXPECT_TRUE(remove_path(*client_, "/d").ok());
  cluster_.eventually([&] { return cluster_.files_on_disks() == 0; }, "its replicas are deleted");
  EXPECT_EQ(remove_path(*client_, "/d").error().code, ErrorCode::not_found);
  EXPECT_EQ(remove_path(*client_, "/").error().code, ErrorCode::refused);
}

TEST_F(Commands, OneReplicaIsEnoughToRead) {
  const auto text = text_of(20'000);
  must_put(dir_.write("in", text), "/f");
  cluster_.kill_agent(2);
  EXPECT_EQ(cat("/f"), text);
}

TEST_F(Commands, TargetThatFailsIsDoneWithoutAndReported) {
  cluster_.stop_serving(1);
  cluster_.stop_serving(2);
  const auto text = text_of(2000);
  const auto done = put(dir_.write("in", text), "/f", options(2000, 3));
  ASSERT_TRUE(done.ok()) << done.error().message;
  EXPECT_EQ(done->missing_replicas, 2u);
  EXPECT_EQ(cat("/f"), text);
}

TEST_F(Commands, WithoutAnyTargetPutFailsAndTheNameIsFreeAgain) {
  for (std::uint64_t n = 1; n <= 3; ++n) cluster_.kill_agent(n);
  const auto why = [&] { return put(dir_.write("in", "x\n"), "/f"); };
  cluster_.eventually([&] { return !why().ok(); }, "the agents are gone");
  EXPECT_EQ(why().error().message, "no agent is there to store /f");
  EXPECT_THAT(everything(), IsEmpty());
}

TEST_F(Commands, NamesAndReplicasAreThereAfterTheCatalogStartsAgain) {
  const auto text = text_of(20'000);
  must_put(dir_.write("in", text), "/f");
  cluster_.restart_catalog();
  client_ = cluster_.client();
  EXPECT_EQ(cat("/f"), text);
  must_put(dir_ / "in", "/g");
  EXPECT_EQ(cat("/g"), text);
}

TEST_F(Commands, ManyClientsAtOnceDoNotDisturbEachOther) {
  std::vector<std::thread> threads;
  for (std::uint64_t n = 0; n < 4; ++n) {
    threads.emplace_back([this, n] {
      const auto client = cluster_.client();
      const auto name = "/f" + std::to_string(n);
      const auto text = text_of(30'000, n);
      const auto done =
          put_path(cluster_.context(), *client, dir_.write("in" + name, text), name, options(4000));
      EXPECT_TRUE(done.ok()) << done.error().message;
      std::string back;
      const auto read = cat_path(cluster_.context(), *client, name, seconds(10), [&](std::string_view bytes) {
        back += bytes;
        return Result<>();
      });
      EXPECT_TRUE(read.ok());
      EXPECT_EQ(back, text);
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST_F(Commands, CatalogThatIsNotThereIsUnreachable) {
  const auto nobody =
      CatalogClient::connect(cluster_.context(), "tcp://127.0.0.1:1", std::chrono::milliseconds(300));
  ASSERT_TRUE(nobody.ok());
  const auto answer = (*nobody)->ask(ListFiles{0, "/", false});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error(), (Error{ErrorCode::unreachable, "no catalog answers at tcp://127.0.0.1:1"}));
}

}  // namespace
}  // namespace proffer::live
