#include <sys/stat.h>

#include <filesystem>

#include "live/run/sandbox_shelf.hpp"
#include "proffer/formats/codec.hpp"
#include "tests/live_run/stage.hpp"

namespace proffer::live::run_test {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr FrameworkId kOne{{0x1111111111111111, 1}};
constexpr FrameworkId kOther{{0x2222222222222222, 1}};

unsigned mode(const std::string& path) {
  struct stat about {};
  EXPECT_EQ(::stat(path.c_str(), &about), 0) << path;
  return about.st_mode & 0777;
}

StartRun map_run(std::uint64_t n, MapWork work) {
  auto run = command(n, {});
  work.job = {5};
  work.job_token = "t0ken";
  run.task.work = std::make_shared<Work>(std::move(work));
  return run;
}

TEST(Sandbox, IsPrivate) {
  Stage stage;
  stage.sh(1, "true");
  stage.exit_of(1);
  EXPECT_EQ(mode(stage.sandbox(1)), 0700u);
  EXPECT_EQ(mode(stage.sandbox(1) + "/stdout"), 0600u);
}

TEST(Sandbox, IsTheTasksFolder) {
  Stage stage;
  stage.sh(1, "pwd -P > here");
  stage.exit_of(1);
  EXPECT_EQ(contents(stage.sandbox(1) + "/here"),
            std::filesystem::canonical(stage.sandbox(1)).string() + "\n");
}

TEST(Sandbox, HoldsTheWorkOfAWorkerAndItsFiles) {
  Stage stage;
  MapWork work;
  work.mapper = "./map.py";
  work.files = {{"map.py", "#!/bin/cat\n", true}, {"some words.txt", "a\nb\n", false}};
  const auto run = map_run(1, work);
  stage.start(run);
  EXPECT_EQ(stage.exit_of(1).spawn_error, "");
  const auto read = decode_work(contents(stage.sandbox(1) + "/work.msgpack"));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, *run.task.work);
  EXPECT_EQ(contents(stage.sandbox(1) + "/map.py"), "#!/bin/cat\n");
  EXPECT_EQ(mode(stage.sandbox(1) + "/map.py"), 0700u);
  EXPECT_EQ(contents(stage.sandbox(1) + "/some words.txt"), "a\nb\n");
  EXPECT_EQ(mode(stage.sandbox(1) + "/some words.txt"), 0600u);
}

TEST(Sandbox, FilesThatAreNoPlainNamesOrOursAreASpawnError) {
  Stage stage;
  std::uint64_t n = 0;
  for (const auto* name : {"../up", "a/b", "..", "", "stdout", "work.msgpack"}) {
    MapWork work;
    work.files = {{name, "x", false}};
    stage.start(map_run(++n, work));
    EXPECT_THAT(stage.exit_of(n).spawn_error, HasSubstr("no file can be shipped as"));
  }
  EXPECT_FALSE(exists(stage.sandbox(1) + "/../up"));
}

TEST(Sandbox, AMapsTokenStandsBesideItsOutput) {
  Stage stage;
  stage.start(map_run(1, {}));
  stage.exit_of(1);
  const auto token = stage.folder().path("outputs/" + to_hex({3, 4}) + "/5/.token");
  EXPECT_EQ(contents(token), "t0ken");
  EXPECT_EQ(mode(token), 0600u);
}

TEST(Sandbox, OfAnEarlierRunOfThatNameIsMovedAside) {
  Stage stage;
  stage.sh(1, "echo one");
  stage.exit_of(1);
  auto again = shell(2, "echo two");
  again.task.id = {"t1"};
  stage.start(again);
  stage.exit_of(2);
  EXPECT_EQ(stage.out(1), "two\n");
  EXPECT_EQ(contents(stage.sandbox(1) + "~1/stdout"), "one\n");
}

TEST(Sandbox, OnlyTheNewestFinishedOnesAreKept) {
  Stage stage([](ExecutorConfig& config) { config.keep_sandboxes = 2; });
  stage.sh(1, "echo alive; sleep 1000");
  stage.first_line_of(1);
  for (std::uint64_t n = 2; n <= 5; ++n) {
    stage.sh(n, "mkdir -p a/b; echo x > a/b/c");
    stage.exit_of(n);
  }
  EXPECT_TRUE(exists(stage.sandbox(1))) << "it has not finished";
  EXPECT_FALSE(exists(stage.sandbox(2)));
  EXPECT_FALSE(exists(stage.sandbox(3)));
  EXPECT_TRUE(exists(stage.sandbox(4)));
  EXPECT_TRUE(exists(stage.sandbox(5)));
  EXPECT_TRUE(eventually([&] { return std::filesystem::is_empty(stage.folder().path("sandboxes/~trash")); }));
}

TEST(SandboxShelf, ThoseOfAnEarlierStartAreFinishedOldestFirst) {
  Folder folder;
  for (const auto* name : {"f/new", "f/old", "g/middle"}) {
    std::filesystem::create_directories(folder.path(name));
  }
  const auto now = std::filesystem::file_time_type::clock::now();
  std::filesystem::last_write_time(folder.path("f/old"), now - std::chrono::hours(2));
  std::filesystem::last_write_time(folder.path("g/middle"), now - std::chrono::hours(1));
  SandboxShelf shelf(folder.path(), 2);
  EXPECT_FALSE(exists(folder.path("f/old")));
  EXPECT_TRUE(exists(folder.path("g/middle")));
  ASSERT_TRUE(shelf.make({1, 1}, kOne, "f", {"t"}));
  shelf.finish({1, 1});
  EXPECT_FALSE(exists(folder.path("g"))) << "with its last sandbox a framework's folder goes, too";
  EXPECT_TRUE(exists(folder.path("f/new")));
  EXPECT_TRUE(exists(folder.path("f.11111111/t")));
}

TEST(SandboxShelf, FrameworksOfOneNameHaveTheirOwnFolders) {
  Folder folder;
  SandboxShelf shelf(folder.path(), 1);
  EXPECT_EQ(shelf.make({1, 1}, kOne, "f", {"t"}).value(), folder.path("f.11111111/t"));
  EXPECT_EQ(shelf.make({1, 2}, kOther, "f", {"t"}).value(), folder.path("f.22222222/t"));
}

TEST(SandboxShelf, TheFolderOfALivingRunIsNeitherMovedNorShared) {
  Folder folder;
  SandboxShelf shelf(folder.path(), 2);
  ASSERT_TRUE(shelf.make({1, 1}, kOne, "f", {"t"}));
  EXPECT_EQ(shelf.make({1, 2}, kOne, "f", {"t"}).error().code, ErrorCode::exists);
  EXPECT_FALSE(exists(folder.path("f.11111111/t~1")));
  shelf.finish({1, 1});
  EXPECT_TRUE(shelf.make({1, 2}, kOne, "f", {"t"}));
  EXPECT_TRUE(exists(folder.path("f.11111111/t~1")));
}

}  // namespace
}  // namespace proffer::live::run_test
