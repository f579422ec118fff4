// The test language of the catalog: agents that report, clients that ask, and what came out of each step.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/catalog/catalog.hpp"
#include "tests/reads_back.hpp"

namespace proffer {

inline AgentId agent_id(std::uint64_t n) { return {Bits128{n, n}}; }
inline const ClusterId kCluster{Bits128{7, 7}};
inline constexpr Epoch kEpoch{3};
inline constexpr PeerId kClient{9000};

/// Returns the settings of a catalog that does not wait for its agents after a start.
inline CatalogConfig settled() {
  CatalogConfig config{"t0ken"};
  config.settle_for = {};
  return config;
}

class Stage {
 public:
  using Blocks = std::vector<std::pair<BlockId, std::uint64_t>>;

  explicit Stage(std::vector<FileInfo> files = {}, BlockId next = {1}, CatalogConfig config = settled())
      : catalog_(config, kCluster, kEpoch, std::move(files), next, Random(5), SecretSource(Random(6))) {
    greet(kClient);
  }
  /// Opens a session of a client, or keeps the one that there is.
  void greet(PeerId client) { receive(client, {}, CatalogHello{}); }

  /// Takes one event; the actions replace those of the last one.
  Actions& step(const Event& event) {
    actions_.clear();
    catalog_.step(event, actions_, now_);
    catalog_.check_invariants();
    expect_reads_back(actions_, event);
    return actions_;
  }
  Actions& receive(PeerId peer, SessionId session, Message message) {
    return step(MessageReceived{peer, {{}, {}, session, 0, std::move(message)}});
  }

  /// Lets time pass, and wakes the machine for its deadlines; the actions are those of all that time.
  Actions& pass(Duration time) {
    const auto end = now_ + time;
    Actions all;
    while (catalog_.next_deadline() && *catalog_.next_deadline() <= end) {
      now_ = *catalog_.next_deadline();
      step(TimePassed{});
      all.insert(all.end(), actions_.begin(), actions_.end());
    }
    now_ = end;
    return actions_ = std::move(all);
  }

  /// Lets time pass without running the machine.
  void sleep(Duration time) { now_ += time; }

  // ---- agents: number n is peer n, named aN, serving at epN ----

  BlockReport page(std::uint64_t n, const std::string& rack, Blocks blocks, std::uint32_t number = 0,
                   bool last = true) {
    const auto text = std::to_string(n);
    return {agent_id(n), "a" + text, rack, "ep" + text, number, last, std::move(blocks), secrets_[n]};
  }
  /// Connects as peer n and reports; remembers the session.
  void join(std::uint64_t n, const std::string& rack, Blocks blocks = {}) {
    receive(PeerId{n}, {}, page(n, rack, std::move(blocks)));
    learn_session(n);
  }
  void learn_session(std::uint64_t n) {
    for (const auto& [envelope, welcome] : sent<CatalogWelcome>(PeerId{n})) {
      sessions_[n] = envelope.session;
      secrets_[n] = welcome.secret;
    }
    changes_[n] = 0;
  }
  SessionId session(std::uint64_t n) { return sessions_.at(n); }
  void from_agent(std::uint64_t n, Message message) { receive(PeerId{n}, session(n), std::move(message)); }
  void stored(std::uint64_t n, BlockId block, std::uint64_t length) {
    from_agent(n, BlocksChanged{++changes_[n], {{block, length}}, {}});
  }
  void dropped(std::uint64_t n, BlockId block) { from_agent(n, BlocksChanged{++changes_[n], {}, {block}}); }

  // ---- clients ----

  /// Returns the answer to a request; the request's number must be repeated.
  template <class Answer, class Request>
  Answer ask(Request request) {
    request.request = ++requests_;
    receive(kClient, {}, request);
    const auto answers = sent<Answer>(kClient);
    EXPECT_EQ(answers.size(), 1u) << "answers to " << type_name(request);
    if (answers.empty()) return {};
    EXPECT_EQ(answers[0].second.request, requests_);
    return answers[0].second;
  }
  template <class Request>
  std::optional<Error> refused(Request request) {
    return ask<CatalogDone>(std::move(request)).error;
  }
  template <class Request>
  void must(Request request) {
    const auto error = refused(std::move(request));
    EXPECT_FALSE(error) << error->message;
  }
  BlockAllocated add_block(const std::string& path, AgentId writer = {}) {
    return ask<BlockAllocated>(AddBlock{0, path, writer});
  }
  /// Makes a complete file of blocks of these lengths, none of them stored anywhere.
  std::vector<BlockId> put(const std::string& path, const std::vector<std::uint64_t>& lengths = {10}) {
    must(CreateFile{0, path, 2});
    std::vector<BlockId> blocks;
    for (const auto length : lengths) {
      blocks.push_back(add_block(path).block);
      must(SealBlock{0, path, blocks.back(), length, 0});
    }
    must(CompleteFile{0, path});
    return blocks;
  }
  std::vector<std::string> list(const std::string& path) {
    std::vector<std::string> paths;
    for (const auto& file : ask<FilesListed>(ListFiles{0, path, false}).files) paths.push_back(file.path);
    return paths;
  }
  /// Returns the numbers of the agents that hold the first block of a file, as readers are told.
  std::vector<std::uint64_t> holders(const std::string& path) {
    std::vector<std::uint64_t> numbers;
    const auto listed = ask<FilesListed>(ListFiles{0, path, true});
    for (const auto& replica : listed.files.at(0).blocks.at(0).replicas)
      numbers.push_back(replica.agent.value.lo);
    return numbers;
  }

  // ---- what came out ----

  template <class M>
  std::vector<std::pair<Envelope, M>> sent(PeerId peer) const {
    std::vector<std::pair<Envelope, M>> found;
    for (const auto& action : actions_) {
      const auto* send = std::get_if<Send>(&action);
      if (!send || send->peer != peer) continue;
      if (const auto* message = std::get_if<M>(&send->envelope.message)) {
        found.emplace_back(send->envelope, *message);
      }
    }
    return found;
  }
  std::vector<BlockId> told_to_delete(std::uint64_t n) const {
    std::vector<BlockId> blocks;
    for (const auto& [envelope, message] : sent<DeleteBlocks>(PeerId{n})) {
      blocks.insert(blocks.end(), message.blocks.begin(), message.blocks.end());
    }
    return blocks;
  }
  /// Returns the kinds of actions in order: persist and send.
  std::vector<std::string> order() const {
    std::vector<std::string> kinds;
    for (const auto& action : actions_) {
      if (std::holds_alternative<Persist>(action)) kinds.push_back("persist");
      if (std::holds_alternative<Send>(action)) kinds.push_back("send");
    }
    return kinds;
  }
  const Actions& actions() const { return actions_; }
  void set_room(Room room) { step(StoreRoom{room, "names.sqlite: No space left on device"}); }
  Time now() const { return now_; }
  std::optional<Time> deadline() const { return catalog_.next_deadline(); }

 private:
  Catalog catalog_;
  Time now_ = time_from_us(1'000'000);
  Actions actions_;
  std::map<std::uint64_t, SessionId> sessions_;
  std::map<std::uint64_t, Secret> secrets_;
  std::map<std::uint64_t, std::uint64_t> changes_;
  std::uint64_t requests_ = 0;
};

}  // namespace proffer
