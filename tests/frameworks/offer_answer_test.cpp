// The helper that answers offers: reasons, refuse_for, demand, and when to revive.
#include "frameworks/pool/offer_answer.hpp"

#include "proffer/random.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

/// A job 1 whose tasks lie on agent 1 of rack r1; agents 11 and on are in other racks.
struct AnswerBench {
  explicit AnswerBench(std::string_view policy_text, int tasks = 5, const std::vector<PoolSpec>& pools = {})
      : pool({.pools = pools}),
        policy(make_policy(*parse_policy(policy_text)).value()),
        answer(pool, *policy, {kMap}) {
    pool.add_job({1}, "job");
    for (int i = 0; i < tasks; ++i) pool.add({1}, map_on("t" + std::to_string(i), {1}));
  }

  /// The calls of one message of offers; traces apart.
  std::vector<Driver::Call> offers(std::vector<Offer> message, Duration when) {
    return in_callback(when, [&](Driver& driver) {
      answer.answer(driver, Offers{std::move(message), standings}, [](const Placement& placed, const Offer&) {
        return TaskSpec{placed.task, Resources{{kMap, 1}}, placed.job, nullptr};
      });
    });
  }
  std::vector<Driver::Call> in_callback(Duration when, const std::function<void(Driver&)>& calls) {
    Driver driver(at(when), random, next_request);
    calls(driver);
    std::vector<Driver::Call> made;
    for (auto& call : driver.take_calls()) {
      if (const auto* trace = std::get_if<Trace>(&call)) {
        traces.push_back(*trace);
      } else {
        made.push_back(std::move(call));
      }
    }
    return made;
  }
  Driver::DeclineCall decline_of(std::vector<Offer> message, Duration when) {
    for (const auto& call : offers(std::move(message), when)) {
      if (const auto* decline = std::get_if<Driver::DeclineCall>(&call)) return *decline;
    }
    ADD_FAILURE() << "nothing was declined";
    return {};
  }
  template <class T>
  static std::vector<T> only(const std::vector<Driver::Call>& calls) {
    std::vector<T> found;
    for (const auto& call : calls) {
      if (const auto* one = std::get_if<T>(&call)) found.push_back(*one);
    }
    return found;
  }

  TaskPool pool;
  std::unique_ptr<Policy> policy;
  frameworks::OfferAnswer answer;
  Random random{1};
  std::uint64_t next_request = 1;
  std::vector<Trace> traces;
  std::vector<Standing> standings;
};

TEST(OfferAnswer, AcceptsWhatThePolicyTakesAndDeclinesTheRestOfTheOffer) {
  AnswerBench bench("greedy", 2);
  const auto calls = bench.offers({offer(1, agent(1), 3)}, 0s);
  const auto accepts = AnswerBench::only<Driver::AcceptCall>(calls);
  ASSERT_THAT(accepts, SizeIs(1));
  EXPECT_THAT(accepts[0].tasks, SizeIs(2));
  EXPECT_EQ(accepts[0].rest, DeclineReason::no_pending_task);
  EXPECT_EQ(accepts[0].rest_refuse_for, std::nullopt);
  EXPECT_THAT(AnswerBench::only<Driver::DeclineCall>(calls), IsEmpty());
}

TEST(OfferAnswer, TracesEveryPlacement) {
  AnswerBench bench("greedy", 2);
  bench.offers({offer(1, agent(2), 1)}, 0s);
  ASSERT_THAT(bench.traces, SizeIs(1));
  const auto& placed = std::get<TaskPlaced>(bench.traces[0]);
  EXPECT_EQ(placed.task, TaskId{"t0"});
  EXPECT_EQ(placed.agent, agent_id(2));
  EXPECT_EQ(placed.locality, Locality::rack);
  EXPECT_TRUE(placed.preferred);
}

TEST(OfferAnswer, WithoutAPendingTaskTheAgentIsRefusedUntilRevive) {
  AnswerBench bench("greedy", 0);
  const auto decline = bench.decline_of({offer(1, agent(1))}, 0s);
  EXPECT_EQ(decline.reason, DeclineReason::no_pending_task);
  EXPECT_EQ(decline.refuse_for, std::nullopt);
}

