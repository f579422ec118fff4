// A bag of commands.
#include "proffer/frameworks/batch.hpp"

#include <algorithm>
#include <map>

#include "frameworks/batch/places.hpp"
#include "proffer/frameworks/framework.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

struct Progress final : BatchObserver {
  void placed(const BatchAttempt& attempt, const AgentInfo& where) override {
    log.push_back(name(attempt) + " on " + where.name);
  }
  void running(const BatchAttempt& attempt, const TaskStatus&) override {
    log.push_back(name(attempt) + " runs");
  }
  void ended(const BatchAttempt& attempt, const TaskStatus& status) override {
    log.push_back(name(attempt) + " " + std::string(to_string(status.state)) + (attempt.last ? " last" : "") +
                  (attempt.kept ? " kept" : ""));
  }
  void done() override { log.emplace_back("done"); }
  static std::string name(const BatchAttempt& attempt) {
    return std::to_string(attempt.index) + "." + std::to_string(attempt.attempt);
  }
  std::vector<std::string> take() { return std::exchange(log, {}); }
  std::vector<std::string> log;
};

/// A batch in a framework, with an allocator that takes every accept.
struct BatchWorld {
  explicit BatchWorld(BatchSpec spec, std::string_view policy = "greedy", std::vector<Kept> kept = {})
      : batch(std::move(spec), make_policy(*parse_policy(policy)).value(), progress),
        framework({.name = "run", .pool = "", .user = "", .keeps = true}, batch, Random(1), std::move(kept)) {
    step(TimePassed{});
    say(Subscribed{{{0, 9}}, 1, Duration{}, ""});
  }
  void step(const Event& event) {
    framework.step(event, actions, now);
    framework.check_invariants();
    for (auto& action : std::exchange(actions, {})) {
      if (const auto* send = std::get_if<Send>(&action)) sent.push_back(send->envelope.message);
      if (const auto* keep = std::get_if<KeepRecord>(&action)) records[key_of(keep->record)] = keep->record;
      if (const auto* drop = std::get_if<DropRecord>(&action)) records.erase(drop->key);
    }
  }
  void say(Message message) {
    step(MessageReceived{kAllocatorPeer, {{{7, 7}}, {1}, {5}, 0, std::move(message)}});
  }
  std::vector<Kept> kept() const {
    std::vector<Kept> all;
    for (const auto& [key, record] : records) all.push_back(record);
    return all;
  }
  /// One slot on agent n: the tasks that were accepted for it.
  std::vector<TaskSpec> slots(std::uint64_t n, std::int64_t count = 1) {
    sent.clear();
    say(Offers{{offer(++last_offer, agent(n), count, Kind{"slot"})}, {}});
    std::vector<TaskSpec> tasks;
    const auto answers = sent;  // which what is said below adds to
    for (const auto& message : answers) {
      const auto* accept = std::get_if<Accept>(&message);
      if (accept == nullptr) continue;
      Accepted accepted{accept->accept, {}};
      for (const auto& task : accept->tasks) {
        tasks.push_back(task);
        accepted.verdicts.push_back({task.id, true});
      }
      say(accepted);
    }
    return tasks;
  }
  void end(const TaskSpec& task, TaskState state, TaskReason reason = TaskReason::none, std::uint64_t n = 0) {
    TaskStatus status;
    if (n > 0) status.agent = agent(n).id;
    status.framework = {{0, 9}};
    status.task = task.id;
    status.seq = ++last_seq;
    status.state = state;
    status.reason = reason;
    say(Update{status});
  }

  Progress progress;
  Batch batch;
  Framework framework;
  Actions actions;
  std::vector<Message> sent;
  std::map<KeptKey, Kept> records;
  Time now = at(10s);
  std::uint64_t last_offer = 0;
  std::uint32_t last_seq = 0;
};

