// The ledger, fed with lines of an allocator written by hand.
#include "proffer/study/ledger.hpp"

#include <gtest/gtest.h>

#include "proffer/sharing/share_tree.hpp"

namespace proffer::study::ledger_tests {
namespace {

using std::chrono::seconds;

const Kind kMap{"map"};
const Kind kReduce{"reduce"};
constexpr AgentId kAgent{{1, 1}};
constexpr FrameworkId kFramework{{2, 1}};
constexpr FrameworkId kOther{{2, 2}};

/// A ledger that is checked after every line; agent 1 has four map slots and two for reduces.
class Book {
 public:
  explicit Book(Ledger::Rest rest = Ledger::Rest::open) : ledger_(rest) { add_agent(); }

  template <class Line>
  Ledger::Changes enter(const Line& line) {
    auto changes = ledger_.apply(line, now_);
    ledger_.check_invariants();
    return changes;
  }
  void at(int second) { now_ = Time{} + seconds(second); }
  void add_agent() { enter(AgentRegistered{kAgent, "a1", "r1", {{kMap, 4}, {kReduce, 2}}}); }
  void lose_agent() { enter(AgentLost{kAgent, "silent"}); }
  void demand(std::int64_t units) { enter(DemandChanged{kFramework, kMap, units}); }
  void offer(std::uint64_t n, std::int64_t maps) {
    enter(OfferMade{{1, n}, kFramework, kAgent, {{kMap, maps}}});
  }
  void accept(std::uint64_t n, std::uint32_t tasks) {
    enter(OfferAccepted{{1, n}, kFramework, tasks, Duration::zero()});
  }
  void decline(std::uint64_t n) {
    enter(OfferDeclined{{1, n}, kFramework, kAgent, DeclineReason::other, Duration::zero(), 0});
  }
  void launch(const std::string& task, FrameworkId framework = kFramework) {
    enter(TaskLaunched{framework, TaskId{task}, {1, ++launches_}, kAgent, {{kMap, 1}}});
  }
  Ledger::Changes become(const std::string& task, TaskState state, FrameworkId framework = kFramework) {
    return enter(TaskChanged{framework, TaskId{task}, kAgent, state, TaskReason::none});
  }
  void restart() {
    ledger_.restart();
    ledger_.check_invariants();
  }

  Ledger& ledger() { return ledger_; }
  const HeldTask* task(const std::string& task) { return ledger_.task({kFramework, TaskId{task}}); }
  std::int64_t running(FrameworkId framework = kFramework) {
    return ledger_.framework(framework).has(kMap).running;
  }
  std::int64_t offered() { return ledger_.framework(kFramework).has(kMap).offered; }
  std::int64_t wants() { return ledger_.framework(kFramework).wants(kMap); }
  std::int64_t free() { return ledger_.agent(kAgent)->free(kMap); }

 private:
  Ledger ledger_;
  Time now_{};
  std::uint64_t launches_ = 0;
};

TEST(Ledger, KnowsTheSlotsOfAgentsThatAreThere) {
  Book book;
  EXPECT_EQ(book.ledger().capacity().at(kMap), 4);
  book.enter(AgentRegistered{kAgent, "a1", "r1", {{kMap, 3}}});
  EXPECT_EQ(book.ledger().capacity().at(kMap), 3) << "an agent that registers anew is counted once";
  EXPECT_EQ(book.ledger().capacity().at(kReduce), 0);
  book.lose_agent();
  book.lose_agent();
  EXPECT_EQ(book.ledger().capacity().at(kMap), 0);
  EXPECT_EQ(book.free(), 0);
}

TEST(Ledger, GivesSlotsOnOfferAndRunningToFrameworkAndAgent) {
  Book book;
  book.demand(5);
  book.offer(1, 1);
  book.launch("t");
  EXPECT_EQ(book.offered(), 1);
  EXPECT_EQ(book.running(), 1);
  EXPECT_EQ(book.wants(), 3);
  EXPECT_EQ(book.free(), 2);
  EXPECT_EQ(book.ledger().agent(kAgent)->tasks.size(), 1U);
}

TEST(Ledger, TellsWhatALineChanged) {
  Book book;
  book.launch("t");
  const auto changes = book.become("t", TaskState::finished);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].framework, kFramework);
  EXPECT_EQ(changes[0].kind, kMap);
  EXPECT_EQ(changes[0].by.running, -1);
  EXPECT_TRUE(book.become("t", TaskState::finished).empty()) << "it is known no more";
}

TEST(Ledger, DemandWithoutABoundIsOfAsMuchAsThereIs) {
  Book book;
  book.demand(-1);
  EXPECT_EQ(book.ledger().framework(kFramework).demands(kMap), kUnbounded);
  book.ledger().forget_demand(kFramework);
  EXPECT_EQ(book.wants(), 0);
}

