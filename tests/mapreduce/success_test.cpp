// Jobs that go well.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MapReduceSuccess, AJobRunsItsMapsThenItsReducesAndPublishesTheirParts) {
  Hand hand;
  hand.input("/in", {{"a1"}, {"a2"}});
  hand.submit(word_count());
  hand.begin();
  EXPECT_THAT(hand.offer_reduce("a1"), IsEmpty());
  const auto maps = hand.run_maps();
  EXPECT_EQ(maps.size(), 2u);
  EXPECT_FALSE(hand.store.has("/out/_SUCCESS"));
  const auto reduces = hand.run_reduces();
  EXPECT_EQ(reduces.size(), 2u);
  EXPECT_THAT(hand.store.below("/out"), ElementsAre("_SUCCESS", "part-00000", "part-00001"));
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_TRUE(hand.stopped);
  EXPECT_THAT(hand.released, ElementsAre(JobId{1}));
}

TEST(MapReduceSuccess, TaskIdsNameJobKindIndexAndAttempt) {
  Hand hand;
  hand.input("/in", {{"a1"}});
  hand.submit(word_count());
  hand.begin();
  EXPECT_EQ(hand.run_maps().at(0).id.value, "j1-m-00000-0");
  EXPECT_EQ(hand.run_reduces().at(1).id.value, "j1-r-00001-0");
}

TEST(MapReduceSuccess, AMapIsToldWhatToReadAndWhereNearestFirst) {
  Hand hand;
  hand.input("/in", {{"a1", "a2", "a5"}});
  hand.submit(word_count());
  hand.begin();
  const auto task = hand.offer_map("a2").at(0);
  const auto& work = map_of(task);
  EXPECT_EQ(work.mapper, "tokenize");
  EXPECT_EQ(work.job_token, "job-token");
  EXPECT_EQ(work.partitions, 2u);
  EXPECT_EQ(work.input_path, "/in");
  EXPECT_EQ(work.output.catalog_endpoint, "tcp://catalog");
  ASSERT_EQ(work.blocks.size(), 1u);
  EXPECT_EQ(work.blocks[0].token, "store-token");
  std::vector<std::string> order;
  for (const auto& replica : work.blocks[0].replicas) order.push_back(replica.endpoint);
  EXPECT_THAT(order, ElementsAre("tcp://a2", "tcp://a1", "tcp://a5"));
}

TEST(MapReduceSuccess, AReduceIsToldItsPartitionOfEveryMap) {
  Hand hand;
  hand.input("/in", {{"a1"}, {"a3"}});
  hand.submit(word_count());
  hand.begin();
  const auto first = hand.offer_map("a1").at(0);
  const auto second = hand.offer_map("a3").at(0);
  hand.finish(second);
  hand.finish(first);
  const auto reduces = hand.offer_reduce("a5", 2);
  const auto& work = reduce_of(reduces.at(1));
  EXPECT_EQ(work.index, 1u);
  EXPECT_EQ(work.output.path, "/out/_temporary/j1-r-00001-0/part-00001");
  EXPECT_THAT(work.inputs, ElementsAre(MapOutput{first.id, agent_id("a1"), "tcp://a1", 100, 100, 1},
                                       MapOutput{second.id, agent_id("a3"), "tcp://a3", 100, 100, 1}));
}

TEST(MapReduceSuccess, WithoutAReducerTheMapsWriteTheParts) {
  for (auto spec : {grep(), grep("/in", "/out/")}) {
    Hand hand;
    hand.input("/in", {{"a1"}, {"a2"}});
    hand.submit(std::move(spec));
    hand.begin();
    const auto maps = hand.run_maps();
    EXPECT_EQ(map_of(maps.at(1)).partitions, 0u);
    EXPECT_EQ(map_of(maps.at(1)).output.path, "/out/_temporary/" + maps.at(1).id.value + "/part-00001");
    EXPECT_THAT(hand.store.below("/out"), ElementsAre("_SUCCESS", "part-00000", "part-00001"));
  }
}

TEST(MapReduceSuccess, NoReducesMeansNoReducer) {
  Hand hand;
  hand.input("/in", {{"a1"}});
  auto spec = word_count();
  spec.num_reduces = 0;
  hand.submit(std::move(spec));
  hand.begin();
  hand.run_maps();
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
}

TEST(MapReduceSuccess, EmptyInputGivesEmptyParts) {
  Hand hand;
  hand.store.add("/in");
  hand.submit(word_count());
  hand.begin();
  EXPECT_THAT(hand.offer_map("a1"), IsEmpty());
  const auto reduces = hand.run_reduces();
  EXPECT_THAT(reduce_of(reduces.at(0)).inputs, IsEmpty());
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
}

TEST(MapReduceSuccess, EmptyInputWithoutAReducerGivesJustSuccess) {
  Hand hand;
  hand.store.add("/in");
  hand.submit(grep());
  hand.begin();
  EXPECT_THAT(hand.store.below("/out"), ElementsAre("_SUCCESS"));
  EXPECT_TRUE(hand.framework->all_succeeded());
}

TEST(MapReduceSuccess, AFolderIsReadWithoutWhatIsHiddenInIt) {
  Hand hand;
  hand.input("/in/part-00000", {{"a1"}});
  hand.input("/in/_SUCCESS", {{"a1"}});
  hand.input("/in/.tmp/x", {{"a1"}});
  hand.input("/in/sub/part-00000", {{"a2"}});
  hand.submit(grep("in/"));
  hand.begin();
  std::vector<std::string> read;
  for (const auto& map : hand.run_maps()) read.push_back(map_of(map).input_path);
  EXPECT_THAT(read, ElementsAre("/in/part-00000", "/in/sub/part-00000"));
}