BatchSpec echo(std::uint32_t instances) {
  BatchSpec spec;
  spec.command.argv = {"echo", "part-{}", "{}{}"};
  spec.command.env = {{"LANG", "C"}};
  spec.kind = Kind{"slot"};
  spec.instances = instances;
  return spec;
}

TEST(Batch, RunsEveryInstanceOnceWithItsIndexAndStops) {
  BatchWorld world(echo(3));
  const auto tasks = world.slots(1, 5);
  ASSERT_THAT(tasks, SizeIs(3));
  const auto& work = std::get<CommandWork>(*tasks[2].work);
  EXPECT_THAT(work.argv, ElementsAre("echo", "part-2", "22"));
  EXPECT_EQ(work.env, (Environment{{"LANG", "C"}, {"PROFFER_TASK_INDEX", "2"}}));
  EXPECT_THAT(world.progress.take(), ElementsAre("0.0 on a1", "1.0 on a1", "2.0 on a1"));
  for (const auto& task : tasks) world.end(task, TaskState::finished);
  EXPECT_THAT(world.progress.take(),
              ElementsAre("0.0 FINISHED last", "1.0 FINISHED last", "2.0 FINISHED last", "done"));
  EXPECT_TRUE(world.framework.finished());
  EXPECT_TRUE(std::holds_alternative<Teardown>(world.sent.back()));
}

TEST(Batch, AnotherProcessGoesOnWithWhatRunsAndRunsNothingAgain) {
  BatchWorld first(echo(3));
  const auto tasks = first.slots(1, 2);
  first.end(tasks[0], TaskState::finished);
  BatchWorld second(echo(3), "greedy", first.kept());
  second.last_seq = 10;
  EXPECT_THAT(second.progress.take(), ElementsAre("1.0 on a1"));
  const auto rest = second.slots(2, 5);
  ASSERT_THAT(rest, SizeIs(1));
  second.end(rest[0], TaskState::finished);
  second.end(tasks[1], TaskState::finished);
  EXPECT_THAT(second.progress.take(),
              ElementsAre("2.0 on a2", "2.0 FINISHED last", "1.0 FINISHED last", "done"));
  EXPECT_TRUE(second.framework.finished());
}

TEST(Batch, AttemptsSoFarCountForAnotherProcess) {
  auto spec = echo(1);
  spec.max_attempts = 2;
  BatchWorld first(spec);
  first.end(first.slots(1).at(0), TaskState::failed);
  BatchWorld second(spec, "greedy", first.kept());
  second.last_seq = 10;
  second.end(second.slots(1).at(0), TaskState::failed);
  EXPECT_THAT(second.progress.take(), ElementsAre("0.1 on a1", "0.1 FAILED last", "done"));
}

TEST(Batch, AnOutputThatWasNotHandedOnIsHeardOfAgain) {
  auto spec = echo(1);
  spec.command.output_token = "secret";
  BatchWorld first(spec);
  const auto task = first.slots(1).at(0);
  first.end(task, TaskState::finished);
  spec.command.output_token = "another";
  BatchWorld second(spec, "greedy", first.kept());
  second.end(task, TaskState::finished);
  EXPECT_THAT(second.progress.take(), ElementsAre("0.0 on a1", "0.0 FINISHED last kept"));
  second.batch.handed_on(task.id);
  second.step(TimePassed{});
  EXPECT_TRUE(second.framework.finished());
}

TEST(Batch, AFailedInstanceIsReportedAndNotRunAgain) {
  BatchWorld world(echo(1));
  world.end(world.slots(1).at(0), TaskState::failed);
  EXPECT_THAT(world.progress.take(), ElementsAre("0.0 on a1", "0.0 FAILED last", "done"));
  EXPECT_EQ(world.batch.failed_count(), 1u);
}

/// Like ranks of MPI.
BatchSpec ranks(std::uint32_t count, std::uint32_t attempts = 1) {
  auto spec = echo(count);
  spec.rigid = true;
  spec.max_attempts = attempts;
  return spec;
}

