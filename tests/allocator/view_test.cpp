// What is shown from within the process: the same that DESCRIBE tells, and what runs where.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

/// Two frameworks with a task each on a1, and one with another on a2.
class Views : public ::testing::Test {
 protected:
  Views() {
    s.agent("a1", 2);
    s.agent("a2", 2);
    s.framework("f");
    s.accept("f", "a1", {"t1"});
    s.accept("f", "a2", {"t2"});
    s.framework("g");
    s.accept("g", "a1", {"u1"});
  }
  static std::vector<std::string> names(const ClusterView& view) {
    std::vector<std::string> names;
    for (const auto& task : view.state.tasks) names.push_back(task.task.value);
    return names;
  }

  Stage s;
};

TEST_F(Views, HaveWhatDescribeTells) {
  const auto view = s.machine().view(10).state;
  const auto told = s.describe();
  EXPECT_EQ(view.agents, told.agents);
  EXPECT_EQ(view.frameworks, told.frameworks);
  EXPECT_EQ(view.pools, told.pools);
  EXPECT_FALSE(view.more);
}

TEST_F(Views, OfTasksAreToldToWhoeverAsksForThem) {
  EXPECT_THAT(s.describe().tasks, ::testing::IsEmpty());
  const auto told = s.describe(2);
  EXPECT_THAT(told.tasks, SizeIs(2));
  EXPECT_EQ(told.tasks, s.machine().view(2).state.tasks);
  EXPECT_EQ(told.living, 3u);
}

TEST_F(Views, SayWhatRunsWhere) {
  const auto view = s.machine().view(10);
  std::map<std::pair<AgentId, FrameworkId>, std::int64_t> used;
  for (const auto& use : view.uses) used[{use.agent, use.framework}] = use.used[kMap];
  const auto a1 = s.client("a1").agent, a2 = s.client("a2").agent;
  const auto f = s.client("f").framework, g = s.client("g").framework;
  EXPECT_EQ(used, (std::map<std::pair<AgentId, FrameworkId>, std::int64_t>{
                      {{a1, f}, 1}, {{a1, g}, 1}, {{a2, f}, 1}}));
}

TEST_F(Views, HaveTheNewestTasksFirstAndAsManyAsAreWanted) {
  EXPECT_THAT(names(s.machine().view(10)), ElementsAre("u1", "t2", "t1"));
  const auto two = s.machine().view(2);
  EXPECT_THAT(names(two), ElementsAre("u1", "t2"));
  EXPECT_EQ(two.state.living, 3u);
  EXPECT_THAT(two.uses, SizeIs(3));
}

TEST_F(Views, HaveNoTaskThatHasEnded) {
  s.ack_launch("a1", "t1");
  s.finish("a1", "t1");
  const auto view = s.machine().view(10);
  EXPECT_THAT(names(view), ElementsAre("u1", "t2"));
  EXPECT_EQ(view.living_in[static_cast<std::size_t>(TaskState::pending)], 2u);
}

}  // namespace
}  // namespace proffer
