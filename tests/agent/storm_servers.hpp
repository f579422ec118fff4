// An allocator and a catalog for storms: small models of real ones, that remember what they were told and
// check that nothing is told twice in different words.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/random.hpp"

namespace proffer::agent_test {

/// A server with one client: its session, its epoch, its outgoing messages.
class StormServer {
 public:
  std::deque<Envelope> out;

  void restart() {
    ++epoch_;
    session_ = {};
    out.clear();
  }
  bool in_session() const { return session_.value != 0; }

 protected:
  void say(Message message) {
    out.push_back({ClusterId{Bits128{7, 7}}, {epoch_}, session_, ++seq_, std::move(message)});
  }
  void open(Random& random) {
    session_ = random.session();
    seq_ = 0;
  }
  bool ours(const Envelope& envelope) {
    if (session_.value != 0 && envelope.session == session_) return true;
    const ErrorMessage error{{ErrorCode::unknown_session, "say hello again"}, envelope.seq};
    out.push_back({ClusterId{Bits128{7, 7}}, {epoch_}, {}, 0, error});
    return false;
  }

 private:
  std::uint64_t epoch_ = 1;
  SessionId session_;
  std::uint64_t seq_ = 0;
};

class StormAllocator : public StormServer {
 public:
  struct Known {
    Launch launch;
    bool acked = false;
    bool kill = false;
    std::uint64_t seq = 0;  // of the newest status
    std::optional<TaskStatus> end;
  };
  std::map<LaunchId, Known> tasks;
  std::string trouble;  // of the agent, as it said

  void receive(const Envelope& envelope, Random& random) {
    if (const auto* hello = std::get_if<Register>(&envelope.message)) return welcome(*hello, random);
    if (!ours(envelope)) return;
    if (const auto* ack = std::get_if<LaunchAck>(&envelope.message)) tasks.at(ack->launch).acked = true;
    if (const auto* status = std::get_if<Status>(&envelope.message)) take(*status);
    if (const auto* health = std::get_if<AgentHealth>(&envelope.message)) {
      trouble = health->trouble;
      say(*health);
    }
  }

  /// Repeats what has no answer yet.
  void insist() {
    if (!in_session()) return;
    say(Heartbeat{});
    for (const auto& [id, task] : tasks) {
      if (!task.acked) say(task.launch);
      if (task.kill && !task.end)
        say(Kill{task.launch.framework, task.launch.task.id, std::chrono::seconds(2)});
    }
  }
  bool settled() const {
    for (const auto& [id, task] : tasks) {
      if (!task.acked || !task.end) return false;
    }
    return true;
  }

 private:
  void welcome(const Register& hello, Random& random) {
    std::set<LaunchId> listed;
    for (const auto& task : hello.tasks) {
      listed.insert(task.launch);
      const auto known = tasks.find(task.launch);
      ASSERT_NE(known, tasks.end());
      ASSERT_LE(known->second.seq, task.seq) << "the agent has forgotten a status it sent";
      known->second.acked = true;
    }
    for (const auto& [launch, task] : tasks) {
      ASSERT_TRUE(!task.acked || task.end || listed.contains(launch))
          << "the agent has forgotten launch " << launch.n;
    }
    open(random);
    trouble = hello.trouble;
    const auto id = hello.agent.value.is_nil() ? AgentId{Bits128{1, 1}} : hello.agent;
    Registered registered{id, std::chrono::seconds(1), "tcp://cat:1", {}};
    if (random.below(4) == 0) registered.report_period = std::chrono::milliseconds(1 + random.below(4000));
    say(std::move(registered));
  }

  void take(const Status& status) {
    auto& task = tasks.at(status.launch);
    const auto& told = status.status;
    if (told.seq > task.seq) {
      ASSERT_FALSE(task.end) << told.task.value << " has a second end";
      task.seq = told.seq;
      if (is_terminal(told.state)) task.end = told;
    } else if (is_terminal(told.state)) {
      ASSERT_TRUE(task.end && task.end->state == told.state && task.end->exit == told.exit)
          << told.task.value << " has another end than before";
    }
    task.acked = true;
    say(Acknowledge{told.framework, told.task, told.seq});
  }
};

class StormCatalog : public StormServer {
 public:
  std::map<BlockId, std::uint64_t> blocks;

  void receive(const Envelope& envelope, Random& random) {
    if (const auto* page = std::get_if<BlockReport>(&envelope.message)) return take(envelope, *page, random);
    if (!ours(envelope)) return;
    if (const auto* changed = std::get_if<BlocksChanged>(&envelope.message)) take(*changed);
  }
  void insist() {
    if (!in_session()) return;
    say(Heartbeat{});
    if (asked_) say(SendBlockReport{});
  }
  /// As a real one does for blocks of removed files.
  void remove(BlockId block) {
    if (in_session()) say(DeleteBlocks{{block}});
  }

 private:
  void take(const Envelope& envelope, const BlockReport& page, Random& random) {
    const bool hello = envelope.session.value == 0;
    if (!hello && !ours(envelope)) return;
    if (hello && !in_session()) open(random);
    if (hello) say(CatalogWelcome{"t", std::chrono::seconds(1)});
    ASSERT_TRUE(page.last) << "the storm has few blocks";
    blocks = {page.blocks.begin(), page.blocks.end()};
    changes_ = 0;
    asked_ = false;
  }
  void take(const BlocksChanged& changed) {
    if (changed.number <= changes_ || asked_) return;
    if (changed.number != changes_ + 1) {
      asked_ = true;
      return say(SendBlockReport{});
    }
    changes_ = changed.number;
    for (const auto block : changed.removed) blocks.erase(block);
    for (const auto& [block, length] : changed.added) blocks[block] = length;
  }
  std::uint64_t changes_ = 0;
  bool asked_ = false;  // for a full report
};

}  // namespace proffer::agent_test
