// A block in demand, from the wait of a real job to the replica that ends it.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "cluster.hpp"
#include "proffer/formats/event_log.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using testing::Cluster;
using testing::eventually;

constexpr const char* kAccessed = R"(
[catalog]
replication = "dsbra"
replication_variant = "accessed"
replication_interval = "500ms"
replication_threshold = "500ms"
replication_extra = 1.0
)";

const std::vector<std::string> kAgents{"n01", "n02", "n03", "n04"};

class HotBlock : public ::testing::Test {
 protected:
  HotBlock() {
    const auto text = cluster_.folder().file("text", "a line\n");
    EXPECT_EQ(cluster_({"put", "--replication", "1", text, "/hot"}).exit_code, 0);
    holder_ = holders().at(0);
    EXPECT_EQ(cluster_({"put", "--replication", "1", text, "/cold"}).exit_code, 0);
  }
  /// Agents with the first block that was put.
  std::vector<std::string> holders() const {
    std::vector<std::string> names;
    for (const auto& name : kAgents) {
      if (std::filesystem::exists(cluster_.folder().path() + "/cluster/" + name + "/blocks/1")) {
        names.push_back(name);
      }
    }
    return names;
  }
  /// The only slot near the block is somebody else's.
  live::Child occupy() {
    auto busy = cluster_.start({"run", "--name", "busy", "--prefer", holder_, "--policy",
                                "wait,node_wait=1h,rack_wait=1h", "--", "sleep", "300"});
    EXPECT_TRUE(eventually([&] { return cluster_.running("busy") == 1; }, 30s));
    return busy;
  }
  /// One short job after the other that reads another block and waits for nothing: what is hot is so beside
  /// what is not.
  live::Child read_the_other() {
    std::string jobs;
    for (int i = 0; i < 100; ++i) {
      jobs += "[[job]]\ninput = \"/cold\"\noutput = \"/cold-" + std::to_string(i) + "\"\nmapper = \"cat\"\n";
    }
    const auto list = cluster_.folder().file("cold.toml", jobs);
    return cluster_.start(
        {"mr", "--name", "cold", "-jobs", list, "--max-running-jobs", "1", "-policy", "greedy"});
  }
  std::vector<CopyDecided> copies() {
    std::vector<CopyDecided> decided;
    std::ifstream in(cluster_.processes().event_logs().at(1));
    for (std::string text; std::getline(in, text);) {
      const auto line = parse_trace(text);
      if (!line) continue;
      if (const auto* copy = std::get_if<CopyDecided>(&line->trace)) decided.push_back(*copy);
    }
    return decided;
  }

  Cluster cluster_{4, kAccessed, {{Kind("map"), 1}, {Kind("reduce"), 1}}};
  std::string holder_;
};

TEST_F(HotBlock, OfAJobThatWaitsAndLaunchesNothingIsCopiedAndReadWhereItIsNow) {
  const auto busy = occupy();
  auto hot = cluster_.start({"mr", "--name", "hot", "-input", "/hot", "-output", "/out", "-mapper", "cat",
                             "-policy", "wait,node_wait=1h,rack_wait=1h"},
                            cluster_.folder().path() + "/hot.log");
  const auto cold = read_the_other();
  EXPECT_EQ(hot.wait_exit(60s), std::optional(0));
  EXPECT_EQ(cluster_.running("busy"), 1) << "the job had its old place";
  std::vector<CopyDecided> decided;  // the log is written a little later
  ASSERT_TRUE(eventually(
      [&] {
        decided = copies();
        return !decided.empty();
      },
      20s));
  EXPECT_EQ(decided.at(0).block, BlockId{1});
  EXPECT_GE(holders().size(), 2u);
  EXPECT_EQ(cluster_({"cat", "/out"}).out, "a line\n");
}

}  // namespace
}  // namespace proffer
