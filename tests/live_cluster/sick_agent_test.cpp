// One agent that cannot do its work must not take everybody's work with it.
#include <gmock/gmock.h>

#include <filesystem>

#include "cluster.hpp"

namespace proffer {
namespace {

using testing::Cluster;
using ::testing::HasSubstr;
using ::testing::Not;

/// The first of two agents cannot make a sandbox until it is repaired.
class SickAgent : public ::testing::Test {
 protected:
  SickAgent() {
    std::filesystem::remove_all(sandboxes);
    cluster.folder().file("cluster/n01/sandboxes", "no folder");
  }
  void repair() const {
    std::filesystem::remove(sandboxes);
    std::filesystem::create_directory(sandboxes);
  }
  Cluster cluster{2};
  const std::string sandboxes = cluster.folder().path() + "/cluster/n01/sandboxes";
};

TEST_F(SickAgent, EatsNoTasksAndStatusSaysWhyUntilItIsWell) {
  const auto ran = cluster({"run", "-n", "20", "--", "true"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("FAILED: cannot make the folder"));
  EXPECT_THAT(ran.err, HasSubstr("tried again"));
  const auto status = cluster({"status"});
  EXPECT_THAT(status.out, HasSubstr("trouble")) << status.out;
  EXPECT_THAT(status.out, HasSubstr("cannot make the folder " + sandboxes)) << status.out;
  const auto json = cluster({"status", "-o", "json"});
  EXPECT_THAT(json.out, HasSubstr("\"trouble\": \"cannot make the folder " + sandboxes)) << json.out;
  repair();
  EXPECT_TRUE(
      testing::eventually([&] { return cluster({"status"}).out.find("cannot make") == std::string::npos; },
                          std::chrono::seconds(60)));
}

TEST_F(SickAgent, FailsNoMapReduceJob) {
  const auto input = cluster.folder().file("words", "a b\nb c\n");
  ASSERT_EQ(cluster({"put", input, "/in"}).exit_code, 0);
  const auto ran = cluster({"mr", "-input", "/in", "-output", "/out", "-mapper", "tr ' ' '\\n'", "-reducer",
                            "uniq -c", "-numReduceTasks", "2"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(cluster({"ls", "/out"}).exit_code, 0);
}

}  // namespace
}  // namespace proffer
