#include <sys/stat.h>

#include "live/host/boot.hpp"
#include "live/host/identity.hpp"
#include "live/host/record_file.hpp"
#include "tests/live_host/folder.hpp"

namespace proffer::live::test {
namespace {

StateDir lock(const Folder& folder) {
  auto dir = StateDir::lock(folder.path("state"), "an allocator");
  EXPECT_TRUE(dir.ok());
  return std::move(dir).value();
}

TEST(StateDir, BelongsToOneAtATime) {
  Folder folder;
  {
    const auto first = lock(folder);
    const auto second = StateDir::lock(folder.path("state"), "an allocator");
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::exists);
    EXPECT_EQ(second.error().message, "an allocator is running on " + folder.path("state") + " already");
  }
  lock(folder);
}

TEST(StateDir, IsMadeForItsOwnerOnly) {
  Folder folder;
  const auto dir = lock(folder);
  EXPECT_EQ(std::filesystem::status(dir.path()).permissions(), std::filesystem::perms::owner_all);
}

TEST(StateDir, ThatCannotBeMadeIsOneSentence) {
  Folder folder;
  folder.write("file", "");
  const auto dir = StateDir::lock(folder.path("file/below"), "an agent");
  ASSERT_FALSE(dir.ok());
  EXPECT_EQ(dir.error().code, ErrorCode::io);
  EXPECT_NE(dir.error().message.find("cannot make the folder " + folder.path("file/below")),
            std::string::npos);
}

TEST(Identity, KeepsItsClusterAndRisesInEpoch) {
  Folder folder;
  const auto dir = lock(folder);
  const auto first = next_identity(dir).value();
  const auto second = next_identity(dir).value();
  EXPECT_FALSE(first.cluster.value.is_nil());
  EXPECT_EQ(first.epoch, Epoch{1});
  EXPECT_EQ(second.cluster, first.cluster);
  EXPECT_EQ(second.epoch, Epoch{2});
}

TEST(Identity, OfTwoFoldersAreTwoClusters) {
  Folder one;
  Folder other;
  EXPECT_NE(next_identity(lock(one)).value().cluster, next_identity(lock(other)).value().cluster);
}

TEST(Identity, ThatIsDamagedIsRefusedAndNotReplaced) {
  Folder folder;
  const auto dir = lock(folder);
  ASSERT_TRUE(next_identity(dir).ok());
  auto text = folder.read("state/identity");
  text[text.find("epoch 1") + 6] = '7';
  folder.write("state/identity", text);
  const auto again = next_identity(dir);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, ErrorCode::corrupt);
  EXPECT_EQ(folder.read("state/identity"), text);
}

TEST(Identity, OfALaterVersionIsRefused) {
  Folder folder;
  const auto dir = lock(folder);
  folder.write("state/identity", "proffer identity 2\n");
  EXPECT_EQ(next_identity(dir).error().code, ErrorCode::version);
  folder.write("state/identity", "something else");
  EXPECT_EQ(next_identity(dir).error().code, ErrorCode::corrupt);
}

TEST(AgentStart, IsCountedAndKeepsItsId) {
  Folder folder;
  const auto first = next_start(lock(folder)).value();
  const auto second = next_start(lock(folder)).value();
  EXPECT_FALSE(first.id.value.is_nil());
  EXPECT_EQ(second.id, first.id);
  EXPECT_EQ(first.run, 1u);
  EXPECT_EQ(second.run, 2u);
}

TEST(AgentStart, KeepsItsSecretsForItsOwnerOnly) {
  Folder folder;
  const auto first = next_start(lock(folder)).value();
  const auto second = next_start(lock(folder)).value();
  EXPECT_FALSE(first.secret.value.is_nil());
  EXPECT_NE(first.secret, first.catalog_secret);
  EXPECT_EQ(second.secret, first.secret);
  EXPECT_EQ(second.catalog_secret, first.catalog_secret);
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(folder.path("state/agent")).permissions(),
            perms::owner_read | perms::owner_write);
}

TEST(AgentStart, OfAFolderWithoutSecretsMintsThemOnce) {
  Folder folder;
  const auto dir = lock(folder);
  ASSERT_TRUE(
      save_record(dir.file("agent"), "agent", {{"id", "000000000000000500000000000000ff"}, {"run", "3"}})
          .ok());
  const auto first = next_start(dir).value();
  EXPECT_EQ(first.run, 4u);
  EXPECT_FALSE(first.secret.value.is_nil());
  EXPECT_EQ(next_start(dir).value().secret, first.secret);
}

TEST(Boot, IsTheSameForAsLongAsTheHostRuns) {
  const auto boot = this_boot().value();
  EXPECT_EQ(boot.size(), 36u);
  EXPECT_EQ(this_boot().value(), boot);
}

TEST(Token, IsMintedOnce) {
  Folder folder;
  const auto dir = lock(folder);
  const auto token = kept_token(dir).value();
  EXPECT_EQ(token.size(), 64u);
  EXPECT_EQ(kept_token(dir).value(), token);
}

TEST(RecordFile, ThatWasCutShortIsCorrupt) {
  Folder folder;
  const auto path = folder.path("file");
  ASSERT_TRUE(save_record(path, "things", {{"a", "1"}, {"b", "two words"}}).ok());
  EXPECT_EQ((*load_record(path, "things").value())["b"], "two words");
  const auto whole = folder.read("file");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    folder.write("file", whole.substr(0, size));
    EXPECT_FALSE(load_record(path, "things").ok()) << size;
  }
}

TEST(RecordFile, ThatCannotBeWrittenSaysWhy) {
  Folder folder;
  const auto saved = save_record(folder.path("missing/file"), "things", {});
  ASSERT_FALSE(saved.ok());
  EXPECT_EQ(saved.error().code, ErrorCode::io);
}

TEST(RecordFile, IsReadFromARegularFileOnlyAndNotWaitedFor) {
  Folder folder;
  ASSERT_EQ(::mkfifo(folder.path("fifo").c_str(), 0600), 0);
  EXPECT_FALSE(load_record(folder.path("fifo"), "things").ok());
}

TEST(RecordFile, IsWrittenInsteadOfWhatATaskHasPutThere) {
  Folder folder;
  folder.write("secret", "of somebody else");
  std::filesystem::create_symlink(folder.path("secret"), folder.path("file.new"));
  EXPECT_TRUE(save_record(folder.path("file"), "things", {{"a", "1"}}).ok());
  ASSERT_EQ(::mkfifo(folder.path("file.new").c_str(), 0600), 0);
  EXPECT_TRUE(save_record(folder.path("file"), "things", {{"a", "2"}}).ok());
  EXPECT_EQ((*load_record(folder.path("file"), "things").value())["a"], "2");
  EXPECT_EQ(folder.read("secret"), "of somebody else");
}

}  // namespace
}  // namespace proffer::live::test
