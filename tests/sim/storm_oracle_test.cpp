// What the oracle of a storm notices, planted by hand.
#include <gtest/gtest.h>

#include "sim/storm/process_table.hpp"
#include "sim/storm/told.hpp"
#include "sim/storm/watch.hpp"

namespace proffer::sim::storm {
namespace {

constexpr FrameworkId kFramework{Bits128{7, 7}};
const Kind kMap{"map"};

constexpr const char* kOneEnd = "a framework hears of one end of a task, and of nothing after it";

Time at(int second) { return Time{std::chrono::seconds(second)}; }
TaskKey key(const char* task) { return {kFramework, TaskId{task}}; }

class StormOracle : public ::testing::Test {
 protected:
  void begin(const char* task, std::uint64_t launch, HostNo host = 0, int when = 1) {
    table.began({{1, launch}, key(task), host, {{kMap, 1}}, at(when), {}, false, {}});
  }
  void tell(const char* task, TaskState state, TaskReason reason = TaskReason::none, Instance instance = 1) {
    TaskStatus status;
    status.framework = kFramework;
    status.task = {task};
    status.state = state;
    status.reason = reason;
    told.update(1, instance, status, at(9));
  }
  void end(const char* task, TaskState state, TaskReason reason = TaskReason::none, Instance instance = 1) {
    tell(task, state, reason, instance);
    told.committed();
  }
  /// Admits a process of the framework, with that epoch.
  void admit(Instance instance, std::uint64_t epoch, std::uint64_t session, Time when) {
    Envelope answer;
    answer.session = {session};
    answer.message = Subscribed{kFramework, epoch, {}, {}, {}, 1};
    watch.subscribed({1, instance, std::chrono::seconds(60)}, PeerId{session}, answer, when);
  }
  /// Returns the invariants that were broken so far, and forgets them.
  std::vector<std::string> blamed() {
    std::vector<std::string> names;
    for (const auto& violation : record.take_violations())
      names.push_back(violation.substr(0, violation.find(": at ")));
    return names;
  }
  using Names = std::vector<std::string>;

