// The connections of a storm: order, and what ends of them learn of each other.
#include <gtest/gtest.h>

#include "sim/storm/disk.hpp"
#include "sim/storm/links.hpp"

namespace proffer::sim::storm {
namespace {

using std::chrono::seconds;

constexpr Pid kServer = 0;
constexpr Pid kClient = 1;

Plan gentle() {
  Plan plan;
  plan.seed = 1;
  return plan;
}

class StormLinks : public ::testing::Test {
 protected:
  StormLinks() {
    line = links.add(kClient, kServer, kAllocatorPeer);
    links.started(kServer);
    links.started(kClient);
    say(1);
    pass(seconds(1));
  }
  void say(std::uint64_t number) {
    Envelope envelope;
    envelope.message = Heartbeat{number, {}};
    links.send(kClient, {kAllocatorPeer, envelope});
  }
  void pass(Duration time) {
    const auto end = agenda.now() + time;
    while (agenda.run_one(end)) {
    }
  }
  void deliver(Pid to, const Event& event) {
    if (const auto* in = std::get_if<MessageReceived>(&event)) {
      numbers.push_back(std::get<Heartbeat>(in->envelope.message).beat);
      peers.insert(in->peer);
    }
    if (std::holds_alternative<PeerLost>(event)) ++lost[to];
  }

  Plan plan = gentle();
  Agenda agenda;
  Record record{false};
  Links links{plan, agenda, record, [this](Pid to, Event event) { deliver(to, event); }};
  LineNo line = 0;
  std::vector<std::uint64_t> numbers;
  std::set<PeerId> peers;
  std::map<Pid, int> lost;
};

TEST_F(StormLinks, MessagesComeInOrder) {
  for (std::uint64_t n = 2; n < 50; ++n) say(n);
  pass(seconds(1));
  EXPECT_EQ(numbers.size(), 49u);
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

TEST_F(StormLinks, AShortCutDelaysOnly) {
  links.cut(line, true, false);
  say(2);
  pass(seconds(3));
  EXPECT_EQ(numbers.size(), 1u);
  links.mend(line);
  pass(seconds(10));
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_TRUE(lost.empty());
}

TEST_F(StormLinks, ALongOneWayCutIsNoticedAtBothEnds) {
  links.cut(line, true, false);
  pass(seconds(10));
  EXPECT_EQ(lost[kServer], 1);
  EXPECT_GE(lost[kClient], 1);
  links.mend(line);
  pass(seconds(5));
  say(3);
  pass(seconds(1));
  EXPECT_EQ(peers.size(), 2u);  // a new connection
}

TEST_F(StormLinks, APausedClientIsGivenUpAfterSomeSeconds) {
  links.paused(kClient);
  pass(seconds(4));
  EXPECT_EQ(lost[kServer], 0);
  pass(seconds(5));
  EXPECT_EQ(lost[kServer], 1);
}

TEST_F(StormLinks, ASilentReconnectTellsTheClientNothing) {
  links.reconnect(line, false);
  say(2);
  pass(seconds(10));
  EXPECT_EQ(lost[kClient], 0);
  EXPECT_EQ(lost[kServer], 1);
  EXPECT_EQ(peers.size(), 2u);
}

TEST_F(StormLinks, WhatIsSaidWithoutAServerIsGivenUp) {
  links.died(kServer, Links::End::killed);
  pass(seconds(1));
  say(2);
  pass(seconds(10));
  links.started(kServer);
  pass(seconds(10));
  EXPECT_EQ(numbers.size(), 1u);
  EXPECT_EQ(lost[kClient], 2);
}

Actions keeping(const char* note) {
  return {KeepRecord{KeptNote{note, "1"}}, KeepRecord{KeptNote{"other", "2"}}};
}

TEST(StormDisk, KeepsAllOfAStep) {
  Disk disk;
  EXPECT_EQ(disk.commit(keeping("a")), Disk::Outcome::committed);
  EXPECT_EQ(disk.image.kept().size(), 2u);
  EXPECT_EQ(disk.commit({DropRecord{key_of_note("a")}}), Disk::Outcome::committed);
  EXPECT_EQ(disk.image.kept().size(), 1u);
}

TEST(StormDisk, IsFullOnceItsReserveIsUsedUp) {
  Disk disk;
  disk.set_full(true);
  auto outcome = disk.commit(keeping("a"));
  EXPECT_EQ(outcome, Disk::Outcome::reserve);
  for (int i = 0; i < 100'000 && outcome == Disk::Outcome::reserve; ++i) outcome = disk.commit(keeping("a"));
  EXPECT_EQ(outcome, Disk::Outcome::refused);
  EXPECT_EQ(disk.commit({Probe{}}), Disk::Outcome::nothing);
  disk.set_full(false);
  EXPECT_EQ(disk.commit(keeping("b")), Disk::Outcome::committed);
}

}  // namespace
}  // namespace proffer::sim::storm
