// Files of the store that an agent keeps for its tasks, between real processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "proffer/live/store_commands.hpp"
#include "tests/live_store/store_cluster.hpp"
#include "tests/live_worker/worker_run.hpp"

namespace proffer::live {
namespace {

using testing::ElementsAre;
using testing::Not;

/// Maps of the first agent, which holds no block of the files unless `replication` is 3.
class FileCache : public testing::Test {
 protected:
  StoreCluster store;
  std::unique_ptr<CatalogClient> catalog = store.client();
  TempDir dir;
  std::string limit = "1000000";

  CachedFile put(const std::string& path, const std::string& text, std::uint64_t block_bytes = 1 << 20) {
    StoreOptions options;
    options.replication = 3;
    options.block_bytes = block_bytes;
    EXPECT_TRUE(put_path(store.context(), *catalog, dir.write("put", text), path, options).ok());
    const auto listed = catalog->ask(ListFiles{0, path, true});
    const auto& files = std::get<FilesListed>(*listed);
    CachedFile file{path.substr(1), {}};
    for (const auto& block : files.files.at(0).blocks) {
      file.blocks.push_back({block.block, block.length, block.first_record, files.token, block.replicas});
    }
    return file;
  }
  WorkerEnd run(const std::string& task, std::vector<CachedFile> cached, const std::string& mapper) {
    // No blocks of its own, so that all must come from others.
    const Place place{StoreCluster::agent_id(1), dir / "blocks", dir / "outputs"};
    auto work = map_of({put_block(place, 1'000'000, "x\n")}, "cat > /dev/null; " + mapper);
    work.cached = std::move(cached);
    return run_worker_program(dir, place, task, work,
                              {{"PROFFER_CACHE_DIR", dir / "cache"}, {"PROFFER_CACHE_BYTES", limit}});
  }
  std::string output(const std::string& task, const WorkerEnd& end) {
    return read_partition({{}, {}, dir / "outputs"}, task, end.map().partitions.at(0));
  }
  std::vector<std::string> kept() {
    auto names = TempDir::names_in(dir / "cache");
    std::erase_if(names, [](const std::string& name) { return name.ends_with(".lock"); });
    return names;
  }
  /// By the numbers of their first blocks.
  std::vector<std::string> kept_blocks() {
    auto names = kept();
    for (auto& name : names) name.erase(0, name.find('-') + 1);
    return names;
  }
};

TEST_F(FileCache, TasksOfOneAgentFetchAFileOnceAndFindItUnderItsName) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(10'000 + i) + "\n";
  const auto model = put("/model", text, 1000);
  ASSERT_GT(model.blocks.size(), 3u);
  const auto first = run("m1", {model}, "cat model");
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(output("m1", first), text);
  EXPECT_EQ(first.map().remote_bytes, text.size());
  const auto second = run("m2", {model}, "cat model");
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(output("m2", second), text);
  EXPECT_EQ(second.map().remote_bytes, 0u);
  EXPECT_THAT(second.left, Not(testing::Contains("model"))) << "links would keep a file that is deleted";
}

TEST_F(FileCache, TasksThatStartTogetherFetchItOnce) {
  const auto model = put("/model", std::string(300'000, 'x') + "\n");
  std::vector<WorkerEnd> ends(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    threads.emplace_back([&, i] { ends[i] = run("m" + std::to_string(i), {model}, "wc -c < model"); });
  }
  for (auto& thread : threads) thread.join();
  std::uint64_t fetched = 0;
  for (const auto& end : ends) {
    ASSERT_EQ(end.code, 0) << end.err;
    fetched += end.map().remote_bytes;
  }
  EXPECT_EQ(fetched, 300'001u);
}

TEST_F(FileCache, TheFileThatWasUsedLongestAgoMakesRoom) {
  limit = "25";
  const auto a = put("/a", "aaaaaaaaa\n");
  const auto b = put("/b", "bbbbbbbbb\n");
  const auto c = put("/c", "ccccccccc\n");
  const auto id = [](const CachedFile& file) { return std::to_string(file.blocks.at(0).block.value); };
  for (const auto* file : {&a, &b, &a}) EXPECT_EQ(run("m", {*file}, "true").code, 0);
  EXPECT_THAT(kept_blocks(), ElementsAre(id(a), id(b)));
  EXPECT_EQ(run("m", {c}, "true").code, 0);
  EXPECT_THAT(kept_blocks(), ElementsAre(id(a), id(c)));
}

TEST_F(FileCache, WhatAnotherTaskDeletesMeanwhileStaysWhole) {
  limit = "15";
  const auto a = put("/a", "aaaaaaaaa\n");
  const auto b = put("/b", "bbbbbbbbb\n");
  const auto end = run("m", {a, b}, "cat a b");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(output("m", end), "aaaaaaaaa\nbbbbbbbbb\n");
  EXPECT_THAT(kept_blocks(), ElementsAre(std::to_string(b.blocks.at(0).block.value)));
}

TEST_F(FileCache, WhatAKilledTaskLeftIsFetchedAnew) {
  const auto model = put("/model", "abc\n");
  ASSERT_EQ(run("m1", {model}, "true").code, 0);
  const auto name = kept().at(0);
  std::filesystem::remove(dir / "cache/" + name);
  dir.write("cache/" + name + ".part", "half of another length");
  dir.write("cache/" + name, "to");
  const auto end = run("m2", {model}, "cat model");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(output("m2", end), "abc\n");
  EXPECT_THAT(kept(), ElementsAre(name));
}

TEST_F(FileCache, WhatATaskPutInItsPlaceIsFetchedAnew) {
  const auto model = put("/model", "abc\n");
  ASSERT_EQ(run("m1", {model}, "true").code, 0);
  const auto path = dir / ("cache/" + kept().at(0));
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const auto after_fifo = run("m2", {model}, "cat model");
  ASSERT_EQ(after_fifo.code, 0) << after_fifo.err;
  EXPECT_EQ(output("m2", after_fifo), "abc\n");
  std::filesystem::remove(path);
  std::filesystem::create_symlink(dir.write("four", "xyz\n"), path);
  const auto after_link = run("m3", {model}, "cat model");
  ASSERT_EQ(after_link.code, 0) << after_link.err;
  EXPECT_EQ(output("m3", after_link), "abc\n");
}

TEST_F(FileCache, ALockThatATaskMadeAFifoIsAnErrorAtOnce) {
  const auto model = put("/model", "abc\n");
  std::filesystem::create_directories(dir / "cache");
  ASSERT_EQ(::mkfifo((dir / "cache/.lock").c_str(), 0600), 0);
  const auto end = run("m1", {model}, "true");
  EXPECT_EQ(end.code, 74);
  EXPECT_THAT(end.err, testing::HasSubstr("not a regular file"));
}

TEST_F(FileCache, AnotherStoresFileIsNotTakenForIt) {
  auto model = put("/model", "abc\n");
  ASSERT_EQ(run("m1", {model}, "true").code, 0);
  for (auto& block : model.blocks) block.token = "of another store, which counts its blocks from 1 as well";
  EXPECT_NE(run("m2", {model}, "true").code, 0) << "nobody here serves that store";
  EXPECT_EQ(kept().size(), 1u);
}

TEST_F(FileCache, WhoFindsTheCacheFullOfWhatOthersFetchWaits) {
  limit = "400000";
  std::vector<CachedFile> models;
  for (const auto* name : {"/a", "/b", "/c", "/d"})
    models.push_back(put(name, std::string(300'000, *(name + 1))));
  std::vector<WorkerEnd> ends(models.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    threads.emplace_back([&, i] { ends[i] = run("m" + std::to_string(i), {models[i]}, "wc -c"); });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& end : ends) EXPECT_EQ(end.code, 0) << end.err;
}

TEST_F(FileCache, AFileThatCannotBeHadFailsTheTaskInOneSentence) {
  auto gone = put("/gone", "abc\n");
  for (std::uint64_t agent = 1; agent <= 3; ++agent) store.stop_serving(agent);
  const auto end = run("m", {gone}, "cat gone");
  EXPECT_EQ(end.code, 74);
  EXPECT_THAT(end.said.at(0).text, testing::StartsWith("the cached file gone cannot be had: "));
  EXPECT_TRUE(kept().empty());
}

TEST_F(FileCache, AFileLargerThanTheCacheIsRefused) {
  limit = "3";
  const auto end = run("m", {put("/model", "abc\n")}, "cat model");
  EXPECT_EQ(end.code, 74);
  EXPECT_EQ(end.said.at(0).text,
            "the cached file model cannot be had: it has 4 bytes, and the agent's setting cache is 3");
}

TEST_F(FileCache, AnEmptyFileIsThere) {
  const auto end = run("m", {CachedFile{"nothing", {}}}, "wc -c < nothing");
  ASSERT_EQ(end.code, 0) << end.err;
  EXPECT_EQ(output("m", end), "0\n");
}

}  // namespace
}  // namespace proffer::live