TEST(Ledger, TheRestOfAnAcceptedOfferIsOpenUntilItIsDeclined) {
  Book book;
  book.offer(1, 3);
  book.accept(1, 2);
  EXPECT_EQ(book.offered(), 1);
  EXPECT_TRUE(book.ledger().offer({1, 1})->is_rest);
  book.decline(1);
  EXPECT_EQ(book.offered(), 0);
  EXPECT_EQ(book.ledger().offer({1, 1}), nullptr);
}

TEST(Ledger, AnOfferOfWhichNothingIsLeftIsOver) {
  Book book;
  book.offer(1, 2);
  book.accept(1, 2);
  EXPECT_TRUE(book.ledger().offers().empty());
}

TEST(Ledger, RestsAreOverAtOnceWhereTheyAreToBeClosed) {
  Book book(Ledger::Rest::closed);
  book.offer(1, 3);
  book.accept(1, 2);
  EXPECT_EQ(book.offered(), 0);
  EXPECT_TRUE(book.ledger().offers().empty());
}

TEST(Ledger, TasksOfASilentAgentAreHeldButDoNotCount) {
  Book book;
  book.launch("t");
  book.become("t", TaskState::unreachable);
  EXPECT_TRUE(book.task("t")->away);
  EXPECT_EQ(book.running(), 0);
  EXPECT_TRUE(book.become("t", TaskState::unreachable).empty());
  book.become("t", TaskState::running);
  EXPECT_FALSE(book.task("t")->away);
  EXPECT_EQ(book.running(), 1);
}

TEST(Ledger, ATaskThatEndsOutOfReachIsGivenBackOnce) {
  Book book;
  book.launch("t");
  book.become("t", TaskState::unreachable);
  book.become("t", TaskState::lost);
  EXPECT_EQ(book.task("t"), nullptr);
  EXPECT_EQ(book.running(), 0);
  EXPECT_EQ(book.free(), 4);
}

TEST(Ledger, ALaunchUnderTheIdOfAFormerTaskEndsThat) {
  Book book;
  book.launch("t");
  book.at(5);
  book.launch("t");
  EXPECT_EQ(book.running(), 1);
  EXPECT_EQ(book.task("t")->since, Time{} + seconds(5));
}

TEST(Ledger, AgentsRememberWhenATaskLeftThem) {
  Book book;
  book.at(3);
  book.launch("t");
  book.at(7);
  book.become("t", TaskState::failed);
  EXPECT_EQ(book.ledger().agent(kAgent)->changed, Time{} + seconds(7));
}

TEST(Ledger, AfterARestartTasksCountOnceTheirAgentIsBack) {
  Book book;
  book.launch("t");
  book.offer(1, 2);
  book.restart();
  EXPECT_EQ(book.running(), 0);
  EXPECT_EQ(book.offered(), 0);
  EXPECT_NE(book.task("t"), nullptr);
  book.add_agent();
  EXPECT_EQ(book.running(), 0) << "it may have been started anew as well";
  book.become("t", TaskState::running);
  EXPECT_EQ(book.running(), 1);
  EXPECT_EQ(book.free(), 3);
}

TEST(Ledger, ATaskThatEndsBeforeItsAgentIsBackNeverCountsAgain) {
  Book book;
  book.launch("t");
  book.restart();
  book.become("t", TaskState::lost);
  book.add_agent();
  EXPECT_EQ(book.running(), 0);
  EXPECT_EQ(book.free(), 4);
}

TEST(Ledger, AnAgentInTroubleHasNoFreeSlots) {
  Book book;
  book.enter(AgentTrouble{kAgent, "disk full"});
  EXPECT_EQ(book.free(), 0);
  EXPECT_EQ(book.ledger().agent(kAgent)->unused(kMap), 4);
  book.enter(AgentTrouble{kAgent, ""});
  EXPECT_EQ(book.free(), 4);
}

TEST(Ledger, ALeaseEndsWhenItsPoolReturnsTheAgentOrTheAgentIsLost) {
  Book book;
  book.enter(AgentLeased{kAgent, "a"});
  book.enter(AgentLeased{kAgent, "b", true});
  EXPECT_EQ(book.ledger().agent(kAgent)->leased_to, "a") << "another pool cannot return it";
  book.lose_agent();
  EXPECT_FALSE(book.ledger().agent(kAgent)->leased_to.has_value());
}

TEST(Ledger, IdsThatAreJoinedHaveOneAccount) {
  Book book;
  book.launch("t");
  book.ledger().join(kOther, kFramework);
  book.launch("u", kOther);
  EXPECT_EQ(book.running(), 2);
  EXPECT_EQ(book.running(kOther), 2);
  book.become("t", TaskState::killed, kOther);
  EXPECT_EQ(book.running(), 1);
}

}  // namespace
}  // namespace proffer::study::ledger_tests