TEST(Batch, ARigidBagStartsWhenThereAreSlotsForAllOfIt) {
  BatchWorld world(ranks(3));
  EXPECT_THAT(world.slots(1, 2), IsEmpty());
  EXPECT_THAT(world.slots(2, 1), SizeIs(3));
  EXPECT_THAT(world.progress.take(), ElementsAre("0.0 on a1", "1.0 on a1", "2.0 on a2"));
}

TEST(Batch, ARigidBagFailsAsAWhole) {
  BatchWorld world(ranks(3));
  const auto tasks = world.slots(1, 3);
  world.end(tasks.at(0), TaskState::finished);
  world.progress.take();
  world.end(tasks.at(1), TaskState::failed, TaskReason::exit);
  EXPECT_THAT(world.progress.take(), ElementsAre("1.0 FAILED last", "2.0 KILLED last", "done"));
  EXPECT_EQ(world.batch.failed_count(), 2u);
}

TEST(Batch, ARigidBagStartsAgainAsAWhole) {
  BatchWorld world(ranks(2, 2));
  const auto tasks = world.slots(1, 2);
  world.end(tasks.at(0), TaskState::failed, TaskReason::exit);
  EXPECT_THAT(world.slots(2, 1), IsEmpty());
  world.progress.take();
  EXPECT_THAT(world.slots(3, 1), SizeIs(2));
  EXPECT_THAT(world.progress.take(), ElementsAre("0.1 on a2", "1.1 on a3"));
}

TEST(Batch, ARigidBagThatIsRefusedPausesAsAWhole) {
  BatchWorld world(ranks(2, 3));
  const auto tasks = world.slots(1, 2);
  world.end(tasks.at(1), TaskState::rejected);
  EXPECT_THAT(world.slots(1, 2), IsEmpty());
  world.now += 1s;
  world.step(TimePassed{});
  EXPECT_THAT(world.slots(1, 2), SizeIs(2));
}

TEST(Batch, AnotherProcessGoesOnWithARigidBagOnlyIfAllOfItRuns) {
  BatchWorld first(ranks(2));
  const auto tasks = first.slots(1, 2);
  BatchWorld whole(ranks(2), "greedy", first.kept());
  EXPECT_THAT(whole.progress.take(), UnorderedElementsAre("0.0 on a1", "1.0 on a1"));
  first.end(tasks.at(0), TaskState::lost, TaskReason::agent_lost);
  BatchWorld part(ranks(2), "greedy", first.kept());
  EXPECT_THAT(part.slots(1, 2), SizeIs(2));
}

TEST(Batch, AFailedInstanceIsRunAgainUpToItsAttempts) {
  auto spec = echo(1);
  spec.max_attempts = 2;
  BatchWorld world(spec);
  const auto first = world.slots(1).at(0);
  world.end(first, TaskState::failed);
  const auto second = world.slots(2).at(0);
  EXPECT_NE(first.id, second.id);
  world.end(second, TaskState::failed);
  EXPECT_THAT(world.progress.take(),
              ElementsAre("0.0 on a1", "0.0 FAILED", "0.1 on a2", "0.1 FAILED last", "done"));
}

TEST(Batch, AnInstanceThatNeverRanCostsNoAttempt) {
  BatchWorld world(echo(1));
  world.end(world.slots(1).at(0), TaskState::dropped);
  EXPECT_THAT(world.progress.take(), ElementsAre("0.0 on a1", "0.0 DROPPED"));
  world.end(world.slots(2).at(0), TaskState::finished);
  EXPECT_THAT(world.progress.take(), ElementsAre("0.0 on a2", "0.0 FINISHED last", "done"));
}

