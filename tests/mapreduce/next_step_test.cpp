// What a job does after an answer of the catalog: the rules alone. What follows for tasks is in
// catalog_test.cpp.
#include "frameworks/mapreduce/next_step.hpp"

#include "tests/mapreduce/hand.hpp"

namespace proffer::mapreduce {
namespace {

using mapreduce_test::word_count;
using testing::HasSubstr;

Job job_of(JobSpec spec = word_count()) { return Job(JobId{1}, std::move(spec)); }

Message error(ErrorCode code) { return CatalogDone{1, Error{code, "so it is"}}; }
const Message kDone = CatalogDone{1, {}};

Step asked(const NextStep& next) { return std::get<Ask>(next).step; }
std::string failure(const NextStep& next) { return std::get<Fail>(next).why; }
bool cleans_up(const NextStep& next) { return std::holds_alternative<CleanUp>(next); }

/// A synthetic job of one map that reads nothing.
JobSpec synthetic() {
  JobSpec spec;
  spec.synthetic.emplace();
  spec.synthetic->maps.resize(1);
  return spec;
}

TEST(FirstStep, AJobAsksWhetherItsOutputIsNew) {
  EXPECT_EQ(asked(first_step(job_of(), true)), Step::check_output);
}

TEST(FirstStep, AJobThatReadsNeedsACatalog) {
  EXPECT_THAT(failure(first_step(job_of(), false)), HasSubstr("no catalog"));
}

TEST(FirstStep, AJobThatReadsNothingMakesItsTasks) {
  EXPECT_TRUE(std::holds_alternative<MakeTasks>(first_step(job_of(synthetic()), false)));
}

TEST(StepAfter, AnOutputThatExistsIsRefused) {
  auto job = job_of();
  EXPECT_EQ(failure(step_after(job, Step::check_output, kDone)), "the output /out exists");
  EXPECT_EQ(asked(step_after(job, Step::check_output, error(ErrorCode::not_found))), Step::list_input);
}

TEST(StepAfter, ACatalogThatDoesNotAnswerIsAskedAgain) {
  auto job = job_of();
  const auto later = std::get<AskLater>(step_after(job, Step::check_output, error(ErrorCode::unreachable)));
  EXPECT_EQ(later.step, Step::check_output);
  EXPECT_EQ(later.otherwise, "the catalog cannot be asked: so it is");
}

TEST(StepAfter, AFileWithoutHoldersIsListedAgain) {
  auto job = job_of();
  FilesListed listed;
  listed.files.push_back({});
  listed.files.back().path = "/in";
  listed.files.back().blocks.push_back({BlockId{1}, 100, 0, {}});
  const auto later = std::get<AskLater>(step_after(job, Step::list_input, listed));
  EXPECT_EQ(later.step, Step::list_input);
  EXPECT_THAT(later.why, HasSubstr("no agent holds block 1"));
  EXPECT_TRUE(job.input.maps.empty());
}

TEST(StepAfter, AClaimedOutputIsSettledAndTheTasksAreMade) {
  auto job = job_of();
  EXPECT_EQ(asked(step_after(job, Step::claim_output, kDone)), Step::settle_claim);
  EXPECT_TRUE(job.output.claimed);
  EXPECT_TRUE(std::holds_alternative<MakeTasks>(step_after(job, Step::settle_claim, kDone)));
}

TEST(StepAfter, AClaimThatTheCatalogForgotIsMadeAgain) {
  auto job = job_of();
  EXPECT_EQ(asked(step_after(job, Step::settle_claim, error(ErrorCode::not_found))), Step::claim_output);
}

TEST(StepAfter, AClaimThatMayBeItsOwnIsLeftToTheUser) {
  auto job = job_of();
  step_after(job, Step::claim_output, error(ErrorCode::timed_out));
  EXPECT_THAT(failure(step_after(job, Step::claim_output, error(ErrorCode::exists))), HasSubstr("remove it"));
}

TEST(StepAfter, ARenameWhoseAnswerWasLostIsVerified) {
  auto job = job_of();
  const auto later = std::get<AskLater>(step_after(job, Step::publish, error(ErrorCode::timed_out)));
  EXPECT_EQ(later.step, Step::verify);
  EXPECT_TRUE(cleans_up(step_after(job, Step::verify, kDone)));
  EXPECT_TRUE(job.output.published);
}

TEST(StepAfter, ARenameThatDidNotHappenIsMadeAgain) {
  auto job = job_of();
  job.output.publish_unsure = true;
  EXPECT_EQ(asked(step_after(job, Step::verify, error(ErrorCode::not_found))), Step::publish);
}

TEST(StepAfter, ARefusedRenameAfterALostOneIsVerifiedBeforeTheJobFails) {
  auto job = job_of();
  job.output.publish_unsure = true;
  EXPECT_EQ(asked(step_after(job, Step::publish, error(ErrorCode::exists))), Step::verify);
  EXPECT_THAT(failure(step_after(job, Step::verify, error(ErrorCode::not_found))), HasSubstr("so it is"));
}

TEST(StepAfter, LeftoversAreRemovedInVainFiveTimesAtMost) {
  auto job = job_of();
  for (int times = 0; times < 5; ++times) {
    const auto next = step_after(job, Step::clean_up, error(ErrorCode::unreachable));
    ASSERT_TRUE(std::holds_alternative<AskLater>(next));
    job.retries.again(Step::clean_up, Time{}, std::chrono::minutes(1));
  }
  const auto last = step_after(job, Step::clean_up, error(ErrorCode::unreachable));
  EXPECT_TRUE(std::holds_alternative<Finish>(last));
}

}  // namespace
}  // namespace proffer::mapreduce
