// A seeded storm over the catalog: writers that give up, agents that vanish and lie silent, messages that are
// lost, catalogs that start again. Then calm, in which everything must come right.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "proffer/catalog/catalog.hpp"
#include "storm_agent.hpp"
#include "tests/reads_back.hpp"

namespace proffer {
namespace {

constexpr PeerId kStormClient{1};

class Storm {
 public:
  explicit Storm(std::uint64_t seed) : random_(seed), start_seed_(seed) {
    for (std::uint64_t n = 1; n <= 6; ++n) {
      agents_.push_back({{Bits128{n, n}}, n % 2 ? "odd" : "even", {}, {}, {}, 0, true, {}});
      agents_.back().hello(fresh_peer());
    }
    start();
  }

  void rage(int turns) {
    loss_percent_ = random_.below(20);
    for (int i = 0; i < turns; ++i) {
      disturb();
      client_turn();
      exchange();
      now_ += std::chrono::milliseconds(random_.below(700));
    }
  }

  /// Nothing is lost any more, and everybody has time.
  void calm_down() {
    loss_percent_ = 0;
    for (auto& agent : agents_) agent.up = true;
    for (int second = 0; second < 90; ++second) {
      // A change that was lost shows with the next one.
      for (auto& agent : agents_) {
        if (second == 30 && agent.session.value != 0) agent.say(BlocksChanged{++agent.changes, {}, {}});
      }
      beat_all();
      exchange();
      now_ += std::chrono::seconds(1);
      step(TimePassed{});
      exchange();
    }
  }

  /// Readers are told exactly the replicas on disk, and no disk holds what nobody wants.
  void expect_all_right() {
    std::map<BlockId, std::uint64_t> wanted = open_blocks_;
    for (const auto& file : ask<FilesListed>(ListFiles{0, "/", true}).files) {
      ASSERT_EQ(file, with_replicas(durable_.at(file.path)));
      for (const auto& block : file.blocks) wanted[block.block] = block.length;
    }
    for (const auto& agent : agents_) {
      for (const auto& [block, length] : agent.disk) {
        ASSERT_TRUE(wanted.contains(block)) << "block " << block.value << " is nobody's";
        ASSERT_TRUE(wanted[block] == 0 || wanted[block] == length)
            << "block " << block.value << " is damaged";
      }
    }
  }

 private:
  // ---- the catalog and its disk ----

  void start() {
    std::vector<FileInfo> files;
    for (const auto& [path, file] : durable_) files.push_back(file);
    CatalogConfig config;
    config.token = "t";
    ++epoch_;
    catalog_.emplace(config, ClusterId{Bits128{1, 1}}, Epoch{epoch_}, files, next_durable_,
                     Random(start_seed_ * 1000 + epoch_), SecretSource(Random(epoch_)));
    step(MessageReceived{kStormClient, {{}, {}, {}, 0, CatalogHello{}}});
    open_blocks_.clear();
    writing_.clear();
    for (auto& agent : agents_) agent.hello(fresh_peer());
  }

  void step(const Event& event) {
    Actions actions;
    catalog_->step(event, actions, now_);
    catalog_->check_invariants();
    expect_reads_back(actions, event);
    for (const auto& action : actions) carry_out(action);
  }

  void carry_out(const Action& action) {
    if (const auto* persist = std::get_if<Persist>(&action))
      std::visit([&](const auto& p) { make_durable(p); }, *persist);
    const auto* send = std::get_if<Send>(&action);
    if (!send) return;
    if (send->peer == kStormClient) {
      answer_ = send->envelope.message;
      return;
    }
    if (const auto* deletion = std::get_if<DeleteBlocks>(&send->envelope.message))
      expect_deletable(*deletion, send->peer);
    for (auto& agent : agents_) {
      if (agent.peer == send->peer && agent.up && random_.below(100) >= loss_percent_)
        agent.receive(send->envelope);
    }
  }
  void make_durable(const PersistFile& change) { durable_[change.file.path] = change.file; }
  void make_durable(const ForgetFile& change) { ASSERT_EQ(durable_.erase(change.path), 1u); }
  void make_durable(const PersistNextBlock& change) {
    ASSERT_GT(change.next, next_durable_);
    next_durable_ = change.next;
  }

  /// Never a good replica of a file, nor one of a file that is being written.
  void expect_deletable(const DeleteBlocks& deletion, PeerId peer) {
    const auto agent =
        std::find_if(agents_.begin(), agents_.end(), [&](const auto& a) { return a.peer == peer; });
    if (agent == agents_.end()) return;
    for (const auto block : deletion.blocks) {
      const auto length = agent->disk.contains(block) ? agent->disk.at(block) : 0;
      for (const auto& [path, file] : durable_) {
        for (const auto& kept : file.blocks) {
          ASSERT_FALSE(kept.block == block && kept.length == length) << "of " << path;
        }
      }
      const auto open = open_blocks_.find(block);
      ASSERT_TRUE(open == open_blocks_.end() || (open->second != 0 && open->second != length));
    }
  }

  // ---- clients ----

  template <class Answer, class Request>
  Answer ask(Request request) {
    request.request = ++requests_;
    answer_ = CatalogDone{};
    step(MessageReceived{kStormClient, {{}, {}, {}, 0, request}});
    const auto* answer = std::get_if<Answer>(&answer_);
    return answer && answer->request == requests_ ? *answer : Answer{};
  }
  template <class Request>
  bool done(Request request) {
    const auto answer = ask<CatalogDone>(std::move(request));
    return answer.request == requests_ && !answer.error;
  }

