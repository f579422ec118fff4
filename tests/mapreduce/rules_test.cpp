// Pure parts: which jobs are refused, which blocks a map reads, what tasks say.
#include "frameworks/mapreduce/input_plan.hpp"
#include "frameworks/mapreduce/store_path.hpp"
#include "frameworks/mapreduce/task_table.hpp"
#include "proffer/limits.hpp"
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

template <class Change>
std::string refusal(Change&& change) {
  auto spec = word_count();
  change(spec);
  const auto checked = check_job(spec);
  return checked ? "accepted" : checked.error().message;
}

TEST(JobRules, AnOrdinaryJobIsAccepted) {
  EXPECT_EQ(refusal([](JobSpec&) {}), "accepted");
  EXPECT_EQ(refusal([](JobSpec& spec) { spec.files = {{"my script.py", "x", true}}; }), "accepted");
}

TEST(JobRules, EveryBadFieldIsNamed) {
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.inputs.clear(); }), HasSubstr("no input"));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.inputs = {""}; }), HasSubstr("input has an empty name"));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.output.clear(); }), HasSubstr("no output"));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.mapper = "  "; }), HasSubstr("no mapper"));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.mapper = std::string("a\0b", 3); }), HasSubstr("NUL"));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.reducer.assign(limits::kTextBytes + 1, 'x'); }),
              HasSubstr("reducer is longer"));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.num_reduces = kMaxReduces + 1; }), HasSubstr("10000 reduces"));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.replication = 0; }), HasSubstr("replication"));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.block_bytes = 0; }), HasSubstr("block size"));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.token.clear(); }), HasSubstr("no token"));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.env = {{"1A", "x"}}; }), HasSubstr("\"1A\""));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.files = {{"a/b", "", false}}; }), HasSubstr("\"a/b\""));
  EXPECT_THAT(refusal([](JobSpec& spec) { spec.files = {{"stdout", "", false}}; }), HasSubstr("\"stdout\""));
  EXPECT_THAT(refusal([](JobSpec& spec) {
                spec.files = {{"a", "", false}, {"a", "", false}};
              }),
              HasSubstr("two shipped files"));
  EXPECT_THAT(refusal([](JobSpec& spec) {
                spec.files = {{"a", std::string(limits::kShippedFileBytes + 1, 'x'), false}};
              }),
              HasSubstr("larger than"));
}

TEST(JobRules, AFrameworkNeedsAPolicyAndTwoKinds) {
  MapReduceConfig unknown;
  unknown.policy.name = "psychic";
  EXPECT_EQ(MapReduce::make(unknown, nullptr).error().code, ErrorCode::not_found);
  MapReduceConfig same;
  same.reduce_kind = same.map_kind;
  EXPECT_FALSE(MapReduce::make(same, nullptr).ok());
  MapReduceConfig none;
  none.max_attempts = 0;
  EXPECT_FALSE(MapReduce::make(none, nullptr).ok());
}

BlockInfo block(std::uint64_t id, std::uint64_t first_record) {
  return {BlockId{id}, 100, first_record, {{agent_id("a1"), "tcp://a1", "r1"}}};
}

std::vector<std::vector<std::uint64_t>> plan(std::vector<BlockInfo> blocks) {
  std::vector<mapreduce::MapInput> maps;
  EXPECT_TRUE(mapreduce::plan_maps({{"/in", 0, 1, true, std::move(blocks)}}, "t", maps).ok());
  std::vector<std::vector<std::uint64_t>> ids;
  for (const auto& map : maps) {
    ids.emplace_back();
    for (const auto& read : map.blocks) ids.back().push_back(read.block.value);
  }
  return ids;
}

TEST(InputPlan, ABlockThatEndsWithARecordNeedsNoSuccessor) {
  EXPECT_THAT(plan({block(1, 0), block(2, 0)}), ElementsAre(ElementsAre(1), ElementsAre(2)));
}

