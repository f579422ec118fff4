#include "tests/live_host/folder.hpp"
#include "tests/live_host/running.hpp"
#include "tests/live_host/wire_client.hpp"

namespace proffer::live::test {
namespace {

Running::Run catalog(const Folder& folder) {
  CatalogSettings config;
  config.endpoint = "tcp://127.0.0.1:0";
  config.state_dir = folder.path("state");
  return [config](Stop& stop, const Ready& ready) { return run_catalog(config, stop, ready); };
}

TEST(CatalogDaemon, RemembersNamesAndTokenOverARestart) {
  Folder folder;
  std::string token;
  {
    Running daemon(catalog(folder));
    WireClient client(daemon.value("endpoint"));
    client.greet<CatalogSession>(CatalogHello{});
    client.say(CreateFile{1, "/a", 1});
    EXPECT_FALSE(client.receive<CatalogDone>().error.has_value());
    client.say(CompleteFile{2, "/a"});
    EXPECT_FALSE(client.receive<CatalogDone>().error.has_value());
    client.say(ListFiles{3, "/a", true});
    token = client.receive<FilesListed>().token;
    EXPECT_TRUE(daemon.end().ok());
  }
  Running daemon(catalog(folder));
  WireClient client(daemon.value("endpoint"));
  client.greet<CatalogSession>(CatalogHello{});
  client.say(ListFiles{1, "/a", true});
  const auto listed = client.receive<FilesListed>();
  ASSERT_EQ(listed.files.size(), 1u);
  EXPECT_EQ(listed.files[0].path, "/a");
  EXPECT_EQ(listed.token, token);
  EXPECT_NE(token, "");
}

TEST(CatalogDaemon, IsTheOnlyOneOnItsStateDir) {
  Folder folder;
  Running first(catalog(folder));
  Running second(catalog(folder));
  EXPECT_EQ(second.join().error().message, "a catalog is running on " + folder.path("state") + " already");
}

TEST(CatalogDaemon, NeedsAStateDir) {
  Stop stop;
  EXPECT_EQ(run_catalog({}, stop).error().code, ErrorCode::invalid);
}

}  // namespace
}  // namespace proffer::live::test
