// Files of the store that agents keep for tasks, and who prefers to be where they are.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

JobSpec with_model(const std::string& output, std::vector<CachedPath> cached = {{"/model", "m"}}) {
  auto spec = word_count("/in", output);
  spec.cached = std::move(cached);
  return spec;
}

/// Maps without input, which need a file.
JobSpec synthetic(std::size_t maps, std::vector<CachedPath> cached = {{"/model", "m"}}) {
  JobSpec spec;
  spec.name = "synthetic";
  spec.token = "job-token";
  spec.synthetic = SyntheticJob{std::vector<SyntheticTask>(maps, SyntheticTask{1s, 0}), {}, {}};
  spec.cached = std::move(cached);
  return spec;
}

/// Jobs of one map, on a1, and two reduces, which need a file.
struct Models : Hand {
  explicit Models(MapReduceConfig config = patient("5s")) : Hand(lasting(std::move(config))) {
    input("/in", {{"a1"}});
    input("/model", {{"a5", "a6"}, {"a6"}});
    input("/other", {{"a5"}});
  }
  static MapReduceConfig lasting(MapReduceConfig config) {
    config.stop_when_done = false;
    return config;
  }
  /// The first job's reduces wait.
  void until_reduces() {
    submit(with_model("/out"));
    begin();
    run_maps("a1");
  }
};

TEST(CachedFiles, EveryTaskIsToldOfThem) {
  Models hand;
  hand.submit(with_model("/out"));
  hand.begin();
  const auto map = hand.offer_map("a1").at(0);
  ASSERT_THAT(map_of(map).cached, SizeIs(1));
  EXPECT_EQ(map_of(map).cached[0].name, "m");
  ASSERT_THAT(map_of(map).cached[0].blocks, SizeIs(2));
  EXPECT_EQ(map_of(map).cached[0].blocks[1].replicas.at(0).agent, agent_id("a6"));
  EXPECT_EQ(map_of(map).cached[0].blocks[1].token, "store-token");
  hand.finish(map);
  EXPECT_EQ(reduce_of(hand.offer_reduce("a1").at(0)).cached, map_of(map).cached);
}

TEST(CachedFiles, OneThatIsMissingFailsTheJobBeforeItsFirstTask) {
  Models hand;
  hand.submit(with_model("/out", {{"/no", "m"}}));
  hand.begin();
  EXPECT_EQ(hand.report().why, "the cached file /no cannot be read: there is no /no");
  EXPECT_FALSE(hand.store.has("/out/_temporary/_SUCCESS"));
}

TEST(CachedFiles, OneThatIsAFolderOrThatNobodyHoldsFailsTheJob) {
  Models hand;
  hand.input("/models/a", {{"a1"}});
  hand.input("/lost", {{}});
  hand.submit(with_model("/out", {{"/models", "m"}}));
  const auto second = hand.submit(with_model("/out2", {{"/lost", "m"}}));
  hand.begin();
  EXPECT_EQ(hand.report().why,
            "the cached file /models cannot be read: /models is a folder; name one file of it");
  hand.pass(301s);
  EXPECT_EQ(hand.report(second).why,
            "the cached file /lost cannot be read: no agent holds block 6 of /lost at present");
}

TEST(CachedFiles, ReducesWaitForTheAgentWhereATaskHadTheFile) {
  Models hand;
  hand.until_reduces();
  EXPECT_THAT(hand.offer_reduce("a2"), IsEmpty());
  EXPECT_EQ(hand.last_decline().reason, DeclineReason::no_node_local);
  EXPECT_THAT(hand.offer_reduce("a1"), SizeIs(1));
}

TEST(CachedFiles, NothingWaitsBeforeTheFirstHolder) {
  Models hand;
  hand.submit(synthetic(3));
  hand.begin();
  const auto first = hand.offer_map("a1").at(0);
  EXPECT_THAT(hand.offer_map("a2"), SizeIs(1));
  hand.runs(first);
  EXPECT_THAT(hand.offer_map("a3"), IsEmpty());
  EXPECT_THAT(hand.offer_map("a1"), SizeIs(1));
}

TEST(CachedFiles, AnAgentWhereAReduceRunsIsPreferredByTheOthersAtOnce) {
  Models hand;
  hand.until_reduces();
  EXPECT_THAT(hand.offer_reduce("a2"), IsEmpty());
  hand.pass(10s);
  const auto reduce = hand.offer_reduce("a2").at(0);
  hand.revived.clear();
  hand.runs(reduce);
  EXPECT_THAT(hand.revived, Contains(Kind("reduce")));
  const auto placed = all_of<TaskPlaced>(hand.traces).size();
  EXPECT_THAT(hand.offer_reduce("a2"), SizeIs(1));
  EXPECT_EQ(all_of<TaskPlaced>(hand.traces).at(placed).locality, Locality::node);
}

