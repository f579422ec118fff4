// Copy-compute splitting: how many reduces compute at a time.
#include "tests/agent/stage.hpp"

namespace proffer::agent_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::uint64_t> given(const Stage& stage) {
  std::vector<std::uint64_t> launches;
  for (const auto& permit : stage.did<GrantCompute>()) launches.push_back(permit.launch.n);
  return launches;
}

/// Three reduces that run on one agent.
struct Copying : Stage {
  explicit Copying(std::uint32_t max_computing) : Stage(with(max_computing)) {
    join();
    for (std::uint64_t n = 1; n <= 3; ++n) run(n, "r" + std::to_string(n));
  }
  static AgentConfig with(std::uint32_t max_computing) {
    auto settings = config(3);
    settings.max_computing = max_computing;
    return settings;
  }
  std::vector<std::uint64_t> asks(std::uint64_t n) {
    step(ComputeAsked{launch_id(n)});
    return given(*this);
  }
  std::vector<std::uint64_t> ends(std::uint64_t n) {
    exits(n);
    return given(*this);
  }
};

TEST(LeaveToCompute, IsGivenAtOnceWithoutABound) {
  Copying agent(0);
  EXPECT_THAT(agent.asks(2), ElementsAre(2));
  EXPECT_THAT(agent.asks(1), ElementsAre(1));
}

TEST(LeaveToCompute, IsGivenInTheOrderOfAskingAsOthersEnd) {
  Copying agent(1);
  EXPECT_THAT(agent.asks(3), ElementsAre(3));
  EXPECT_THAT(agent.asks(2), IsEmpty());
  EXPECT_THAT(agent.asks(1), IsEmpty());
  EXPECT_THAT(agent.ends(3), ElementsAre(2));
  EXPECT_THAT(agent.ends(2), ElementsAre(1));
}

TEST(LeaveToCompute, IsTracedWhenItIsGiven) {
  Copying agent(1);
  agent.asks(3);
  ASSERT_THAT(agent.did<Emit>(), testing::SizeIs(1));
  EXPECT_EQ(std::get<ComputeBegan>(agent.did<Emit>()[0].trace).task, TaskId{"r3"});
}

TEST(LeaveToCompute, AskedForTwiceIsGivenOnce) {
  Copying agent(1);
  EXPECT_THAT(agent.asks(3), ElementsAre(3));
  EXPECT_THAT(agent.asks(3), IsEmpty());
}

TEST(LeaveToCompute, OfOneThatEndsWhileItWaitsIsNobodysLoss) {
  Copying agent(1);
  agent.asks(1);
  agent.asks(2);
  agent.asks(3);
  EXPECT_THAT(agent.ends(2), IsEmpty());
  EXPECT_THAT(agent.ends(1), ElementsAre(3));
}

TEST(Inputs, AreDeliveredToTheRunThatTheyAreFor) {
  Copying agent(0);
  agent.receive(MoreInputs{kFramework, {"r2"}, 0, 4, {}, {}, true});
  ASSERT_THAT(agent.did<DeliverInputs>(), testing::SizeIs(1));
  EXPECT_EQ(agent.did<DeliverInputs>()[0].launch, launch_id(2));
  EXPECT_EQ(agent.did<DeliverInputs>()[0].inputs.to, 4u);
  agent.receive(MoreInputs{kFramework, {"r9"}, 0, 4, {}, {}, true});
  EXPECT_THAT(agent.did<DeliverInputs>(), IsEmpty());
}

}  // namespace
}  // namespace proffer::agent_test
