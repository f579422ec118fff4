// KILL_JOB and MOVE_JOB: the scheduler is asked, and what it says is answered.
#include "tests/frameworks/session_world.hpp"

namespace proffer::testing {
namespace {

TEST(JobChanges, ByDefaultAFrameworkCannot) {
  SessionWorld world;
  world.subscribe();
  world.sent();
  world.say(KillJob{5, "grep", "1", "ada", ""});
  world.say(MoveJob{6, "grep", "1", "research"});
  const auto answers = world.sent_of<AdminDone>();
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(answers[0], (AdminDone{5, Error{ErrorCode::refused, "its jobs cannot be killed"}, ""}));
  EXPECT_EQ(answers[1], (AdminDone{6, Error{ErrorCode::refused, "its jobs cannot be moved"}, ""}));
}

/// Ends when its job is killed.
struct OneJob final : Scheduler, ChangesJobs {
  void resource_offers(Driver&, const Offers&) override {}
  void status_update(Driver&, const TaskStatus&) override {}
  Result<std::string> kill_job(Driver& driver, const KillJob& kill) override {
    asked = kill;
    driver.stop();
    return std::string("it ends");
  }
  Result<std::string> move_job(Driver&, const MoveJob&) override { return std::string("it moves"); }
  KillJob asked;
};

TEST(JobChanges, TheAnswerGoesBeforeWhatTheSchedulerDoesAboutIt) {
  OneJob scheduler;
  Framework framework(config_for_tests(), scheduler, Random(1));
  Actions actions;
  framework.step(TimePassed{}, actions, at(1s));
  const Envelope hello{{{7, 7}}, {1}, {9}, 1, Subscribed{{{0, 9}}, 1, Duration{1s}, ""}};
  framework.step(MessageReceived{kAllocatorPeer, hello}, actions, at(1s));
  actions.clear();
  const KillJob kill{5, "grep", "1", "ada", "too long"};
  framework.step(MessageReceived{kAllocatorPeer, {{{7, 7}}, {1}, {9}, 2, kill}}, actions, at(2s));
  ASSERT_THAT(actions, SizeIs(2));
  EXPECT_EQ(scheduler.asked, kill);
  EXPECT_EQ(std::get<AdminDone>(std::get<Send>(actions[0]).envelope.message), (AdminDone{5, {}, "it ends"}));
  EXPECT_TRUE(std::holds_alternative<Teardown>(std::get<Send>(actions[1]).envelope.message));
}

TEST(JobChanges, ByDefaultAFrameworkTakesNoDetachedJobs) {
  SessionWorld world;
  world.subscribe();
  world.sent();
  SubmitJob job;
  job.request = 5;
  world.say(job);
  world.say(DescribeJobs{6, ""});
  const auto answers = world.sent_of<AdminDone>();
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(answers[0], (AdminDone{5, Error{ErrorCode::refused, "it takes no jobs"}, ""}));
  EXPECT_EQ(answers[1], (AdminDone{6, Error{ErrorCode::refused, "it takes no jobs"}, ""}));
}

}  // namespace
}  // namespace proffer::testing