TEST(OfferAnswer, ForLocalityTheAgentIsRefusedUntilTheEarliestLevelChange) {
  AnswerBench bench("wait,node_wait=5s,rack_wait=3s");
  auto decline = bench.decline_of({offer(1, agent(11))}, 0s);
  EXPECT_EQ(decline.reason, DeclineReason::no_node_local);
  EXPECT_EQ(decline.refuse_for, Duration{5s});
  decline = bench.decline_of({offer(2, agent(12))}, 2s);
  EXPECT_EQ(decline.refuse_for, Duration{3s});
  decline = bench.decline_of({offer(3, agent(12))}, 5s);
  EXPECT_EQ(decline.reason, DeclineReason::no_rack_local);
  EXPECT_EQ(decline.refuse_for, Duration{3s});
}

TEST(OfferAnswer, ThePolicyLearnsFromTasksThatFinishedAndFromNoOthers) {
  AnswerBench bench("auto,locality=0");  // guesses that a launch saves 3.5 s, and a task at most
  bench.offers({offer(1, agent(1), 2)}, 0s);
  TaskStatus status;
  status.run_time = 1s;
  status.task = {"t0"};
  status.state = TaskState::failed;
  bench.in_callback(1s, [&](Driver& driver) { bench.answer.ended(driver, {1}, kMap, status); });
  EXPECT_EQ(bench.decline_of({idle(offer(2, agent(11)))}, 1s).refuse_for, Duration{7s});
  status.task = {"t1"};
  status.state = TaskState::finished;
  bench.in_callback(1s, [&](Driver& driver) { bench.answer.ended(driver, {1}, kMap, status); });
  EXPECT_EQ(bench.decline_of({idle(offer(3, agent(12)))}, 1s).refuse_for, Duration{2s});
}

TEST(OfferAnswer, WhereLooksAreCountedTheAgentIsRefusedUntilSomethingChangesThere) {
  AnswerBench bench("skip,node_skips=5,rack_skips=5");
  EXPECT_EQ(bench.decline_of({offer(1, agent(11))}, 0s).refuse_for, Duration::zero());
}

TEST(OfferAnswer, RevivesWhenLooksHaveMadeAJobAcceptMore) {
  AnswerBench bench("skip,node_skips=2,rack_skips=5");
  EXPECT_THAT(AnswerBench::only<Revive>(bench.offers({offer(1, agent(11))}, 0s)), IsEmpty());
  const auto revives = AnswerBench::only<Revive>(bench.offers({offer(2, agent(12))}, 0s));
  ASSERT_THAT(revives, SizeIs(1));
  EXPECT_THAT(revives[0].kinds, ElementsAre(kMap));
}

TEST(OfferAnswer, WakesToReviveWhenSlotsMayStandIdle) {
  AnswerBench bench("skip,node_skips=5,rack_skips=5,idle_after=10s");
  EXPECT_EQ(bench.answer.next_deadline(), std::nullopt);
  bench.offers({offer(1, agent(11))}, 1s);
  EXPECT_EQ(bench.answer.next_deadline(), at(11s));
  EXPECT_THAT(bench.in_callback(10s, [&](Driver& driver) { bench.answer.deadline(driver); }), IsEmpty());
  EXPECT_THAT(bench.in_callback(11s, [&](Driver& driver) { bench.answer.deadline(driver); }), SizeIs(1));
  EXPECT_EQ(bench.answer.next_deadline(), std::nullopt);
}

TEST(OfferAnswer, DeclaresDemandBeforeItAnswersAndZeroForKindsItNeverWants) {
  AnswerBench bench("greedy", 3);
  const auto calls = bench.offers({offer(1, agent(1)), offer(2, agent(1), 1, kReduce)}, 0s);
  ASSERT_GE(calls.size(), 4u);
  const auto demand = AnswerBench::only<Driver::DemandCall>({calls.begin(), calls.begin() + 2});
  ASSERT_THAT(demand, SizeIs(2));
  EXPECT_EQ(demand[0].units, 3);
  EXPECT_EQ(demand[1].kind, kReduce);
  EXPECT_EQ(demand[1].units, 0);
}