  Record record{false};
  ProcessTable table{{Resources{{kMap, 2}}, Resources{{kMap, 2}}}, record};
  Told told{table, record};
  Watch watch{table, told, record};
};

TEST_F(StormOracle, ATaskThatStartsOnceIsFine) {
  begin("t1", 1);
  begin("t2", 2);
  EXPECT_EQ(blamed(), Names{});
}

TEST_F(StormOracle, ATaskThatStartsTwiceIsNoticed) {
  begin("t1", 1);
  table.ended({1, 1}, at(2), {}, true);
  begin("t1", 2, 1);
  EXPECT_EQ(blamed(), Names{"a task is started once"});
}

TEST_F(StormOracle, ALaunchThatStartsTwiceIsNoticed) {
  begin("t1", 1);
  begin("t2", 1, 1);
  EXPECT_EQ(blamed(), Names{"a launch is started once"});
}

TEST_F(StormOracle, MoreProcessesThanSlotsAreNoticed) {
  begin("t1", 1);
  begin("t2", 2);
  begin("t3", 3, 1);
  EXPECT_EQ(blamed(), Names{});
  begin("t4", 4);
  EXPECT_EQ(blamed(), Names{"no slot is used twice"});
}

TEST_F(StormOracle, AnEndWithoutACauseIsNoticed) {
  begin("t1", 1);
  begin("t2", 2);
  table.causes.kills.insert(key("t2"));
  table.signalled({1, 2}, at(3));
  EXPECT_EQ(blamed(), Names{});
  table.signalled({1, 1}, at(3));
  EXPECT_EQ(blamed(), Names{"nothing ends a task without a cause"});
}

TEST_F(StormOracle, ASignalToWhatHasEndedNeedsNoCause) {
  begin("t1", 1);
  table.ended({1, 1}, at(2), {}, true);
  table.signalled({1, 1}, at(3));
  EXPECT_EQ(blamed(), Names{});
}

TEST_F(StormOracle, ALivingTaskThatIsSaidToBeLostIsNoticed) {
  begin("t1", 1);
  tell("t1", TaskState::lost, TaskReason::agent_lost);
  EXPECT_EQ(blamed(), Names{"what a framework is told is true"});
}

TEST_F(StormOracle, ARebootThatIsCalledAnotherLossIsNoticed) {
  begin("t1", 1);
  begin("t2", 2);
  table.rebooted({1, 1}, at(2));
  table.rebooted({1, 2}, at(2));
  tell("t1", TaskState::lost, TaskReason::host_reboot);
  EXPECT_EQ(blamed(), Names{});
  tell("t2", TaskState::lost, TaskReason::agent_lost);
  EXPECT_EQ(blamed(), Names{"what a framework is told is true"});
}

TEST_F(StormOracle, OnlyWhoHasLiedAboutTheAgentOfATaskMayHearThatItIsNotThere) {
  begin("t1", 1);
  begin("t2", 2);
  table.causes.misplaced = {key("t1"), key("t2")};
  tell("t1", TaskState::lost, TaskReason::agent_lost);
  table.signalled({1, 1}, at(9));
  EXPECT_EQ(blamed(), Names{});
  tell("t2", TaskState::lost, TaskReason::host_reboot);
  EXPECT_EQ(blamed(), Names{"what a framework is told is true"});
}

TEST_F(StormOracle, ADroppedTaskThatStartsLaterIsNoticed) {
  tell("t1", TaskState::dropped, TaskReason::never_arrived);
  EXPECT_EQ(blamed(), Names{});
  begin("t1", 1);
  EXPECT_EQ(blamed(), Names{"what a framework is told is true"});
}

TEST_F(StormOracle, AWrongExitCodeIsNoticed) {
  begin("t1", 1);
  table.ended({1, 1}, at(2), {3, 0}, true);
  tell("t1", TaskState::finished, TaskReason::exit);
  EXPECT_EQ(blamed(), Names{"what a framework is told is true"});
}

TEST_F(StormOracle, AnEndAfterAnEndIsNoticed) {
  end("t1", TaskState::dropped);
  tell("t1", TaskState::dropped);
  EXPECT_EQ(blamed(), Names{kOneEnd});
}

TEST_F(StormOracle, TwoEndsInOneStepAreNoticed) {
  tell("t1", TaskState::dropped);
  tell("t1", TaskState::dropped);
  EXPECT_EQ(blamed(), Names{kOneEnd});
}

TEST_F(StormOracle, ASuccessorMayHearTheSameEndAgainButNoOther) {
  begin("t1", 1);
  table.ended({1, 1}, at(2), {}, true);
  end("t1", TaskState::finished, TaskReason::exit, 1);
  end("t1", TaskState::finished, TaskReason::exit, 2);
  EXPECT_EQ(blamed(), Names{});
  end("t1", TaskState::killed, TaskReason::kill_requested, 3);
  EXPECT_EQ(blamed(), Names{kOneEnd});
}

TEST_F(StormOracle, WhatAFormerProcessHearsMustBeTrueAndNeedNotBeWhatItsSuccessorHears) {
  admit(1, 1, 100, at(1));
  told.asked(1, 1, kFramework, {"t1"}, at(1));
  admit(2, 2, 101, at(2));
  end("t1", TaskState::rejected, TaskReason::too_large, 1);
  EXPECT_EQ(told.open(1).size(), 1U);
  end("t1", TaskState::dropped, TaskReason::never_arrived, 2);
  end("t1", TaskState::rejected, TaskReason::too_large, 1);
  EXPECT_EQ(blamed(), Names{});
  begin("t2", 1);
  end("t2", TaskState::lost, TaskReason::agent_lost, 1);
  EXPECT_EQ(blamed(), Names{"what a framework is told is true"});
}

TEST_F(StormOracle, AnEndInAStepThatWasNeverCommittedWasHeardByNobody) {
  told.asked(1, 1, kFramework, {"t1"}, at(1));
  tell("t1", TaskState::rejected, TaskReason::too_large, 1);
  EXPECT_TRUE(told.open(1).empty());
  told.lost();
  EXPECT_EQ(told.open(1).size(), 1U);
  end("t1", TaskState::dropped, TaskReason::never_arrived, 2);
  EXPECT_EQ(blamed(), Names{});
  EXPECT_TRUE(told.open(1).empty());
}

TEST_F(StormOracle, AnEpochThatFallsIsNoticed) {
  admit(1, 4, 100, at(1));
  admit(1, 4, 100, at(2));  // the same answer again
  admit(1, 5, 101, at(3));
  EXPECT_EQ(blamed(), Names{});
  admit(2, 5, 102, at(4));
  EXPECT_EQ(blamed(), Names{"epochs never fall"});
}

TEST_F(StormOracle, ALaunchForAFormerProcessIsNoticed) {
  admit(1, 1, 100, at(1));
  told.asked(1, 1, kFramework, {"t1"}, at(2));
  watch.trace(TaskLaunched{kFramework, {"t1"}, {1, 1}, {}, {}}, at(2));
  EXPECT_EQ(blamed(), Names{});
  told.asked(1, 1, kFramework, {"t2"}, at(2));
  admit(2, 2, 101, at(3));
  watch.trace(TaskLaunched{kFramework, {"t2"}, {1, 2}, {}, {}}, at(4));
  EXPECT_EQ(blamed(), Names{"a framework's former process has no say"});
}

TEST_F(StormOracle, AProcessIsAFormerOneOnceAnotherIsAdmittedUnderItsId) {
  admit(1, 1, 100, at(1));
  EXPECT_FALSE(watch.is_held_by_another(kFramework, 1));
  EXPECT_FALSE(watch.is_held_by_another(FrameworkId{Bits128{8, 8}}, 1));
  admit(2, 2, 101, at(3));
  EXPECT_TRUE(watch.is_held_by_another(kFramework, 1));
  EXPECT_FALSE(watch.is_held_by_another(kFramework, 2));
}

TEST_F(StormOracle, AFrameworkThatIsGivenUpTooSoonIsNoticed) {
  watch.allocator_started(at(0));
  admit(1, 1, 100, at(1));
  watch.heard({100}, at(20));
  watch.trace(FrameworkLost{kFramework, false, "silent"}, at(25));
  watch.trace(FrameworkLost{kFramework, true, "its failover timeout is over"}, at(80));
  EXPECT_EQ(blamed(), Names{"no framework is given up before its failover timeout"});
}

TEST_F(StormOracle, AFrameworkMayBeGivenUpInTimeOrAtItsOwnWish) {
  watch.allocator_started(at(0));
  admit(1, 1, 100, at(1));
  watch.trace(FrameworkLost{kFramework, false, "silent"}, at(25));
  watch.trace(FrameworkLost{kFramework, true, "its failover timeout is over"}, at(85));
  EXPECT_EQ(blamed(), Names{});
  admit(2, 2, 101, at(90));
  watch.teardown_sent(kFramework);
  watch.trace(FrameworkLost{kFramework, true, "teardown"}, at(91));
  EXPECT_EQ(blamed(), Names{});
}

TEST_F(StormOracle, APauseMayPassUnnoticedAsLongAsTheAllocatorHasNothingToDo) {
  watch.allocator_started(at(0));
  admit(1, 1, 100, at(0));
  watch.allocator_paused(at(2));
  watch.allocator_goes_on(at(8));
  watch.trace(FrameworkLost{kFramework, true, "its failover timeout is over"}, at(60));
  EXPECT_EQ(blamed(), Names{});
  watch.allocator_started(at(100));
  admit(1, 2, 101, at(100));
  watch.allocator_paused(at(112));
  watch.allocator_goes_on(at(118));
  watch.trace(FrameworkLost{kFramework, true, "its failover timeout is over"}, at(160));
  EXPECT_EQ(blamed(), Names{"no framework is given up before its failover timeout"});
}

TEST_F(StormOracle, ATaskBelongsToTheAgentWhoseSlotsWereAskedForUntilItIsLaunched) {
  const AgentId offered{{0, 1}}, sent_to{{0, 2}};
  const TaskKey task{kFramework, {"t1"}};
  EXPECT_EQ(watch.agent_of(task), std::nullopt);
  watch.trace(OfferMade{{1, 1}, kFramework, offered, {}}, at(1));
  watch.asked(task, {{1, 2}});
  EXPECT_EQ(watch.agent_of(task), std::nullopt) << "nobody made that offer";
  watch.asked(task, {{1, 1}});
  EXPECT_EQ(watch.agent_of(task), offered);
  watch.trace(TaskLaunched{kFramework, task.second, {1, 1}, sent_to, {}}, at(2));
  EXPECT_EQ(watch.agent_of(task), sent_to);
}

TEST_F(StormOracle, WhatIsRetiredIsNoticedWhenItActs) {
  const AgentId agent{Bits128{3, 3}};
  watch.trace(OfferMade{{1, 1}, kFramework, agent, {}}, at(1));
  EXPECT_EQ(blamed(), Names{});
  watch.trace(OfferMade{{1, 1}, kFramework, agent, {}}, at(2));
  EXPECT_EQ(blamed(), Names{"what is retired never acts again"});
  watch.retired(agent);
  watch.trace(OfferMade{{1, 2}, kFramework, agent, {}}, at(3));
  EXPECT_EQ(blamed(), Names{"what is retired never acts again"});
}

TEST_F(StormOracle, AnOfferOfADrainedAgentIsNoticed) {
  const AgentId agent{{0, 1}};
  watch.registered(agent, 1);
  const auto drained = watch.drain_asked(1);
  watch.trace(OfferMade{{1, 1}, kFramework, agent, {}}, at(1));
  EXPECT_EQ(blamed(), Names{}) << "nobody has said that it is drained";
  drained(true);
  watch.trace(OfferMade{{1, 2}, kFramework, agent, {}}, at(2));
  EXPECT_EQ(blamed(), Names{"an agent that is drained gets nothing new"});
  watch.undrain_asked(1)(true);
  watch.trace(OfferMade{{1, 3}, kFramework, agent, {}}, at(3));
  EXPECT_EQ(blamed(), Names{});
}

TEST_F(StormOracle, AnAgentOfWhichMuchWasAskedAtOnceMayBeDrainedOrNot) {
  const AgentId agent{{0, 1}};
  watch.registered(agent, 1);
  const auto drained = watch.drain_asked(1);
  const auto serves = watch.undrain_asked(1);
  drained(true);
  watch.trace(OfferMade{{1, 1}, kFramework, agent, {}}, at(1));
  watch.drain_asked(1)(true);
  watch.trace(OfferMade{{1, 2}, kFramework, agent, {}}, at(2));
  serves(true);
  watch.drain_asked(1)(false);
  watch.trace(OfferMade{{1, 3}, kFramework, agent, {}}, at(3));
  watch.drain_asked(1)(true);
  watch.gone_asked(1);
  watch.trace(OfferMade{{1, 4}, kFramework, agent, {}}, at(4));
  EXPECT_EQ(blamed(), Names{});
}

TEST_F(StormOracle, APauseOfTheAllocatorDoesNotCount) {
  watch.allocator_started(at(0));
  admit(1, 1, 100, at(1));
  watch.trace(FrameworkLost{kFramework, false, "silent"}, at(10));
  watch.allocator_paused(at(20));
  watch.allocator_goes_on(at(60));
  watch.trace(FrameworkLost{kFramework, true, "its failover timeout is over"}, at(100));
  EXPECT_EQ(blamed(), Names{"no framework is given up before its failover timeout"});
  EXPECT_EQ(watch.given_up_at(kFramework), at(100));
}

TEST_F(StormOracle, APauseBeforeTheSilenceChangesNothing) {
  watch.allocator_started(at(0));
  admit(1, 1, 100, at(1));
  watch.allocator_paused(at(2));
  watch.allocator_goes_on(at(30));
  watch.trace(FrameworkLost{kFramework, false, "silent"}, at(40));
  watch.trace(FrameworkLost{kFramework, true, "its failover timeout is over"}, at(100));
  EXPECT_EQ(blamed(), Names{});
}

}  // namespace
}  // namespace proffer::sim::storm