TEST(InputPlan, ARecordThatCrossesIntoTheNextBlockBelongsToTheFirst) {
  EXPECT_THAT(plan({block(1, 0), block(2, 30)}), ElementsAre(ElementsAre(1, 2), ElementsAre(2)));
}

TEST(InputPlan, ABlockInWhichNoRecordStartsHasNoMap) {
  EXPECT_THAT(plan({block(1, 0), block(2, 100), block(3, 5), block(4, 0)}),
              ElementsAre(ElementsAre(1, 2, 3), ElementsAre(3), ElementsAre(4)));
}

TEST(InputPlan, ReadersTakeTurnsAmongEquallyNearReplicas) {
  const std::vector<Replica> replicas{
      {agent_id("a1"), "1", "r1"}, {agent_id("a3"), "3", "r2"}, {agent_id("a5"), "5", "r3"}};
  std::vector<std::string> first;
  for (std::uint32_t turn = 0; turn < 4; ++turn) {
    first.push_back(mapreduce::nearest_first(replicas, agent_info("a4"), turn).at(1).endpoint);
    EXPECT_EQ(mapreduce::nearest_first(replicas, agent_info("a4"), turn).at(0).endpoint, "3");
  }
  EXPECT_THAT(first, ElementsAre("1", "5", "1", "5"));
}

TEST(StorePath, PathsAreAsTheCatalogWritesThem) {
  EXPECT_EQ(mapreduce::store_path("a//b/"), "/a/b");
  EXPECT_EQ(mapreduce::store_path("/"), "/");
  EXPECT_EQ(mapreduce::part_name(7), "part-00007");
  EXPECT_EQ(mapreduce::part_name(123456), "part-123456");
  EXPECT_TRUE(mapreduce::is_hidden_below("/", "/_tmp/x"));
  EXPECT_FALSE(mapreduce::is_hidden_below("/_tmp", "/_tmp/x"));
}

TEST(TaskSaidText, SurvivesTheTripAndIsCut) {
  const TaskSaid failure{TaskSaid::What::failure, "boom\nline"};
  EXPECT_EQ(parse_said(format_said(failure)), failure);
  const TaskSaid status{TaskSaid::What::status, "half way"};
  EXPECT_EQ(parse_said(format_said(status)), status);
  EXPECT_EQ(format_said({TaskSaid::What::status, std::string(limits::kTextBytes * 2, 'x')}).size(),
            limits::kTextBytes);
  EXPECT_EQ(parse_said("hello"), std::nullopt);
}

TEST(TaskTable, ATaskGoesFromWaitingToDoneAndBack) {
  mapreduce::TaskTable table(JobId{3}, 'm', 1);
  const auto id = table.open(0);
  table.launch(id, agent_id("a1"), Locality::node, {});
  EXPECT_EQ(table.progress(), (TaskProgress{1, 1, 0}));
  EXPECT_TRUE(table.end(id).has_value());
  table.win(0, id);
  EXPECT_TRUE(table.all_done());
  EXPECT_EQ(table.won_by(id), 0u);
  table.lose(0);
  EXPECT_THAT(table.waiting(), SizeIs(1));
  EXPECT_EQ(table.won_by(id), std::nullopt);
  table.check_invariants();
}

TEST(TaskTable, AnAbandonedAttemptEndsWithoutTouchingItsTask) {
  mapreduce::TaskTable table(JobId{3}, 'm', 1);
  const auto first = table.open(0);
  table.launch(first, agent_id("a1"), Locality::node, {});
  table.abandon(first);
  const auto second = table.open(0);
  EXPECT_NE(first, second);
  EXPECT_FALSE(table.end(first)->current);
  EXPECT_THAT(table.open_tasks(), SizeIs(1));
  EXPECT_THAT(table.attempts(), IsEmpty());
  table.check_invariants();
}

}  // namespace
}  // namespace proffer::mapreduce_test
