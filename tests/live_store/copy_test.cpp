// Blocks in demand are copied from data port to data port, on loopback.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "live/transport/envelope.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/formats/toml.hpp"
#include "store_cluster.hpp"

namespace proffer::live {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace fs = std::filesystem;

ClusterShape replicating(std::optional<std::uint64_t> uplink = {}) {
  ClusterShape shape;
  shape.agents = 4;
  shape.uplink_bytes_per_s = uplink;
  shape.replication.policy = ReplicationPolicy::dsbra;
  shape.replication.variant = DsbraVariant::accessed;
  shape.replication.interval = milliseconds(200);
  shape.replication.threshold = seconds(1);
  shape.replication.extra_milli = 500;
  return shape;
}

class Copies {
 public:
  explicit Copies(std::size_t block_bytes, std::optional<std::uint64_t> uplink = {})
      : Copies(block_bytes, replicating(uplink)) {}
  Copies(std::size_t block_bytes, const ClusterShape& shape) : cluster(shape) {
    for (std::size_t i = 0; hot_.size() < block_bytes; ++i) hot_ += "line " + std::to_string(i) + "\n";
    for (const auto* name : {"hot", "cold"}) {
      const auto done = put_path(cluster.context(), *client_, cluster.dir().write(name, hot_),
                                 std::string("/") + name, {2, 64 << 20, seconds(30)});
      EXPECT_TRUE(done.ok());
    }
    auto port = ConnectedPort::connect(cluster.context(), cluster.catalog_endpoint());
    EXPECT_TRUE(port.ok());
    port_ = std::move(*port);
  }

  StoreCluster cluster;

  BlockInfo block(const std::string& path) {
    const auto listed = client_->ask(ListFiles{0, path, true});
    EXPECT_TRUE(listed.ok());
    return std::get<FilesListed>(*listed).files.at(0).blocks.at(0);
  }
  /// As a framework whose every task waits for the hot block, and none for the other.
  void report() {
    const BlocksUsed used{{{block("/hot").block, 4, 4, seconds(4)}, {block("/cold").block, 4, 0, {}}}, {}};
    say(CatalogHello{});
    say(used);
    port_->flush();
  }
  void say(Message message) {
    std::string bytes;
    encode(bare_envelope(std::move(message)), bytes);
    EXPECT_EQ(port_->send({}, std::move(bytes)), Sent::yes);
  }
  fs::path file_at(std::uint64_t n, BlockId id) const {
    return fs::path(cluster.agent_dir(n)) / "blocks" / std::to_string(id.value);
  }
  /// On these agents' disks, each with the right bytes.
  std::size_t whole_replicas(BlockId id, std::uint64_t but = 0) const {
    std::size_t whole = 0;
    for (std::uint64_t n = 1; n <= 4; ++n) {
      if (n == but || !fs::exists(file_at(n, id))) continue;
      EXPECT_EQ(formats::read_text_file(file_at(n, id)).value(), hot_) << "on agent " << n;
      ++whole;
    }
    return whole;
  }
  bool any_half_copied(BlockId id) const {
    for (std::uint64_t n = 1; n <= 4; ++n) {
      if (fs::exists(file_at(n, id).string() + ".copy.part")) return true;
    }
    return false;
  }

 private:
  std::string hot_;
  std::unique_ptr<CatalogClient> client_ = cluster.client();
  std::unique_ptr<ConnectedPort> port_;
};

TEST(BlockCopies, WhatAnAgentHeldThatDiesIsWholeOnAnother) {
  ClusterShape shape;
  shape.agents = 4;
  shape.replication.restore_after = milliseconds(400);
  Copies copies(100'000, shape);
  const auto hot = copies.block("/hot");
  const auto killed = hot.replicas.at(0).agent.value.lo;
  copies.cluster.kill_agent(killed);
  // The catalog hears of a replica after its file is whole.
  StoreCluster::eventually(
      [&] {
        const auto now = copies.block("/hot").replicas;
        return now.size() == 2 && std::none_of(now.begin(), now.end(), [&](const Replica& replica) {
                 return replica.agent.value.lo == killed;
               });
      },
      "a replica in its place");
  EXPECT_EQ(copies.whole_replicas(hot.block, killed), 2u);
}

TEST(BlockCopies, HotBlockIsWholeOnAnotherAgentAndReadersAreToldOfIt) {
  Copies copies(100'000);
  const auto hot = copies.block("/hot").block;
  StoreCluster::eventually(
      [&] {
        copies.report();
        return copies.block("/hot").replicas.size() >= 3;
      },
      "a third replica");
  EXPECT_GE(copies.whole_replicas(hot), 3u);
  EXPECT_EQ(copies.whole_replicas(copies.block("/cold").block), 2u);
}

/// Which of the two holders is the source is not known here, so each is killed once.
class KilledHolder : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(OfTwo, KilledHolder, testing::Values(0, 1));

TEST_P(KilledHolder, DuringACopyLeavesNothingHalfWrittenAndACopyIsMadeAllTheSame) {
  Copies copies(1'200'000, 300'000);
  const auto hot = copies.block("/hot");
  const auto killed = hot.replicas.at(GetParam()).agent.value.lo;
  StoreCluster::eventually(
      [&] {
        copies.report();
        return copies.any_half_copied(hot.block);
      },
      "a copy has begun");
  copies.cluster.kill_agent(killed);
  StoreCluster::eventually(
      [&] {
        copies.report();
        const auto now = copies.block("/hot").replicas;
        const auto lives = [&](const Replica& replica) { return replica.agent.value.lo != killed; };
        return std::count_if(now.begin(), now.end(), lives) >= 2;
      },
      "a replica beside the one that is left");
  EXPECT_GE(copies.whole_replicas(hot.block, killed), 2u);
  StoreCluster::eventually([&] { return !copies.any_half_copied(hot.block); }, "no copy is left half-made");
}

}  // namespace
}  // namespace proffer::live
