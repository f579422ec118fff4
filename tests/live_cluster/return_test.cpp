// An agent that was away when a job began, and comes back with the blocks that the job reads.
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>

#include "cluster.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using testing::eventually;

/// The catalog makes no replicas, so that only those count that agents come and go with.
constexpr const char* kSettings = R"(
[allocator]
unreachable_after = "6s"
[catalog]
replication_restore_after = "0s"
)";

/// Two agents with a slot each hold all of a file of four blocks.
class ReturningAgent : public ::testing::Test {
 protected:
  ReturningAgent() {
    std::string lines;
    for (int i = 0; i < 4096; ++i) lines += "fifteen letters\n";
    const auto text = cluster_.folder().file("text", lines);
    EXPECT_EQ(cluster_({"put", "--block-size", "16KiB", "--replication", "2", text, "/text"}).exit_code, 0);
  }
  std::string dir(const std::string& agent) const { return cluster_.folder().path() + "/cluster/" + agent; }
  /// As it was started the first time.
  live::Child start_again(const std::string& agent) const {
    return testing::start_proffer({"agent", "--config", dir(agent) + "/agent.toml", "--end-with-parent"},
                                  dir(agent) + "/log-again");
  }
  /// So many agents hold each block, as readers are told.
  bool is_held_by(std::size_t agents) {
    live::Context context;
    auto catalog = live::CatalogClient::connect(context, cluster_.processes().catalog_endpoint(), 20s);
    if (!catalog) return false;
    const auto answer = (*catalog)->ask(ListFiles{0, "/text", true});
    const auto* listed = answer ? std::get_if<FilesListed>(&*answer) : nullptr;
    if (listed == nullptr || listed->files.empty()) return false;
    const auto& blocks = listed->files.front().blocks;
    return std::all_of(blocks.begin(), blocks.end(),
                       [&](const BlockInfo& block) { return block.replicas.size() == agents; });
  }

  Cluster cluster_{2, kSettings, {{Kind("map"), 1}, {Kind("reduce"), 1}}};
};

TEST_F(ReturningAgent, IsGivenTasksOfAJobThatBeganWithoutItAndEndsTheJobAlone) {
  ASSERT_TRUE(is_held_by(2));
  ::kill(cluster_.processes().agent_pid(0), SIGKILL);
  ASSERT_TRUE(eventually([&] { return is_held_by(1); }, 60s));
  const auto gate = cluster_.folder().path() + "/gate";
  const auto log = cluster_.folder().path() + "/mr.log";
  auto job = cluster_.start(
      {"mr", "--name", "mr", "-input", "/text", "-output", "/out", "-mapper",
       "while [ ! -e " + gate + " ]; do sleep 0.1; done; cat", "-policy", "wait,node_wait=1h,rack_wait=1h"},
      log);
  ASSERT_TRUE(eventually([&] { return cluster_.running("mr") == 1; }, 60s));
  const auto back = start_again("n01");
  ASSERT_TRUE(eventually([&] { return cluster_.running("mr") == 2; }, 60s))
      << "it would wait an hour for a slot that is not near its data";
  ::kill(cluster_.processes().agent_pid(1), SIGKILL);
  cluster_.folder().file("gate", "");
  EXPECT_EQ(job.wait_exit(120s), std::optional(0)) << testing::read_file(log);
  EXPECT_EQ(cluster_({"cat", "/out"}).out.size(), 4096u * 16);
}

}  // namespace
}  // namespace proffer