  std::string some_path() {
    return "/d" + std::to_string(random_.below(3)) + "/f" + std::to_string(random_.below(5));
  }

  void client_turn() {
    const auto path = some_path();
    switch (random_.below(6)) {
      case 0:
        if (done(CreateFile{0, path, 1 + static_cast<std::uint32_t>(random_.below(4))}))
          writing_.insert(path);
        return;
      case 1:
      case 2:
        if (writing_.contains(path)) write_block(path);
        return;
      case 3:
        if (writing_.contains(path) && done(CompleteFile{0, path})) forget_writing(path);
        return;
      case 4:
        return rename(path);
      default:
        if (random_.below(4) == 0) remove(path);
    }
  }

  void remove(const std::string& path) {
    const auto before = open_blocks_;
    for (const auto block : of_path_[path]) open_blocks_.erase(block);
    open_blocks_.erase(pending_[path]);
    if (done(RemoveFiles{0, path})) return forget_writing(path);
    open_blocks_ = before;
  }

  void write_block(const std::string& path) {
    const auto before = open_blocks_;
    if (open_blocks_[pending_[path]] == 0) open_blocks_.erase(pending_[path]);  // given up by asking again
    const auto allocated = ask<BlockAllocated>(AddBlock{0, path, {}});
    if (allocated.targets.empty()) {
      open_blocks_ = before;
      return;
    }
    ASSERT_TRUE(ids_.insert(allocated.block).second) << "an id was given out twice";
    open_blocks_[allocated.block] = 0;
    pending_[path] = allocated.block;
    const auto length = 1 + random_.below(100);
    for (const auto& target : allocated.targets) {
      // Now and then a target fails, or is left with the wrong length.
      const auto luck = random_.below(10);
      auto& agent = agents_.at(target.agent.value.lo - 1);
      if (luck > 0) agent.store(allocated.block, luck == 1 ? length + 1 : length);
    }
    if (random_.below(3) == 0) exchange();
    if (random_.below(5) == 0) return;  // the writer hesitates; it may ask again
    open_blocks_[allocated.block] = length;
    if (!done(SealBlock{0, path, allocated.block, length, 0})) open_blocks_[allocated.block] = 0;
    of_path_[path].insert(allocated.block);
  }

  void forget_writing(const std::string& path) {
    for (const auto block : of_path_[path]) open_blocks_.erase(block);
    open_blocks_.erase(pending_[path]);
    of_path_.erase(path);
    pending_.erase(path);
    writing_.erase(path);
  }

  void rename(const std::string& path) {
    const auto before = durable_;
    if (!done(RenameFiles{0, {{path, some_path() + "x"}, {some_path(), some_path() + "y"}}})) {
      ASSERT_EQ(durable_, before) << "a refused rename left something";
    } else {
      ASSERT_EQ(durable_.size(), before.size());
    }
  }

  // ---- agents ----

  PeerId fresh_peer() { return {++peers_}; }

  void disturb() {
    const auto luck = random_.below(60);
    auto& agent = agents_[random_.below(agents_.size())];
    if (luck == 0) start();
    if (luck == 1) agent.up = !agent.up;
    if (luck == 2) {
      step(PeerLost{agent.peer});
      agent.hello(fresh_peer());
    }
    if (luck == 3) agent.hello(fresh_peer());
    if (luck == 4 && !agent.disk.empty()) agent.drop(agent.disk.begin()->first);
    if (luck < 30) beat_all();
  }

  void beat_all() {
    for (auto& agent : agents_) {
      if (agent.up) agent.beat();
    }
  }

  void exchange() {
    for (auto& agent : agents_) {
      if (!agent.up) continue;
      for (int budget = 200; budget > 0 && !agent.out.empty(); --budget) {
        const MessageReceived in{agent.peer, agent.out.front()};
        agent.out.pop_front();
        if (random_.below(100) >= loss_percent_) step(in);
      }
    }
  }

  FileInfo with_replicas(FileInfo file) const {
    for (auto& block : file.blocks) {
      for (const auto& agent : agents_) {
        const auto held = agent.disk.find(block.block);
        if (held == agent.disk.end() || held->second != block.length) continue;
        block.replicas.push_back({agent.id, "ep" + std::to_string(agent.id.value.lo), agent.rack});
      }
    }
    return file;
  }

  Random random_;
  std::uint64_t start_seed_;
  std::optional<Catalog> catalog_;
  std::uint64_t epoch_ = 0;
  Time now_ = time_from_us(0);
  std::vector<StormAgent> agents_;
  std::map<std::string, FileInfo> durable_;
  BlockId next_durable_{1};
  std::set<BlockId> ids_;
  std::set<std::string> writing_;
  std::map<std::string, BlockId> pending_;
  std::map<std::string, std::set<BlockId>> of_path_;
  std::map<BlockId, std::uint64_t> open_blocks_;  // of files being written, with sealed lengths (0: pending)
  Message answer_;
  std::uint64_t requests_ = 0;
  std::uint64_t peers_ = 10;
  std::uint64_t loss_percent_ = 0;
};

TEST(Storm, AfterItReadersAndDisksAgree) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Storm storm(seed);
    storm.rage(400);
    storm.calm_down();
    storm.expect_all_right();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace proffer
