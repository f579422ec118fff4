// Offers: how several jobs share the framework's slots, and why offers are declined.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::uint32_t> jobs_of(const std::vector<TaskSpec>& tasks) {
  std::vector<std::uint32_t> jobs;
  for (const auto& task : tasks) jobs.push_back(task.job.value);
  return jobs;
}

TEST(MapReduceSharing, TwoJobsShareTheSlotsEvenly) {
  Hand hand;
  hand.input("/in", {{"a1"}, {"a1"}, {"a1"}});
  hand.submit(grep("/in", "/x"));
  hand.submit(grep("/in", "/y"));
  hand.begin();
  EXPECT_THAT(jobs_of(hand.offer_map("a1", 4)), ElementsAre(1, 2, 1, 2));
}

TEST(MapReduceSharing, JobsBeyondTheLimitWaitTheirTurn) {
  MapReduceConfig config;
  config.max_running_jobs = 1;
  Hand hand(config);
  hand.input("/in", {{"a1"}, {"a1"}});
  hand.submit(grep("/in", "/x"));
  hand.submit(grep("/in", "/y"));
  hand.begin();
  EXPECT_EQ(hand.phase(JobId{2}), JobPhase::queued);
  EXPECT_THAT(jobs_of(hand.run_maps()), ElementsAre(1, 1, 2, 2));
  EXPECT_TRUE(hand.framework->all_succeeded());
}

TEST(MapReduceSharing, OfJobsThatWaitTheOneOfHighestPriorityBeginsFirst) {
  MapReduceConfig config;
  config.max_running_jobs = 1;
  Hand hand(config);
  hand.input("/in", {{"a1"}, {"a1"}});
  hand.submit(grep("/in", "/first"));
  hand.begin();
  int number = 0;
  for (const auto priority : {Priority::low, Priority::normal, Priority::high, Priority::normal}) {
    auto job = grep("/in", "/x" + std::to_string(++number));
    job.priority = priority;
    hand.submit(std::move(job));
  }
  hand.pass(1ms);
  EXPECT_THAT(jobs_of(hand.run_maps()), ElementsAre(1, 1, 4, 4, 3, 3, 5, 5, 2, 2));
}

TEST(MapReduceSharing, AFailedJobLetsTheNextBegin) {
  MapReduceConfig config;
  config.max_running_jobs = 1;
  Hand hand(config);
  hand.input("/in", {{"a1"}});
  hand.submit(grep("/nowhere", "/x"));
  hand.submit(grep("/in", "/y"));
  hand.begin();
  hand.pass(0s);
  hand.run_maps();
  EXPECT_EQ(hand.phase(JobId{1}), JobPhase::failed);
  EXPECT_EQ(hand.phase(JobId{2}), JobPhase::succeeded);
  EXPECT_TRUE(hand.framework->all_ended());
  EXPECT_FALSE(hand.framework->all_succeeded());
}

TEST(MapReduceSharing, AJobSubmittedLaterBeginsAtOnce) {
  MapReduceConfig config;
  config.stop_when_done = false;
  Hand hand(config);
  hand.input("/in", {{"a1"}});
  hand.submit(grep("/in", "/x"));
  hand.begin();
  hand.run_maps();
  EXPECT_FALSE(hand.stopped);
  hand.submit(grep("/in", "/y"));
  hand.pass(0s);
  EXPECT_EQ(hand.phase(JobId{2}), JobPhase::running);
  EXPECT_EQ(hand.report(JobId{2}).submitted, hand.now);
}

TEST(MapReduceSharing, DemandIsWhatWaitsAndWhatRuns) {
  Hand hand;
  hand.input("/in", {{"a1"}, {"a1"}, {"a1"}});
  hand.submit(word_count());
  hand.begin();
  EXPECT_EQ(hand.demand[Kind("map")], 3);
  EXPECT_EQ(hand.demand[Kind("reduce")], 0);
  const auto task = hand.offer_map("a1").at(0);
  hand.finish(task);
  EXPECT_EQ(hand.demand[Kind("map")], 2);
  hand.run_maps();
  EXPECT_EQ(hand.demand[Kind("map")], 0);
  EXPECT_EQ(hand.demand[Kind("reduce")], 2);
}

