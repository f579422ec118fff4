// The operating system as live/ uses it: events, files that are replaced as a whole, processes.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "live/os/event_fd.hpp"
#include "live/os/open_file.hpp"
#include "live/os/replace_file.hpp"
#include "live/os/spawning.hpp"
#include "tests/live_host/folder.hpp"
#include "tests/live_host/small_disk.hpp"

namespace proffer::live {
namespace {

using test::Folder;

TEST(EventFd, HoldsANotificationUntilItIsCleared) {
  const EventFd event;
  EXPECT_FALSE(event.clear());
  event.notify();
  event.notify();
  EXPECT_TRUE(event.clear());
  EXPECT_FALSE(event.clear());
}

TEST(WriteAll, CutsOffWhatWasWritten) {
  auto pipe = Pipe::make("no pipe");
  ASSERT_TRUE(pipe);
  std::string_view bytes = "words";
  EXPECT_TRUE(write_all(pipe->write.get(), bytes));
  EXPECT_TRUE(bytes.empty());
  bytes = "lost";
  EXPECT_FALSE(write_all(-1, bytes));
  EXPECT_EQ(bytes, "lost");
}

TEST(ReplaceFile, MakesProgramsExecutableAndKeepsAllFromOthers) {
  const Folder folder;
  ASSERT_TRUE(replace_file(folder.path("data"), "bytes"));
  ASSERT_TRUE(replace_file(folder.path("program"), "bytes", FileMode::program));
  EXPECT_EQ(folder.read("data"), "bytes");
  EXPECT_EQ(std::filesystem::status(folder.path("data")).permissions(), std::filesystem::perms(0600));
  EXPECT_EQ(std::filesystem::status(folder.path("program")).permissions(), std::filesystem::perms(0700));
}

TEST(ReplaceFile, WhereThePartCannotBeMadeTheFileIsAsItWas) {
  const Folder folder;
  folder.write("file", "old");
  std::filesystem::create_directory(folder.path("file.part"));
  std::filesystem::create_directory(folder.path("file.new"));
  EXPECT_FALSE(replace_file(folder.path("file"), "new"));
  EXPECT_FALSE(replace_file_durably(folder.path("file"), "new"));
  EXPECT_EQ(folder.read("file"), "old");
}

TEST(ReplaceFile, AFullDiskLeavesTheFileAsItWasAndNoPartOfTheNewOne) {
  const test::SmallDisk disk("64k");
  PROFFER_NEEDS_DISK(disk);
  ASSERT_TRUE(replace_file_durably(disk.path("file"), "old"));
  const std::string large(1 << 20, 'x');
  EXPECT_EQ(replace_file_durably(disk.path("file"), large).error().code, ErrorCode::no_space);
  EXPECT_EQ(replace_file(disk.path("file"), large).error().code, ErrorCode::no_space);
  EXPECT_EQ(disk.read("file"), "old");
  EXPECT_FALSE(std::filesystem::exists(disk.path("file.new")));
  EXPECT_FALSE(std::filesystem::exists(disk.path("file.part")));
}

TEST(RemoveFile, OneThatWasNotThereIsNoError) {
  const Folder folder;
  folder.write("file", "");
  EXPECT_TRUE(remove_file_durably(folder.path("file")));
  EXPECT_TRUE(remove_file_durably(folder.path("file")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("file")));
}

TEST(OpenFile, WritesAtAnOffsetAndReadsShortOnlyAtTheEnd) {
  const Folder folder;
  auto file = OpenFile::to_replace(folder.path("file"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write_at(2, "cdef"));
  ASSERT_TRUE(file->write_at(0, "ab"));
  ASSERT_TRUE(file->truncate(5));
  EXPECT_EQ(file->read_at(0, 3).value(), "abc");
  EXPECT_EQ(file->read_at(3, 100).value(), "de");
  EXPECT_EQ(file->size().value(), 5u);
}

TEST(Spawning, TellsAnExitCodeFromASignal) {
  const auto end_of = [](const std::string& script) {
    const SpawnActions actions;
    const SpawnAttributes attributes;
    const std::vector<std::string> words{"sh", "-c", script};
    pid_t child = -1;
    EXPECT_EQ(::posix_spawn(&child, "/bin/sh", actions.get(), attributes.get(), spawn_words(words).data(),
                            ::environ),
              0);
    return exit_status(wait_for_end(child).value());
  };
  EXPECT_EQ(end_of("exit 3"), (ExitStatus{3, 0}));
  EXPECT_EQ(end_of("kill -9 $$"), (ExitStatus{0, SIGKILL}));
}

TEST(Spawning, AChildThatIsNoneCannotBeWaitedFor) { EXPECT_FALSE(wait_for_end(::getpid())); }

}  // namespace
}  // namespace proffer::live