TEST(MapReduceSuccess, SeveralInputsAreReadInTheirOrder) {
  Hand hand;
  hand.input("/b", {{"a1"}});
  hand.input("/a", {{"a1"}});
  auto spec = grep("/b");
  spec.inputs.push_back("/a");
  hand.submit(std::move(spec));
  hand.begin();
  const auto maps = hand.run_maps();
  EXPECT_EQ(map_of(maps.at(0)).input_path, "/b");
  EXPECT_EQ(map_of(maps.at(1)).input_path, "/a");
}

TEST(MapReduceSuccess, CountersSumUpWhatTasksTell) {
  Hand hand;
  hand.input("/in", {{"a1"}, {"a2"}, {"a5"}});
  hand.submit(word_count());
  hand.begin();
  hand.finish(hand.offer_map("a1").at(0), 2s);
  hand.finish(hand.offer_map("a1").at(0), 5s);
  hand.finish(hand.offer_map("a3").at(0), 7s);
  hand.run_reduces();
  const auto counters = hand.report().counters;
  EXPECT_EQ(counters.launched_maps, 3u);
  EXPECT_EQ(counters.data_local_maps, 1u);
  EXPECT_EQ(counters.rack_local_maps, 1u);
  EXPECT_EQ(counters.other_local_maps, 1u);
  EXPECT_EQ(counters.launched_reduces, 2u);
  EXPECT_EQ(counters.map_input_records, 15u);
  EXPECT_EQ(counters.map_output_bytes, 210u);
  EXPECT_EQ(counters.reduce_output_records, 8u);
  EXPECT_EQ(counters.reduce_shuffle.total, 100u);
  EXPECT_EQ(counters.times.local_map_time, 2s);
  EXPECT_EQ(counters.times.other_map_time, 12s);
  EXPECT_EQ(counters.times.other_maps, 2u);
  EXPECT_THAT(counters.user, ElementsAre(Counter{"g", "c", 6}));
}

TEST(MapReduceSuccess, CountersHaveHadoopsNames) {
  JobCounters counters;
  counters.launched_maps = 3;
  counters.data_local_maps = 2;
  counters.rack_local_maps = 1;
  counters.map_input_records = 9;
  counters.user = {{"mine", "lines", 4}};
  EXPECT_THAT(
      hadoop_counters(counters),
      ElementsAre(Counter{"Job Counters", "Launched map tasks", 3},
                  Counter{"Job Counters", "Data-local map tasks", 2},
                  Counter{"Job Counters", "Rack-local map tasks", 1},
                  Counter{"Map-Reduce Framework", "Map input records", 9},
                  Counter{"Map-Reduce Framework", "Map output records", 0},
                  Counter{"Map-Reduce Framework", "Map output bytes", 0},
                  Counter{"Map-Reduce Framework", "Reduce shuffle bytes", 0},
                  Counter{"Map-Reduce Framework", "Reduce input records", 0},
                  Counter{"Map-Reduce Framework", "Reduce output records", 0}, Counter{"mine", "lines", 4}));
}

TEST(MapReduceSuccess, ProgressIsToldStepByStep) {
  Hand hand;
  hand.input("/in", {{"a1"}});
  hand.submit(grep());
  hand.begin();
  hand.finish(hand.offer_map("a1").at(0));
  std::vector<std::pair<JobPhase, std::uint32_t>> steps;
  for (const auto& step : hand.watcher.steps) steps.emplace_back(step.phase, step.maps.running);
  EXPECT_THAT(steps, ElementsAre(std::pair(JobPhase::queued, 0u), std::pair(JobPhase::planning, 0u),
                                 std::pair(JobPhase::running, 0u), std::pair(JobPhase::running, 1u),
                                 std::pair(JobPhase::committing, 0u)));
  ASSERT_EQ(hand.watcher.ended.size(), 1u);
  EXPECT_TRUE(hand.watcher.ended[0].ok);
}

TEST(MapReduceSuccess, TimesAreThoseOfTheDriver) {
  Hand hand;
  hand.input("/in", {{"a1"}});
  hand.submit(grep());
  hand.begin();
  hand.pass(3s);
  const auto tasks = hand.offer_map("a1");
  hand.pass(4s);
  hand.finish(tasks.at(0));
  const auto report = hand.report();
  EXPECT_EQ(*report.started - report.submitted, 3s);
  EXPECT_EQ(*report.finished - report.submitted, 7s);
}

TEST(MapReduceSuccess, DecisionsAreTraced) {
  Hand hand;
  hand.input("/in", {{"a1"}});
  hand.submit(grep());
  hand.begin();
  hand.run_maps();
  ASSERT_EQ(all_of<JobSubmitted>(hand.traces).size(), 1u);
  EXPECT_EQ(all_of<JobSubmitted>(hand.traces)[0].maps, 1u);
  const auto placed = all_of<TaskPlaced>(hand.traces);
  ASSERT_EQ(placed.size(), 1u);
  EXPECT_EQ(placed[0].locality, Locality::node);
  EXPECT_TRUE(placed[0].preferred);
  ASSERT_EQ(all_of<JobFinished>(hand.traces).size(), 1u);
  EXPECT_TRUE(all_of<JobFinished>(hand.traces)[0].ok);
}

}  // namespace
}  // namespace proffer::mapreduce_test
