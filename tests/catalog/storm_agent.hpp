// An agent of the catalog's storm: a disk, a link that loses messages, and the behaviour of a real agent.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "proffer/machine.hpp"
#include "proffer/random.hpp"

namespace proffer {

struct StormAgent {
  AgentId id;
  std::string rack;
  std::map<BlockId, std::uint64_t> disk;
  PeerId peer;
  SessionId session;  ///< 0: none yet
  std::uint64_t changes = 0;
  bool up = true;
  std::deque<Envelope> out;

  void say(Message message) { out.push_back({{}, {}, session, 0, std::move(message)}); }

  /// Sends a full report, in pages of two blocks.
  void report() {
    changes = 0;
    BlockReport page{
        id,        "a" + std::to_string(id.value.lo), rack, "ep" + std::to_string(id.value.lo), 0, false, {},
        {id.value}};
    for (const auto& block : disk) {
      page.blocks.push_back(block);
      if (page.blocks.size() < 2) continue;
      say(page);
      page.blocks.clear();
      ++page.page;
    }
    page.last = true;
    say(page);
  }
  void hello(PeerId fresh) {
    peer = fresh;
    session = {};
    out.clear();
    report();
  }
  void store(BlockId block, std::uint64_t length) {
    disk[block] = length;
    if (session.value != 0) say(BlocksChanged{++changes, {{block, length}}, {}});
  }
  void drop(BlockId block) {
    if (disk.erase(block) != 0 && session.value != 0) say(BlocksChanged{++changes, {}, {block}});
  }
  void beat() {
    if (session.value == 0) return report();
    say(Heartbeat{});
  }

  void receive(const Envelope& envelope) {
    if (const auto* error = std::get_if<ErrorMessage>(&envelope.message)) {
      if (error->error.code == ErrorCode::unknown_session) hello(peer);
    } else if (std::holds_alternative<CatalogWelcome>(envelope.message)) {
      if (session == envelope.session) return;
      session = envelope.session;
    } else if (std::holds_alternative<SendBlockReport>(envelope.message)) {
      report();
    } else if (const auto* deletion = std::get_if<DeleteBlocks>(&envelope.message)) {
      for (const auto block : deletion->blocks) drop(block);
    }
  }
};

}  // namespace proffer