TEST(MapReduceSharing, NothingToRunIsDeclinedUntilRevived) {
  Hand hand;
  hand.input("/in", {{"a1"}});
  hand.submit(word_count());
  hand.begin();
  hand.offer_reduce("a1");
  EXPECT_EQ(hand.last_decline().reason, DeclineReason::no_pending_task);
  EXPECT_EQ(hand.last_decline().refuse_for, std::nullopt);
  hand.revived.clear();
  hand.run_maps();
  EXPECT_THAT(hand.revived, ElementsAre(Kind("reduce")));
}

TEST(MapReduceSharing, APatientJobDeclinesSlotsWithoutItsDataAndSaysForHowLong) {
  Hand hand(patient("5s"));
  hand.input("/in", {{"a1"}});
  hand.submit(grep());
  hand.begin();
  EXPECT_THAT(hand.offer_map("a6"), IsEmpty());
  EXPECT_EQ(hand.last_decline().reason, DeclineReason::no_node_local);
  EXPECT_EQ(hand.last_decline().refuse_for, Duration(5s));
  EXPECT_THAT(hand.offer_map("a1"), SizeIs(1));
}

TEST(MapReduceSharing, APatientJobTakesItsRackAfterItsWaitAndAnyAfterTwo) {
  for (const auto& [agent, wait] : {std::pair("a2", 5s), std::pair("a6", 10s)}) {
    Hand hand(patient("5s"));
    hand.input("/in", {{"a1"}});
    hand.submit(grep());
    hand.begin();
    EXPECT_THAT(hand.offer_map("a6"), IsEmpty());
    hand.pass(wait - 1ms);
    EXPECT_THAT(hand.offer_map(agent), IsEmpty());
    hand.pass(1ms);
    EXPECT_THAT(hand.offer_map(agent), SizeIs(1));
  }
}

TEST(MapReduceSharing, ReducesDoNotWaitForAnyPlace) {
  Hand hand(patient("5s"));
  hand.input("/in", {{"a1"}});
  hand.submit(word_count());
  hand.begin();
  hand.run_maps();
  EXPECT_THAT(hand.offer_reduce("a6", 2), SizeIs(2));
}

TEST(MapReduceSharing, OffersAreCountedByWhatBecameOfThem) {
  Hand hand(patient("5s"));
  hand.input("/in", {{"a1"}, {"a1"}});
  hand.submit(word_count());
  hand.begin();
  hand.offer_map("a6");
  hand.offer_map("a5");
  hand.offer_reduce("a5");
  hand.offer_map("a1", 2);
  const auto& totals = hand.framework->offer_totals();
  EXPECT_EQ(totals.received, 4u);
  EXPECT_EQ(totals.accepted, 1u);
  EXPECT_EQ(totals.tasks_launched, 2u);
  EXPECT_EQ(totals.declined[static_cast<int>(DeclineReason::no_node_local)], 2u);
  EXPECT_EQ(totals.declined[static_cast<int>(DeclineReason::no_pending_task)], 1u);
}

TEST(MapReduceSharing, TasksThatDoNotFitIntoOneMessageWaitForTheNextOffer) {
  Hand hand;
  hand.input("/in", {{"a1"}, {"a1"}, {"a1"}, {"a1"}});
  auto spec = grep();
  spec.files = {{"model", std::string(250 << 10, 'x'), false}};
  hand.submit(std::move(spec));
  hand.begin();
  EXPECT_EQ(hand.offer_map("a1", 4).size(), 3u);
  EXPECT_EQ(hand.offer_map("a1", 4).size(), 1u);
}

}  // namespace
}  // namespace proffer::mapreduce_test