TEST(CachedFiles, ALaterJobOfTheFileGoesWhereItIsAndOneOfAnotherVersionAnywhere) {
  Models hand;
  hand.until_reduces();
  hand.submit(synthetic(2));
  hand.subscribe();
  EXPECT_THAT(hand.offer_map("a3"), IsEmpty());
  hand.input("/model", {{"a5"}});  // another file of that name
  hand.submit(synthetic(2));
  hand.subscribe();
  EXPECT_THAT(hand.offer_map("a3"), SizeIs(1));
}

TEST(CachedFiles, AJobOfTwoPrefersAgentsThatHoldBoth) {
  Models hand;
  hand.until_reduces();
  hand.submit(synthetic(1, {{"/other", "o"}}));
  hand.subscribe();
  hand.runs(hand.offer_map("a2").at(0));
  hand.submit(synthetic(3, {{"/model", "m"}, {"/other", "o"}}));
  hand.subscribe();
  hand.runs(hand.offer_map("a3").at(0));
  EXPECT_THAT(hand.offer_map("a1"), IsEmpty()) << "it holds the first only";
  EXPECT_THAT(hand.offer_map("a2"), IsEmpty()) << "it holds the second only";
  EXPECT_THAT(hand.offer_map("a3"), SizeIs(1));
}

TEST(CachedFiles, ALostAgentHoldsNothing) {
  Models hand;
  hand.until_reduces();
  const auto reduce = hand.offer_reduce("a1").at(0);
  EXPECT_THAT(hand.offer_reduce("a2"), IsEmpty());
  hand.end(reduce, TaskState::lost, TaskReason::agent_lost);
  EXPECT_THAT(hand.offer_reduce("a2"), SizeIs(1));
}

TEST(CachedFiles, ATaskThatFailsMayHaveFailedForWantOfTheFile) {
  Models hand;
  hand.until_reduces();
  hand.fail(hand.offer_reduce("a1").at(0));
  EXPECT_THAT(hand.offer_reduce("a2"), SizeIs(1));
}

TEST(CachedFiles, LogsTellWhereTasksWantToBe) {
  Models hand;
  hand.until_reduces();
  EXPECT_THAT(all_of<TaskQueued>(hand.traces).back().prefers, ElementsAre(agent_id("a1")));
}

TEST(CachedFiles, JobsThatShareOneAreSpreadWhereLongTasksAre) {
  auto config = greedy();
  config.balance_long_tasks = true;
  Models hand(config);
  hand.input("/in", std::vector<std::vector<std::string>>(4, {"a1", "a2"}));
  for (const auto* output : {"/o1", "/o2"}) hand.submit(with_model(output));
  hand.begin();
  for (const auto* agent : {"a1", "a2"}) hand.offer_reduce(agent);  // both are known
  for (int i = 0; i < 3; ++i) hand.finish(hand.offer_map("a1").at(0));
  hand.offer_map("a1");  // the first job's last
  for (int i = 0; i < 3; ++i) hand.finish(hand.offer_map("a2").at(0));
  EXPECT_THAT(hand.offer_map("a1"), IsEmpty()) << "neither job is long, but they share the file";
  EXPECT_THAT(hand.offer_map("a2"), SizeIs(1));
}

TEST(CachedFiles, AreWrittenAsPathAndName) {
  const auto text = [](std::string_view written) {
    const auto [path, name] = parse_cached(written);
    return path + " as " + name;
  };
  EXPECT_EQ(text("/a/b#c"), "/a/b as c");
  EXPECT_EQ(text("/a/b"), "/a/b as b");
  EXPECT_EQ(text("/a#1/b#c"), "/a#1/b as c");
  EXPECT_EQ(text("/a/b#"), "/a/b as ");
}

std::string refusal_of(std::vector<CachedPath> cached, std::vector<ShippedFile> files = {}) {
  auto spec = with_model("/out", std::move(cached));
  spec.files = std::move(files);
  const auto checked = check_job(spec);
  return checked ? "accepted" : checked.error().message;
}

TEST(CachedFiles, BadOnesAreNamed) {
  EXPECT_EQ(refusal_of({{"/a", "a"}, {"/b", "b"}}), "accepted");
  EXPECT_EQ(refusal_of({{"/a", ""}}), "a cached file cannot be named \"\"; write PATH#NAME");
  EXPECT_EQ(refusal_of({{"/a", "stdout"}}), "a cached file cannot be named \"stdout\"; write PATH#NAME");
  EXPECT_EQ(refusal_of({{"/a/m", "m"}, {"/b/m", "m"}}),
            "two files of a task are named m; write PATH#NAME for another name");
  EXPECT_EQ(refusal_of({{"/a", "a"}}, {{"a", "x", false}}),
            "two files of a task are named a; write PATH#NAME for another name");
  EXPECT_EQ(refusal_of(std::vector<CachedPath>(9, {"/a", "a"})), "a job has at most 8 cached files, not 9");
  EXPECT_EQ(refusal_of({{"", "a"}}), "a cached file has an empty path");
}

}  // namespace
}  // namespace proffer::mapreduce_test
