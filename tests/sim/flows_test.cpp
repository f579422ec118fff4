// Rates of flows over shared links.
#include <gmock/gmock.h>

#include "proffer/random.hpp"
#include "sim/flows.hpp"

namespace proffer::sim {
namespace {

/// Flows whose ends are kept rather than put on a queue.
class FlowsTest : public testing::Test {
 protected:
  struct End {
    Time at;
    std::uint32_t version = 0;
  };
  FlowNo start(Path path, std::uint64_t bytes = 1'000'000) { return flows.start(path, bytes, now); }
  void pass(Duration time) { now += time; }

  Time now{};
  std::map<FlowNo, End> ends;
  Flows flows{[this](Time at, FlowNo flow, std::uint32_t version) { ends[flow] = {at, version}; }};
};

TEST_F(FlowsTest, AloneItGetsItsNarrowestLink) {
  const auto wide = flows.add_link(100);
  const auto narrow = flows.add_link(10);
  EXPECT_EQ(flows.rate(start({wide, narrow})), 10);
}

TEST_F(FlowsTest, OnOneLinkTheyShareEqually) {
  const auto link = flows.add_link(90);
  const auto a = start({link}), b = start({link}), c = start({link});
  for (const auto flow : {a, b, c}) EXPECT_EQ(flows.rate(flow), 30);
}

TEST_F(FlowsTest, WhatOneCannotUseGoesToTheOthers) {
  const auto shared = flows.add_link(10);
  const auto narrow = flows.add_link(2);
  const auto free = start({shared});
  const auto held = start({shared, narrow});
  EXPECT_EQ(flows.rate(held), 2);
  EXPECT_EQ(flows.rate(free), 8);
}

TEST_F(FlowsTest, AChainOfLinksIsFilledFromTheFullest) {
  const auto first = flows.add_link(10), second = flows.add_link(30);
  const auto a = start({first}), both = start({first, second}), b = start({second});
  EXPECT_EQ(flows.rate(a), 5);
  EXPECT_EQ(flows.rate(both), 5);
  EXPECT_EQ(flows.rate(b), 25);
}

TEST_F(FlowsTest, ItsEndIsWhenItsBytesArePast) {
  const auto flow = start({flows.add_link(1000)}, 5000);
  EXPECT_EQ(ends[flow].at, Time{} + std::chrono::seconds(5));
}

TEST_F(FlowsTest, OnesThatComeAndGoMoveTheEndsOfOthers) {
  const auto link = flows.add_link(1000);
  const auto flow = start({link}, 5000);
  pass(std::chrono::seconds(1));  // 4000 left
  const auto other = start({link}, 100'000);
  EXPECT_EQ(ends[flow].at, Time{} + std::chrono::seconds(9));
  pass(std::chrono::seconds(2));  // 3000 left
  flows.cancel(other, now);
  EXPECT_EQ(ends[flow].at, Time{} + std::chrono::seconds(6));
}

TEST_F(FlowsTest, AnEndThatWasPutOffIsNone) {
  const auto link = flows.add_link(1000);
  const auto flow = start({link}, 5000);
  const auto before = ends[flow];
  start({link}, 5000);
  EXPECT_FALSE(flows.ended(flow, before.version, before.at));
  EXPECT_TRUE(flows.ended(flow, ends[flow].version, ends[flow].at));
}

/// Every state of a long random run is max-min fair: check_invariants() compares with the definition.
TEST_F(FlowsTest, RandomOnesStayMaxMinFair) {
  Random random(7);
  std::vector<LinkNo> links;
  for (int i = 0; i < 12; ++i) links.push_back(flows.add_link(1 + random.below(1000)));
  std::vector<FlowNo> live;
  for (int step = 0; step < 3000; ++step) {
    pass(Duration(static_cast<std::int64_t>(random.below(1000))));
    if (live.empty() || random.below(5) < 3) {
      auto shuffled = links;
      random.shuffle(shuffled);
      live.push_back(
          start(Path(shuffled.begin(), shuffled.begin() + 1 + static_cast<std::ptrdiff_t>(random.below(4))),
                1u << 30));
    } else {
      const auto at = random.below(live.size());
      flows.cancel(live[at], now);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
    }
    flows.check_invariants();
  }
  EXPECT_EQ(flows.size(), live.size());
}

}  // namespace
}  // namespace proffer::sim
