// What operators want of jobs goes to their framework, and its answer comes back.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class Jobs : public ::testing::Test {
 protected:
  Jobs() { stage.framework("f", {.failover = 60 * kSecond}); }

  /// The number under which `f` was asked; 0: it was not.
  std::uint64_t kill(const std::string& framework = "f") {
    stage.say_first("operator", KillJob{7, framework, "sort", "ada", "too long"});
    const auto asked = stage.take<KillJob>("f");
    return asked.empty() ? 0 : asked.front().request;
  }
  std::vector<AdminDone> told() { return stage.take<AdminDone>("operator"); }
  Error refusal() {
    const auto done = told();
    return done.size() == 1 && done[0].error ? *done[0].error : Error{ErrorCode::type, "no refusal"};
  }

  Stage stage;
};

TEST_F(Jobs, AKillIsPassedOnAsItIsUnderANumberOfItsOwn) {
  stage.say_first("operator", KillJob{7, "f", "sort", "ada", "too long"});
  stage.say_first("operator", KillJob{7, "f", "grep", "ada", ""});
  EXPECT_THAT(stage.take<KillJob>("f"),
              ElementsAre(KillJob{1, "f", "sort", "ada", "too long"}, KillJob{2, "f", "grep", "ada", ""}));
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(Jobs, AMoveIsPassedOnAsWell) {
  stage.say_first("operator", MoveJob{7, "f", "sort", "research"});
  EXPECT_THAT(stage.take<MoveJob>("f"), ElementsAre(MoveJob{1, "f", "sort", "research"}));
}

TEST_F(Jobs, WhoAskedIsToldUnderHisOwnNumberAndOnce) {
  const auto number = kill();
  stage.say("f", AdminDone{number, {}, "job 1 (sort) is killed"});
  stage.say("f", AdminDone{number, {}, "job 1 (sort) is killed"});
  EXPECT_THAT(told(), ElementsAre(AdminDone{7, {}, "f: job 1 (sort) is killed"}));
}

TEST_F(Jobs, WhyNothingIsDoneComesBackWithItsCode) {
  stage.say("f", AdminDone{kill(), Error{ErrorCode::not_found, "there is no job 'sort'"}, ""});
  EXPECT_EQ(refusal(), (Error{ErrorCode::not_found, "f: there is no job 'sort'"}));
}

TEST_F(Jobs, AnAnswerToWhatAnotherWasAskedIsIgnored) {
  const auto number = kill();
  stage.framework("g");
  stage.say("g", AdminDone{number, {}, "done"});
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(Jobs, TheOnlyFrameworkNeedNotBeNamed) {
  EXPECT_EQ(kill(""), 1u);
  stage.framework("g");
  EXPECT_EQ(kill(""), 0u);
  EXPECT_THAT(refusal().message, HasSubstr("FRAMEWORK/JOB"));
}

TEST_F(Jobs, AFrameworkThatThereIsNotOrThatIsAwayIsNotAsked) {
  kill("nobody");
  EXPECT_EQ(refusal(), (Error{ErrorCode::unknown_framework, "there is no framework 'nobody'"}));
  stage.lose("f");
  kill();
  EXPECT_EQ(refusal(), (Error{ErrorCode::unknown_framework, "framework 'f' is not connected now"}));
  EXPECT_THAT(stage.traces<MessageRefused>(), SizeIs(2));
}

TEST_F(Jobs, OneThatIsLostBeforeItAnswersIsWaitedForNoLonger) {
  kill();
  stage.lose("f");
  EXPECT_EQ(refusal(), (Error{ErrorCode::unknown_framework, "framework 'f' was lost before it answered"}));
}

TEST_F(Jobs, OneThatDoesNotAnswerIsGivenUpAfterThreeSeconds) {
  const auto number = kill();
  stage.pass(3 * kSecond - std::chrono::microseconds(1));
  EXPECT_THAT(told(), IsEmpty());
  stage.pass(std::chrono::microseconds(1));
  EXPECT_EQ(refusal().code, ErrorCode::timed_out);
  stage.say("f", AdminDone{number, {}, "job 1 (sort) is killed"});
  EXPECT_THAT(told(), IsEmpty());
}

/// Jobs that are driven by tasks of a framework of a name that everybody knows.
class DetachedJobsTest : public ::testing::Test {
 protected:
  static SubmitJob job() {
    SubmitJob job;
    job.request = 7;
    job.id = "d-1";
    job.name = "mr";
    job.framework = {{1, 1}};
    job.secret = {{2, 2}};
    job.command.argv = {"proffer", "mr"};
    return job;
  }
  Stage stage;
};

TEST_F(DetachedJobsTest, AJobGoesToTheFrameworkOfDriversAsItIs) {
  stage.framework(kDriversFramework);
  stage.say_first("client", job());
  auto passed_on = job();
  passed_on.request = 1;
  EXPECT_THAT(stage.take<SubmitJob>(kDriversFramework), ElementsAre(passed_on));
  stage.say(kDriversFramework, AdminDone{1, {}, "job d-1 is taken"});
  EXPECT_THAT(stage.take<AdminDone>("client"), ElementsAre(AdminDone{7, {}, "drivers: job d-1 is taken"}));
}

TEST_F(DetachedJobsTest, OneThatLaterMessagesHaveNoRoomForIsRefused) {
  stage.framework(kDriversFramework);
  auto large = job();
  large.command.files = {{"data", std::string(limits::kDetachedBytes, 'x'), false}};
  stage.say_first("client", large);
  EXPECT_EQ(stage.take<AdminDone>("client").at(0).error->code, ErrorCode::invalid);
  EXPECT_THAT(stage.take<SubmitJob>(kDriversFramework), IsEmpty());
}

TEST_F(DetachedJobsTest, WhatThereIsComesBackToWhoHasAsked) {
  stage.framework(kDriversFramework);
  stage.say_first("client", DescribeJobs{7, "d-1"});
  EXPECT_THAT(stage.take<DescribeJobs>(kDriversFramework), ElementsAre(DescribeJobs{1, "d-1"}));
  DetachedJob shown;
  shown.id = "d-1";
  stage.say(kDriversFramework, DetachedJobs{1, {shown}});
  stage.say(kDriversFramework, DetachedJobs{1, {shown}});
  EXPECT_THAT(stage.take<DetachedJobs>("client"), ElementsAre(DetachedJobs{7, {shown}}));
}

TEST_F(DetachedJobsTest, WithoutThatFrameworkTheyAreRefused) {
  stage.framework("f");
  stage.say_first("client", job());
  EXPECT_EQ(stage.take<AdminDone>("client").at(0).error->code, ErrorCode::unknown_framework);
}

TEST_F(DetachedJobsTest, ThatFrameworkIsNotTheOneThatNeedNotBeNamed) {
  stage.framework(kDriversFramework);
  stage.framework("f");
  stage.say_first("operator", KillJob{7, "", "sort", "", ""});
  EXPECT_THAT(stage.take<KillJob>("f"), SizeIs(1));
}

}  // namespace
}  // namespace proffer