TEST(Batch, ATaskOnASilentAgentIsKilledAndRunElsewhereAtNoCost) {
  BatchWorld world(echo(1));
  const auto first = world.slots(1).at(0);
  const auto is_kill = ::testing::Truly([](const Message& m) { return std::holds_alternative<Kill>(m); });
  world.end(first, TaskState::unreachable);
  EXPECT_THAT(world.progress.take(), ElementsAre("0.0 on a1", "0.0 UNREACHABLE"));
  EXPECT_THAT(world.sent, ::testing::Contains(is_kill));
  const auto second = world.slots(2).at(0);
  world.end(second, TaskState::finished);
  EXPECT_THAT(world.progress.take(), ElementsAre("0.0 on a2", "0.0 FINISHED last", "done"));
}

TEST(Batch, APreemptedInstanceIsRunAgainAtNoCost) {
  BatchWorld world(echo(1));
  const auto first = world.slots(1).at(0);
  const auto is_kill = ::testing::Truly([](const Message& m) { return std::holds_alternative<Kill>(m); });
  world.say(Preempt{{{Kind{"slot"}, 1}}, 5s});
  EXPECT_THAT(world.sent, ::testing::Contains(is_kill));
  world.end(first, TaskState::killed, TaskReason::preempted);
  world.end(world.slots(2).at(0), TaskState::finished);
  EXPECT_THAT(world.progress.take(),
              ElementsAre("0.0 on a1", "0.0 KILLED", "0.0 on a2", "0.0 FINISHED last", "done"));
}

TEST(Batch, ATaskThatWasGivenUpAndComesBackChangesNothing) {
  BatchWorld world(echo(2));
  const auto first = world.slots(1).at(0);
  world.end(first, TaskState::unreachable);
  world.progress.take();
  world.end(first, TaskState::finished);
  EXPECT_THAT(world.progress.take(), IsEmpty());
  for (const auto& task : world.slots(2, 2)) world.end(task, TaskState::finished);
  EXPECT_TRUE(world.framework.finished());
}

TEST(Batch, ALostTaskIsRunAgainAtNoCost) {
  BatchWorld world(echo(1));
  world.end(world.slots(1).at(0), TaskState::lost, TaskReason::agent_lost);
  world.end(world.slots(2).at(0), TaskState::finished);
  EXPECT_THAT(world.progress.take(),
              ElementsAre("0.0 on a1", "0.0 LOST", "0.0 on a2", "0.0 FINISHED last", "done"));
}

TEST(Batch, WhatAnAgentRefusesCostsNoAttemptAndWaitsASecond) {
  BatchWorld world(echo(1));
  world.end(world.slots(1).at(0), TaskState::rejected, TaskReason::agent_refused);
  EXPECT_THAT(world.progress.take(), ElementsAre("0.0 on a1", "0.0 REJECTED"));
  EXPECT_THAT(world.slots(2), IsEmpty());
  world.now += 1s;
  world.step(TimePassed{});
  EXPECT_THAT(world.slots(2), SizeIs(1));
}

TEST(Batch, WhatAnAgentFailsCostsNoAttempt) {
  for (const auto reason : {TaskReason::agent_failed, TaskReason::output_lost}) {
    BatchWorld world(echo(1));
    world.end(world.slots(1).at(0), TaskState::failed, reason, 1);
    world.end(world.slots(2).at(0), TaskState::finished);
    EXPECT_THAT(world.progress.take(),
                ElementsAre("0.0 on a1", "0.0 FAILED", "0.0 on a2", "0.0 FINISHED last", "done"));
  }
}

TEST(Batch, AnInstanceIsKeptFromAnAgentThatFailedItForTenSecondsIfThereAreOthers) {
  BatchWorld world(echo(2));
  const auto other = world.slots(2).at(0);
  world.end(world.slots(1).at(0), TaskState::failed, TaskReason::agent_failed, 1);
  EXPECT_THAT(world.slots(1), IsEmpty());
  world.now += 10s;
  world.step(TimePassed{});
  EXPECT_THAT(world.slots(1), SizeIs(1));
}

