// Jobs and readers while the catalog does not run, or has just been started again.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include "cluster.hpp"

namespace proffer {
namespace {

using testing::Cluster;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::read_file;
using namespace std::chrono_literals;

class CatalogAway : public ::testing::Test {
 protected:
  CatalogAway() {
    std::string text;
    for (int i = 0; i < 4000; ++i) text += "line " + std::to_string(i) + "\n";
    EXPECT_EQ(
        cluster({"put", "--block-size", "16KiB", cluster.folder().file("text", text), "/text"}).exit_code, 0);
  }

  /// Its reduces begin to write once the gate is there.
  live::Child start_job() {
    const auto note = "echo >> " + reduces + "; ";
    const auto wait = "while [ ! -e " + gate + " ]; do sleep 0.05; done; ";
    auto job = cluster.start({"mr", "-input", "/text", "-output", "/out", "-mapper", "cat", "-reducer",
                              note + wait + "cat", "-numReduceTasks", "2"},
                             log);
    EXPECT_TRUE(eventually([&] { return read_file(reduces).size() == 2; }, 60s)) << "both reduces run";
    return job;
  }
  void open_gate() { cluster.folder().file("gate", ""); }
  void kill_catalog() {
    const auto pid = cluster.processes().catalog_pid();
    ASSERT_EQ(::kill(pid, SIGKILL), 0);
    ASSERT_TRUE(eventually([&] { return cluster.processes().ended().has_value(); }, 10s));
  }
  /// Another one in its place.
  live::Child start_catalog() const {
    auto catalog = testing::start_proffer(
        {"catalog", "--endpoint", endpoint, "--state-dir", cluster.folder().path() + "/cluster/catalog"});
    EXPECT_TRUE(catalog.read_line(30s));
    return catalog;
  }

  Cluster cluster{2};
  std::string endpoint = cluster.processes().catalog_endpoint();
  std::string gate = cluster.folder().path() + "/gate";
  std::string reduces = cluster.folder().path() + "/reduces";
  std::string log = cluster.folder().path() + "/err";
};

TEST_F(CatalogAway, AReduceThatWritesMeanwhileWaitsForIt) {
  auto job = start_job();
  ASSERT_EQ(::kill(cluster.processes().catalog_pid(), SIGSTOP), 0);
  open_gate();
  EXPECT_FALSE(eventually([&] { return read_file(log).find("failed") != std::string::npos; }, 8s))
      << read_file(log);
  ASSERT_EQ(::kill(cluster.processes().catalog_pid(), SIGCONT), 0);
  EXPECT_EQ(job.wait_exit(90s), 0) << read_file(log);
  EXPECT_THAT(read_file(log), Not(HasSubstr("failed")));
  EXPECT_EQ(read_file(reduces).size(), 2u) << "no reduce was run again";
}

TEST_F(CatalogAway, AReduceWhosePartWasForgottenIsMadeAgainAndHasNotFailed) {
  auto job = start_job();
  kill_catalog();
  const auto catalog = start_catalog();
  open_gate();
  EXPECT_EQ(job.wait_exit(90s), 0) << read_file(log);
  EXPECT_THAT(read_file(log), Not(HasSubstr("failed")));
  EXPECT_EQ(read_file(reduces).size(), 4u) << "each was run again";
}

TEST_F(CatalogAway, WhatBeginsRightAfterItsStartFindsTheBlocks) {
  kill_catalog();
  const auto catalog = start_catalog();
  const auto read = cluster({"cat", "/text"});
  EXPECT_EQ(read.exit_code, 0) << read.err;
  EXPECT_THAT(read.out, ::testing::StartsWith("line 0\n"));
}

TEST_F(CatalogAway, AJobThatBeginsRightAfterItsStartFindsItsInput) {
  kill_catalog();
  const auto catalog = start_catalog();
  const auto ran = cluster({"mr", "-input", "/text", "-output", "/out", "-mapper", "cat"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

}  // namespace
}  // namespace proffer
