// A seeded storm over the replication manager: agents that come and go with their disks, copies that arrive,
// fail or are forgotten, reports at random. Whatever it decides must keep to its two promises.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "stage.hpp"

namespace proffer {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr std::uint64_t kAgents = 6;
constexpr std::uint64_t kBlocks = 8;
constexpr std::uint64_t kBytes = 1000;
constexpr std::size_t kReplication = 2;

CatalogConfig stormy(ReplicationPolicy policy, Duration restore_after) {
  CatalogConfig config;
  config.token = "t";
  config.agent_silent_after = hours(1000);
  config.replication.policy = policy;
  config.replication.variant = DsbraVariant::accessed;
  config.replication.threshold = seconds(1);
  config.replication.interval = seconds(20);
  config.replication.restore_after = restore_after;
  return config;
}

std::vector<FileInfo> one_file() {
  FileInfo file{"/f", kBlocks * kBytes, kReplication, true, {}};
  for (std::uint64_t b = 1; b <= kBlocks; ++b) file.blocks.push_back({BlockId{b}, kBytes, 0, {}});
  return {file};
}

class HotStorm {
 public:
  HotStorm(std::uint64_t seed, ReplicationPolicy policy, Duration restore_after)
      : random_(seed), stage_(one_file(), BlockId{kBlocks + 1}, stormy(policy, restore_after)) {
    for (std::uint64_t b = 1; b <= kBlocks; ++b) {
      disks_[1 + b % kAgents].insert(BlockId{b});
      disks_[1 + (b + 2) % kAgents].insert(BlockId{b});
    }
    for (std::uint64_t n = 1; n <= kAgents; ++n) join(n);
  }

  void rage(int turns) {
    for (int i = 0; i < turns && !testing::Test::HasFatalFailure(); ++i) turn();
  }
  std::size_t copied() const { return copied_; }
  std::size_t dropped() const { return dropped_; }

 private:
  void turn() {
    switch (random_.below(9)) {
      case 0:
      case 1:
      case 2:
        return report();
      case 3:
      case 4:
        return look(stage_.pass(seconds(random_.below(40))));
      case 5:
      case 6:
        return end_copy(random_.below(4) != 0);
      case 7:
        return delete_some();
      default:
        return come_or_go();
    }
  }

  void join(std::uint64_t n) {
    Stage::Blocks held;
    for (const auto block : disks_[n]) held.emplace_back(block, kBytes);
    stage_.join(n, "r1", held);
    up_.insert(n);
    look(stage_.actions());
  }
  void report() {
    BlocksUsed used;
    for (std::uint64_t b = 1; b <= kBlocks; ++b) {
      const auto tasks = static_cast<std::uint32_t>(random_.below(4));
      const auto delayed = b <= 3 ? tasks : 0;
      if (tasks > 0) used.blocks.push_back({BlockId{b}, tasks, delayed, seconds(delayed)});
      if (tasks > 1) used.remote.push_back({BlockId{b}, agent_id(1 + random_.below(kAgents))});
    }
    look(stage_.receive(kClient, {}, used));
  }
  void end_copy(bool well) {
    if (ordered_.empty()) return;
    const auto at = std::next(ordered_.begin(), static_cast<std::ptrdiff_t>(random_.below(ordered_.size())));
    const auto [n, block] = *at;
    ordered_.erase(at);
    if (well) {
      disks_[n].insert(block);
      stage_.stored(n, block, kBytes);
    } else {
      stage_.from_agent(n, CopyFailed{block, {ErrorCode::io, "no"}});
    }
    look(stage_.actions());
  }
  void delete_some() {
    const auto condemned = std::exchange(condemned_, {});
    for (const auto& [n, block] : condemned) {
      if (!up_.contains(n) || disks_[n].erase(block) == 0) continue;
      stage_.dropped(n, block);
      look(stage_.actions());
    }
  }
  /// Lets an agent come or go. When it goes, both sides forget what it was told.
  void come_or_go() {
    const auto n = 1 + random_.below(kAgents);
    if (!up_.contains(n)) return join(n);
    if (up_.size() <= 3) return;
    up_.erase(n);
    const auto of_it = [n = n](const auto& one) { return one.first == n; };
    std::erase_if(ordered_, of_it);
    std::erase_if(condemned_, of_it);
    look(stage_.step(PeerLost{PeerId{n}}));
  }

  void look(const Actions& actions) {
    const Actions seen = actions;
    bool any_copy = false;
    for (const auto& action : seen) {
      if (const auto* send = std::get_if<Send>(&action)) hear(*send);
      const auto* emit = std::get_if<Emit>(&action);
      if (emit == nullptr) continue;
      if (const auto* copy = std::get_if<CopyDecided>(&emit->trace)) {
        any_copy |= copy->why == "hot" || copy->why == "read from elsewhere";  // others may restore
        ++copied_;
      }
      if (const auto* dropped = std::get_if<DropDecided>(&emit->trace)) check(*dropped);
      if (const auto* storage = std::get_if<StorageCounted>(&emit->trace); storage != nullptr && any_copy) {
        ASSERT_LE(storage->extra * 10, storage->base * 3);
        any_copy = false;
      }
    }
  }
  void hear(const Send& send) {
    const auto n = send.peer.value;
    if (const auto* copy = std::get_if<CopyBlock>(&send.envelope.message)) {
      ASSERT_FALSE(disks_[n].contains(copy->block));
      ordered_.insert({n, copy->block});
    }
    if (const auto* deletion = std::get_if<DeleteBlocks>(&send.envelope.message)) {
      for (const auto block : deletion->blocks) condemned_.insert({n, block});
    }
  }
  void check(const DropDecided& dropped) {
    ++dropped_;
    std::size_t left = 0;
    for (const auto n : up_) {
      const bool goes = agent_id(n) == dropped.agent || condemned_.contains({n, dropped.block});
      if (!goes && disks_[n].contains(dropped.block)) ++left;
    }
    ASSERT_GE(left, kReplication);
  }

  Random random_;
  Stage stage_;
  std::map<std::uint64_t, std::set<BlockId>> disks_;
  std::set<std::uint64_t> up_;
  std::set<std::pair<std::uint64_t, BlockId>> ordered_;
  std::set<std::pair<std::uint64_t, BlockId>> condemned_;
  std::size_t copied_ = 0;
  std::size_t dropped_ = 0;
};

TEST(HotStorm, KeepsWhatWasAskedForAndStaysBelowTheCap) {
  using enum ReplicationPolicy;
  for (const auto& [policy, restore_after] : {std::pair(dsbra, 0), {dare, 0}, {fixed, 60}, {dsbra, 60}}) {
    std::size_t copied = 0;
    std::size_t dropped = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      HotStorm storm(seed, policy, seconds(restore_after));
      storm.rage(400);
      if (HasFatalFailure()) return;
      copied += storm.copied();
      dropped += storm.dropped();
    }
    EXPECT_GT(copied, 100u) << "else nothing was tried";
    EXPECT_GT(dropped, 20u);
  }
}

}  // namespace
}  // namespace proffer