TEST(Batch, OtherInstancesStillTakeThatAgent) {
  BatchWorld world(echo(3));
  world.slots(2);
  world.end(world.slots(1).at(0), TaskState::failed, TaskReason::agent_failed, 1);
  EXPECT_THAT(world.slots(1, 2), SizeIs(1));
}

TEST(Batch, AnInstanceThatAgentsFailAgainAndAgainHasFailedByItself) {
  BatchWorld world(echo(1));
  for (int i = 0; i < 10; ++i) world.end(world.slots(1).at(0), TaskState::failed, TaskReason::output_lost, 1);
  EXPECT_EQ(world.batch.failed_count(), 0u);
  world.end(world.slots(1).at(0), TaskState::failed, TaskReason::output_lost, 1);
  EXPECT_EQ(world.batch.failed_count(), 1u);
}

TEST(Batch, TheOnlyAgentThereIsIsTriedAgain) {
  BatchWorld world(echo(1));
  world.end(world.slots(1).at(0), TaskState::failed, TaskReason::agent_failed, 1);
  EXPECT_THAT(world.slots(1), SizeIs(1));
}

BatchSpec with_output(std::uint32_t instances) {
  auto spec = echo(instances);
  spec.command.output_token = "t0ken";
  return spec;
}

std::size_t acknowledged(const BatchWorld& world) {
  return static_cast<std::size_t>(std::count_if(world.sent.begin(), world.sent.end(), [](const Message& m) {
    return std::holds_alternative<Acknowledge>(m);
  }));
}

TEST(Batch, IsDoneWhenWhatItsTasksWroteIsHandedOn) {
  BatchWorld world(with_output(2));
  const auto tasks = world.slots(1, 2);
  EXPECT_EQ(std::get<CommandWork>(*tasks[0].work).output_token, "t0ken");
  for (const auto& task : tasks) world.end(task, TaskState::finished);
  EXPECT_EQ(acknowledged(world), 0u);
  world.progress.take();
  world.batch.handed_on(tasks[1].id);
  world.step(TimePassed{});
  EXPECT_EQ(acknowledged(world), 1u);
  EXPECT_THAT(world.progress.take(), IsEmpty());
  world.batch.handed_on(tasks[0].id);
  world.step(TimePassed{});
  EXPECT_THAT(world.progress.take(), ElementsAre("done"));
  EXPECT_TRUE(world.framework.finished());
}

TEST(Batch, KeepsWhatAProcessWroteThatCameToItsOwnEnd) {
  auto spec = with_output(1);
  spec.max_attempts = 3;
  BatchWorld world(spec);
  world.end(world.slots(1).at(0), TaskState::lost, TaskReason::agent_lost);
  world.end(world.slots(2).at(0), TaskState::killed, TaskReason::preempted);
  world.end(world.slots(3).at(0), TaskState::failed, TaskReason::spawn_failed);
  world.end(world.slots(4).at(0), TaskState::failed, TaskReason::exit);
  world.end(world.slots(5).at(0), TaskState::failed, TaskReason::signal);
  EXPECT_THAT(world.progress.take(),
              ElementsAre("0.0 on a1", "0.0 LOST", "0.0 on a2", "0.0 KILLED", "0.0 on a3", "0.0 FAILED",
                          "0.1 on a4", "0.1 FAILED kept", "0.2 on a5", "0.2 FAILED last kept"));
}

