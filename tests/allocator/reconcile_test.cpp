// RECONCILE: what has become of tasks, as far as it is known for certain.
#include "proffer/limits.hpp"
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::SizeIs;

class Reconciliation : public ::testing::Test {
 protected:
  Reconciliation() {
    s.agent("a1", 3);
    s.framework("f", kOptions);
    s.run("f", "a1", "t1");
  }
  /// "t1 known RUNNING": the answer about one task.
  std::string ask(const std::string& task, AgentId agent) { return text(ask({{{task}, agent}})); }
  std::string ask(const std::string& task) { return ask(task, s.client("a1").agent); }
  Reconciled ask(std::vector<TaskAt> tasks) {
    s.say("f", Reconcile{++request_, std::move(tasks)});
    const auto answers = s.take<Reconciled>("f");
    if (answers.size() != 1) {
      ADD_FAILURE() << answers.size() << " answers";
      return {};
    }
    EXPECT_EQ(answers[0].request, request_);
    EXPECT_TRUE(answers[0].last);
    return answers[0];
  }
  static std::string text(const Reconciled& answer) {
    std::string text;
    for (const auto& task : answer.tasks) {
      if (!text.empty()) text += ", ";
      text += task.task.value + " " + std::string(to_string(task.known));
      if (task.known == Known::known) text += " " + std::string(to_string(task.state));
    }
    return text;
  }
  void come_back(std::vector<AgentTask> tasks) {
    s.say_first("a1", s.registration("a1", {{kMap, 3}}, std::move(tasks)));
  }
  const FrameworkOptions kOptions{.demand = 3, .failover = 600 * kSecond};
  Stage s;
  std::uint64_t request_ = 0;
};

TEST_F(Reconciliation, AKnownTaskIsToldWithItsState) {
  EXPECT_EQ(ask("t1"), "t1 known RUNNING");
  const auto answer = ask(std::vector<TaskAt>{{{"t1"}, {}}}).tasks.at(0);
  EXPECT_EQ(answer.agent, s.client("a1").agent);
  EXPECT_EQ(answer.resources, (Resources{{kMap, 1}}));
  EXPECT_EQ(answer.job, kJob);
}

TEST_F(Reconciliation, ALaunchThatIsUnderWayIsKnown) {
  s.revive("f");
  s.accept("f", "a1", {"t2"});
  EXPECT_EQ(ask("t2"), "t2 known PENDING");
}

TEST_F(Reconciliation, ATaskIsUnknownIfItsAgentIsHereWithoutIt) { EXPECT_EQ(ask("t9"), "t9 unknown"); }

TEST_F(Reconciliation, AnAcceptOfATaskThatWasCalledUnknownIsRefused) {
  EXPECT_EQ(ask("t9"), "t9 unknown");
  EXPECT_EQ(s.accept("f", "a1", {"t9"}), "t9=REJECTED(duplicate-id)");
}

TEST_F(Reconciliation, ATaskIsAwaitedUntilItsAgentIsBack) {
  s.restart();
  s.framework("f", kOptions);
  EXPECT_EQ(ask("t1"), "t1 awaited");
  EXPECT_EQ(ask("t1", {}), "t1 awaited");
  EXPECT_FALSE(ask(std::vector<TaskAt>{}).complete);
  come_back({s.listed("a1", "t1")});
  EXPECT_EQ(ask("t1"), "t1 known RUNNING");
  EXPECT_TRUE(ask(std::vector<TaskAt>{}).complete);
}

TEST_F(Reconciliation, ALaunchThatTheRestartSwallowedIsUnknownOnceItsAgentIsBack) {
  s.revive("f");
  s.accept("f", "a1", {"t2"});
  s.restart();
  s.framework("f", kOptions);
  EXPECT_EQ(ask("t2"), "t2 awaited");
  come_back({s.listed("a1", "t1")});
  EXPECT_EQ(ask("t2"), "t2 unknown");
}

TEST_F(Reconciliation, ATaskThatWasCalledUnknownIsKilledIfItTurnsUpAfterAll) {
  const auto task = s.listed("a1", "t1");
  s.restart();
  s.framework("f", kOptions);
  come_back({});
  EXPECT_EQ(ask("t1"), "t1 unknown");
  s.take<Registered>("a1");
  s.say("a1", Heartbeat{});  // else it is the same hello once more
  come_back({task});
  EXPECT_THAT(s.take<Registered>("a1").at(0).kill, SizeIs(1));
}

