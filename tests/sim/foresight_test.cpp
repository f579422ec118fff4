// Foresight: the slots that the executor of the simulated world knows to come free.
#include <gmock/gmock.h>

#include "sim/executor.hpp"
#include "small_plan.hpp"

namespace proffer::sim {
namespace {

using namespace std::chrono_literals;
using testing::Pair;
using testing::UnorderedElementsAre;

AgentId foresight_agent(AgentNo number) { return {{0, number + 1u}}; }

/// Two agents with two map slots and a reduce slot each.
struct ForesightTest : testing::Test {
  ForesightTest() {
    plan.cost.start_up = 3s;
    plan.cost.write_rate = 0;
    for (const AgentNo agent : {0u, 1u}) executor.nodes.name(agent, foresight_agent(agent));
  }
  void start(AgentNo agent, std::uint64_t launch, Duration compute) {
    SyntheticWork work;
    work.compute = compute;
    TaskSpec task{{"t"}, Resources{{Kind("map"), 1}}, {}, std::make_shared<const Work>(work)};
    executor.runs.start(agent, {LaunchId{launch}, {}, "", std::move(task)}, kStart);
  }
  std::vector<std::pair<AgentId, Time>> slots(Duration within, std::string_view kind = "map") const {
    std::vector<std::pair<AgentId, Time>> seen;
    executor.runs.each_slot(Kind(kind), kStart + within,
                            [&](AgentId agent, Time at) { seen.emplace_back(agent, at); });
    return seen;
  }

  study::Plan plan = plan_of(2, 2);
  EventQueue queue;
  Executor executor{plan, queue, [](AgentNo, const Event&) {}, [] {}};
};

TEST_F(ForesightTest, TellsSlotsThatAreFreeAndThoseThatAreReleasedInTime) {
  start(0, 1, 5s);
  start(0, 2, 30s);
  start(1, 3, 6s);
  EXPECT_THAT(slots(10s),
              UnorderedElementsAre(Pair(foresight_agent(0), kStart + 8s),
                                   Pair(foresight_agent(1), kStart + 9s), Pair(foresight_agent(1), Time{})));
}

TEST_F(ForesightTest, KindsAreToldApart) {
  start(0, 1, 5s);
  EXPECT_THAT(slots(10s, "reduce"),
              UnorderedElementsAre(Pair(foresight_agent(0), Time{}), Pair(foresight_agent(1), Time{})));
}

TEST_F(ForesightTest, ANodeThatIsGoneHasNone) {
  start(0, 1, 5s);
  executor.lose(0, kStart);
  EXPECT_THAT(slots(10s),
              UnorderedElementsAre(Pair(foresight_agent(1), Time{}), Pair(foresight_agent(1), Time{})));
}

}  // namespace
}  // namespace proffer::sim