TEST(Batch, TakesNoMoreSlotsThanTasksThatFitIntoOneMessage) {
  auto spec = echo(64);
  spec.command.argv = {"sh", "-c", std::string(20'000, 'x')};
  BatchWorld world(spec);
  EXPECT_THAT(world.slots(1, 64), SizeIs(38));
}

TEST(CheckBatch, NamesWhatNoMessageCanCarry) {
  const auto verdict = [](std::vector<std::string> argv, std::uint32_t instances = 1) {
    auto spec = echo(instances);
    spec.command.argv = std::move(argv);
    const auto checked = check_batch(spec);
    return checked ? "fine" : checked.error().message;
  };
  std::vector<std::string> many(1024, "x");
  EXPECT_EQ(verdict(many), "fine");
  many.emplace_back("x");
  EXPECT_THAT(verdict(many), HasSubstr("1025 words"));
  EXPECT_EQ(verdict({"x", std::string(65536, 'x')}), "fine");
  EXPECT_THAT(verdict({"x", std::string(65535, 'x') + "{}"}, 1000), HasSubstr("longer than 65536 bytes"));
  EXPECT_THAT(verdict(std::vector<std::string>(20, std::string(60'000, 'x'))), HasSubstr("together"));
  EXPECT_THAT(verdict({""}), HasSubstr("no name"));
}

TEST(Batch, WaitsForAPreferredAgentByName) {
  auto spec = echo(2);
  spec.agents = {"a12"};
  BatchWorld world(spec, "wait,node_wait=5s,rack_wait=5s");
  EXPECT_THAT(world.slots(1), IsEmpty());
  EXPECT_THAT(world.slots(12), SizeIs(1));
  EXPECT_THAT(world.slots(13), IsEmpty());  // in its rack, which is second best
  world.now += 5s;
  EXPECT_THAT(world.slots(13), SizeIs(1));
}

TEST(Batch, EveryAgentOfAPreferredRackWillDo) {
  auto spec = echo(2);
  spec.racks = {"r2"};
  BatchWorld world(spec, "wait,node_wait=1m,rack_wait=1m");
  EXPECT_THAT(world.slots(1), IsEmpty());
  EXPECT_THAT(world.slots(12), SizeIs(1));
  EXPECT_THAT(world.slots(13), SizeIs(1));
}

TEST(Batch, AnInstanceBeginsToWaitWhenTheBatchStarts) {
  auto spec = echo(1);
  spec.agents = {"a1"};
  BatchWorld world(spec, "quincy");
  EXPECT_THAT(world.slots(2), IsEmpty()) << "as if it had waited since the beginning of time";
  world.now += 1s;
  EXPECT_THAT(world.slots(2), SizeIs(1));
}

TEST(Batch, DeclaresItsDemandInSubscribe) {
  BatchWorld world(echo(4));
  EXPECT_EQ(std::get<Subscribe>(world.sent.at(0)).demand, (Demand{{{Kind{"slot"}, 4}}}));
}

TEST(Batch, ARefusalForGoodIsKeptAndEndsIt) {
  Progress progress;
  Batch batch(echo(1), make_policy({}).value(), progress);
  Framework framework({"run", "nowhere", "", {}}, batch, Random(1));
  Actions actions;
  framework.step(
      MessageReceived{kAllocatorPeer,
                      {{}, {1}, {}, 0, ErrorMessage{{ErrorCode::unknown_pool, "no pool nowhere"}, 0}}},
      actions, at(0s));
  EXPECT_TRUE(framework.finished());
  EXPECT_EQ(batch.refusal()->message, "no pool nowhere");
  EXPECT_THAT(progress.take(), ElementsAre("done"));
}

TEST(Places, AnUnknownPlaceIsWaitedForAndNoPlaceIsNot) {
  EXPECT_THAT(batch::Places({}, {}).nodes(), IsEmpty());
  batch::Places places({"a1"}, {"r2"});
  EXPECT_THAT(places.nodes(), ElementsAre(AgentId{}));
  EXPECT_FALSE(places.learn(agent(2)));
  EXPECT_TRUE(places.learn(agent(1)));
  EXPECT_FALSE(places.learn(agent(1)));
  EXPECT_TRUE(places.learn(agent(11)));
  EXPECT_THAT(places.nodes(), ElementsAre(agent_id(1), agent_id(11)));
  EXPECT_THAT(places.racks(), ElementsAre("r1", "r2"));
}

}  // namespace
}  // namespace proffer::testing