TEST_F(Reconciliation, ATaskIsUnreachableWhenItsAgentIsNotBackAfterTheWindow) {
  s.restart();
  s.framework("f", kOptions);
  s.pass(61 * kSecond);
  EXPECT_EQ(ask("t1"), "t1 known UNREACHABLE");
  EXPECT_EQ(ask("t1", {}), "t1 awaited") << "it may be anywhere";
  EXPECT_FALSE(ask(std::vector<TaskAt>{}).complete);
}

TEST_F(Reconciliation, ATaskOnARetiredAgentIsGone) {
  s.keep_record(RetiredAgent{{{4, 4}}, "a4"});
  s.restart();
  s.framework("f", kOptions);
  EXPECT_EQ(ask("t1", {{4, 4}}), "t1 known GONE");
}

TEST_F(Reconciliation, ATaskOnAnAgentThatNobodyKnowsIsUnknown) {
  EXPECT_EQ(ask("t9", {{4, 4}}), "t9 unknown");
}

TEST_F(Reconciliation, AllTasksAreToldWhenNoneIsNamed) {
  s.revive("f");
  s.run("f", "a1", "t2");
  EXPECT_EQ(text(ask(std::vector<TaskAt>{})), "t1 known RUNNING, t2 known RUNNING");
}

TEST_F(Reconciliation, AnEndWithoutAcknowledgementIsToldAsWell) {
  s.finish("a1", "t1");
  EXPECT_EQ(text(ask(std::vector<TaskAt>{})), "t1 known FINISHED");
}

TEST_F(Reconciliation, AnotherFrameworksTaskIsUnknown) {
  s.framework("g");
  s.say("g", Reconcile{1, {{{"t1"}, s.client("a1").agent}}});
  EXPECT_EQ(text(s.take<Reconciled>("g").at(0)), "t1 unknown");
}

TEST_F(Reconciliation, TooManyNamesAreRefused) {
  s.say("f", Reconcile{1, std::vector<TaskAt>(limits::kTasksPerAccept + 1, TaskAt{{"t"}, {}})});
  EXPECT_EQ(s.error("f"), ErrorCode::invalid);
}

TEST_F(Reconciliation, WhoAsksTooOftenIsTurnedAwayForASecond) {
  const Reconcile question{1, std::vector<TaskAt>(limits::kTasksPerAccept, TaskAt{{"t"}, {}})};
  const auto most = limits::kReconciledTasksPerSecond / limits::kTasksPerAccept;
  for (std::size_t i = 0; i <= most; ++i) s.say("f", question);
  EXPECT_LE(s.take<Reconciled>("f").size(), most);
  const auto errors = s.take<ErrorMessage>("f");
  ASSERT_FALSE(errors.empty());
  EXPECT_EQ(errors[0].error.code, ErrorCode::slow_down);
  s.pass(kSecond);
  s.say("f", question);
  EXPECT_THAT(s.take<Reconciled>("f"), SizeIs(1));
}

TEST(ReconciliationPages, ALongAnswerComesInPages) {
  Stage s;
  s.check_every(100);
  for (const auto* agent : {"a1", "a2"}) s.agent(agent, 700);
  s.framework("f");
  int n = 0;
  for (const auto* agent : {"a1", "a2"}) {
    std::vector<std::string> tasks;
    for (int i = 0; i < 700; ++i) tasks.push_back("t" + std::to_string(++n));
    s.accept("f", agent, tasks);
  }
  s.say("f", Reconcile{5, {}});
  const auto pages = s.take<Reconciled>("f");
  ASSERT_THAT(pages, SizeIs(2));
  EXPECT_THAT(pages[0].tasks, SizeIs(limits::kTasksPerAccept));
  EXPECT_FALSE(pages[0].last);
  EXPECT_THAT(pages[1].tasks, SizeIs(1400 - limits::kTasksPerAccept));
  EXPECT_TRUE(pages[1].last);
}

}  // namespace
}  // namespace proffer
