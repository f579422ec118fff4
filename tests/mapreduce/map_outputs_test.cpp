// Outputs of maps, and the tasks that make and copy them.
#include "frameworks/mapreduce/map_outputs.hpp"
#include "frameworks/mapreduce/job_tasks.hpp"
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using mapreduce::JobTasks;
using mapreduce::MapOutputs;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(MapOutputs, EndedMapsAreInTheOrderOfTheirEnds) {
  MapOutputs outputs;
  outputs.add(2, {agent_id("a1"), {}});
  outputs.add(0, {agent_id("a2"), {}});
  outputs.add(1, {agent_id("a1"), {}});
  outputs.lose(0);
  outputs.check_invariants();
  EXPECT_THAT(outputs.ended(), ElementsAre(2, 1));
  EXPECT_THAT(outputs.holders(), ElementsAre(agent_id("a1")));
}

TEST(MapOutputs, ComplaintsOfALostOutputAreForgotten) {
  MapOutputs outputs;
  outputs.add(0, {agent_id("a1"), {}});
  const auto complain = [&](const std::string& by) {
    return outputs.judge({0, agent_id(by), {{0, agent_id("a1")}}, outputs.holders(), false}, {}).maps;
  };
  EXPECT_THAT(complain("a2"), IsEmpty());
  outputs.lose(0);
  outputs.add(0, {agent_id("a1"), {}});
  EXPECT_THAT(complain("a3"), IsEmpty());  // the first that complains of the new output
  EXPECT_THAT(complain("a4"), ElementsAre(0));
}

TEST(MapOutputsDeath, AMapHasOneOutput) {
  MapOutputs outputs;
  outputs.add(0, {agent_id("a1"), {}});
  EXPECT_DEATH(outputs.add(0, {agent_id("a2"), {}}), "whose output is there");
}

/// A job of two maps of which that one has ended well, on a1; and one reduce.
JobTasks after(std::uint32_t map) {
  JobTasks tasks(JobId{1}, 2, 1);
  const auto id = tasks.maps.open(map);
  tasks.maps.launch(id, agent_id("a1"), Locality::any, {});
  tasks.maps.end(id);
  tasks.maps.win(map, id);
  tasks.outputs.add(map, {agent_id("a1"), {}});
  tasks.check_invariants();
  return tasks;
}

TEST(JobTasks, ReducesAreLaunchedOnceEnoughMapsAreDone) {
  const auto tasks = after(0);
  EXPECT_TRUE(tasks.may_reduce(500));
  EXPECT_FALSE(tasks.may_reduce(501));
}

TEST(JobTasks, AReduceComplainsOfOutputsThatAreBelievedToBeThere) {
  const auto tasks = after(1);
  const auto won = tasks.maps.current(1);
  const auto complaint =
      tasks.complaint_of({0, agent_id("a2"), Locality::any, {}}, {won, TaskId{"j1-m-00000-7"}});
  EXPECT_THAT(complaint.missing, ElementsAre(Pair(1, agent_id("a1"))));
  EXPECT_TRUE(complaint.alone);
}

TEST(JobTasks, AMapWhoseOutputIsLostWaits) {
  auto tasks = after(0);
  EXPECT_THAT(tasks.lose_map(0), IsEmpty());
  tasks.check_invariants();
  EXPECT_THAT(tasks.maps.waiting(), ElementsAre(0, 1));
}

TEST(JobTasks, ReducesThatWereToCopyALostOutputAreNamed) {
  auto tasks = after(0);
  const auto reduce = tasks.reduces.open(0);
  tasks.reduces.launch(reduce, agent_id("a2"), Locality::any, {});
  tasks.early.launched(reduce, agent_id("a2"));
  EXPECT_THAT(tasks.lose_map(0), ElementsAre(reduce));
}

}  // namespace
}  // namespace proffer::mapreduce_test
