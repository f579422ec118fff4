// Jobs that come after others.
#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

JobSpec named(JobSpec spec, const std::string& name, const std::vector<std::string>& after = {}) {
  spec.name = name;
  spec.after = after;
  return spec;
}

/// "second" comes after "first".
void submit_two(Hand& hand) {
  hand.input("/in", {{"a1"}});
  hand.submit(named(grep("/in", "/x"), "first"));
  hand.submit(named(grep("/in", "/y"), "second", {"first"}));
  hand.begin();
}

TEST(MapReduceAfter, AJobBeginsWhenTheOneBeforeItHasSucceeded) {
  Hand hand;
  submit_two(hand);
  EXPECT_EQ(hand.phase(JobId{2}), JobPhase::queued);
  hand.finish(hand.offer_map("a1").at(0));
  EXPECT_EQ(hand.phase(JobId{1}), JobPhase::succeeded);
  EXPECT_EQ(hand.phase(JobId{2}), JobPhase::running);
}

TEST(MapReduceAfter, AFailureFailsAllThatComeAfterIt) {
  Hand hand;
  hand.submit(named(grep("/nowhere", "/x"), "first"));
  hand.submit(named(grep("/in", "/y"), "second", {"first"}));
  hand.submit(named(grep("/y", "/z"), "third", {"second"}));
  hand.begin();
  hand.pass(1ms);
  EXPECT_EQ(hand.report(JobId{2}).why, "it comes after first, which has failed");
  EXPECT_EQ(hand.report(JobId{3}).why, "it comes after second, which has failed");
  EXPECT_TRUE(hand.stopped);
}

TEST(MapReduceAfter, JobsThatWaitForOthersDoNotCountAsRunning) {
  MapReduceConfig config;
  config.max_running_jobs = 1;
  Hand hand(config);
  hand.input("/in", {{"a1"}});
  hand.submit(named(grep("/in", "/x"), "first"));
  hand.submit(named(grep("/in", "/y"), "second", {"first"}));
  hand.submit(named(grep("/in", "/z"), "third"));
  hand.begin();
  hand.finish(hand.offer_map("a1").at(0));
  EXPECT_EQ(hand.phase(JobId{2}), JobPhase::running) << "it came before the third";
  EXPECT_EQ(hand.phase(JobId{3}), JobPhase::queued);
}

TEST(MapReduceAfter, OnlyJobsSubmittedBeforeCanBeNamed) {
  Hand hand;
  const auto refused = hand.framework->submit(named(grep(), "first", {"first"}));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("after \"first\", which is no job before it"));
}

TEST(MapReduceAfter, AResumedJobStillWaits) {
  Hand former;
  former.kept.on = true;
  submit_two(former);
  Hand hand;
  hand.take_over(former);
  hand.begin();
  EXPECT_EQ(hand.phase(JobId{1}), JobPhase::running);
  EXPECT_EQ(hand.phase(JobId{2}), JobPhase::queued);
}

JobSpec synthetic(const std::string& output) {
  JobSpec spec;
  spec.output = output;
  spec.token = "t";
  spec.synthetic = SyntheticJob{{{1s, 100}}, {}};
  return spec;
}

const SyntheticWork& synthetic_of(const TaskSpec& task) { return std::get<SyntheticWork>(*task.work); }

TEST(MapReduceAfter, ASyntheticJobWithAnOutputWritesAndPublishesIt) {
  Hand hand;
  hand.submit(synthetic("/out"));
  hand.begin();
  const auto map = hand.offer_map("a1").at(0);
  EXPECT_EQ(synthetic_of(map).output.path, "/out/_temporary/" + map.id.value + "/part-00000");
  hand.store.add(synthetic_of(map).output.path);
  hand.finish_synthetic(map);
  EXPECT_EQ(hand.phase(), JobPhase::succeeded);
  EXPECT_THAT(hand.store.below("/out"), testing::Contains("_SUCCESS"));
}

TEST(MapReduceAfter, ASyntheticJobWithoutAnOutputAsksForNone) {
  Hand hand;
  hand.submit(synthetic(""));
  hand.begin();
  EXPECT_THAT(synthetic_of(hand.offer_map("a1").at(0)).output.path, IsEmpty());
  EXPECT_THAT(hand.asked, IsEmpty());
}

}  // namespace
}  // namespace proffer::mapreduce_test