TEST(OfferAnswer, GreedyBySlotLooksAtOneSlotAfterTheOther) {
  AnswerBench bench("greedy", 1);
  const auto accepts =
      AnswerBench::only<Driver::AcceptCall>(bench.offers({offer(1, agent(11)), offer(2, agent(1))}, 0s));
  ASSERT_THAT(accepts, SizeIs(1));
  EXPECT_THAT(accepts[0].offers, ElementsAre(OfferId{1, 1}));
}

TEST(OfferAnswer, GreedyByMessageTakesTheBestMatchOfTheMessageFirst) {
  AnswerBench bench("greedy,match=message", 2);
  const auto calls = bench.offers({offer(1, agent(11)), offer(2, agent(2)), offer(3, agent(1))}, 0s);
  const auto accepts = AnswerBench::only<Driver::AcceptCall>(calls);
  ASSERT_THAT(accepts, SizeIs(2));
  EXPECT_THAT(accepts[0].offers, ElementsAre(OfferId{1, 2}));
  EXPECT_EQ(accepts[0].tasks[0].id, TaskId{"t1"});
  EXPECT_THAT(accepts[1].offers, ElementsAre(OfferId{1, 3}));
  EXPECT_EQ(accepts[1].tasks[0].id, TaskId{"t0"});
  EXPECT_EQ(AnswerBench::only<Driver::DeclineCall>(calls).at(0).reason, DeclineReason::no_pending_task);
}

TEST(OfferAnswer, ALongRefusalEndsWithTheTasksOfANewJob) {
  AnswerBench bench("wait,node_wait=10m,rack_wait=0s");
  EXPECT_EQ(bench.decline_of({offer(1, agent(11))}, 0s).refuse_for, Duration{10min});
  bench.pool.add_job({2}, "new");
  bench.pool.add({2}, map_on("new", {11}));
  const auto calls = bench.in_callback(1s, [&](Driver& driver) { bench.answer.tasks_added(driver, kMap); });
  EXPECT_THAT(AnswerBench::only<Revive>(calls), SizeIs(1));
  EXPECT_THAT(AnswerBench::only<Driver::AcceptCall>(bench.offers({offer(2, agent(11))}, 1s)), SizeIs(1));
}

TEST(OfferAnswer, WarnsOnceOfMinSharesThatTheShareOfTheFrameworkCannotKeep) {
  PoolSpec owed{"owed", 1000, {{kMap, 4}}};
  AnswerBench bench("greedy", 9, {owed});
  bench.standings = {{kMap, 0, 3, false, true, false}};
  bench.offers({offer(1, agent(1))}, 0s);
  const auto warnings = [&] {
    return std::count_if(bench.traces.begin(), bench.traces.end(), [](const Trace& trace) {
      const auto* warned = std::get_if<PoolWarned>(&trace);
      return warned != nullptr && warned->why ==
                                      "pools are promised 4 slots of kind map and the framework's "
                                      "share is 3: each gets its part of them";
    });
  };
  EXPECT_EQ(warnings(), 0) << "the allocator may not have known its demand";
  bench.offers({offer(2, agent(1))}, 1s);
  bench.offers({offer(3, agent(1))}, 2s);
  EXPECT_EQ(warnings(), 1);
}

TEST(OfferAnswer, DoesNotWarnWhileTheFrameworkHasAllItWants) {
  PoolSpec owed{"owed", 1000, {{kMap, 4}}};
  AnswerBench bench("greedy", 3, {owed});
  bench.standings = {{kMap, 0, 3, false, false, false}};
  for (int i = 0; i < 3; ++i) bench.offers({offer(1 + static_cast<std::uint64_t>(i), agent(1))}, i * 1s);
  for (const auto& trace : bench.traces) EXPECT_FALSE(std::holds_alternative<PoolWarned>(trace));
}

TEST(OfferAnswer, NewTasksRaiseDemandAndRevive) {
  AnswerBench bench("greedy", 0);
  bench.pool.add({1}, map_on("new", {1}));
  const auto calls = bench.in_callback(0s, [&](Driver& driver) { bench.answer.tasks_added(driver, kMap); });
  EXPECT_EQ(AnswerBench::only<Driver::DemandCall>(calls).at(0).units, 1);
  EXPECT_THAT(AnswerBench::only<Revive>(calls), SizeIs(1));
}

}  // namespace
}  // namespace proffer::testing
