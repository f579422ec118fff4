// The framework of drivers: where they are started, and what becomes of a job when its driver ends.
#include "proffer/frameworks/drivers.hpp"

#include <algorithm>
#include <map>

#include "frameworks/drivers/driver_ends.hpp"
#include "proffer/frameworks/framework.hpp"
#include "proffer/limits.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

const Kind kDriver{Drivers::kOwnKind};

/// The framework of drivers in session, with an allocator that takes every accept.
struct DriversWorld {
  explicit DriversWorld(std::vector<Kept> kept = {}, Resources slots = {{kMap, 4}})
      : framework({.name = "drivers", .pool = "", .user = "", .keeps = true}, drivers, Random(1),
                  std::move(kept)) {
    drivers.learn_slots(slots);
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
  void pass(Duration duration) {
    now += duration;
    say(Heartbeat{});
  }
  std::vector<Kept> kept() const {
    std::vector<Kept> all;
    for (const auto& [key, record] : records) all.push_back(record);
    return all;
  }
  template <class M>
  std::vector<M> take() {
    std::vector<M> found;
    for (const auto& message : std::exchange(sent, {})) {
      if (const auto* one = std::get_if<M>(&message)) found.push_back(*one);
    }
    return found;
  }

  static SubmitJob spec(std::uint64_t n) {
    SubmitJob job;
    job.request = 5;
    job.id = "d-" + std::to_string(n);
    job.name = "mr";
    job.framework = {{1, n}};
    job.secret = {{2, n}};
    job.command = {{"proffer", "mr"}, {{"LANG", "C"}}, "t0ken", {{"map.sh", "cat", true}}};
    return job;
  }
  AdminDone submit(const SubmitJob& job) {
    say(job);
    return take<AdminDone>().at(0);
  }
  AdminDone submit(std::uint64_t n) { return submit(spec(n)); }
  AdminDone kill(const std::string& id) {
    sent.clear();
    say(KillJob{6, "drivers", id, "ada", "too long"});
    const auto kills = sent;
    const auto done = take<AdminDone>().at(0);
    sent = kills;
    return done;
  }
  /// So many slots on agent n: the tasks that were accepted for them.
  std::vector<TaskSpec> slots(std::uint64_t n, Kind kind = kMap, std::int64_t count = 1) {
    sent.clear();
    std::vector<Offer> offers;
    for (std::int64_t i = 0; i < count; ++i) offers.push_back(offer(++last_offer, agent(n), 1, kind));
    say(Offers{offers, {}});
    std::vector<TaskSpec> tasks;
    for (const auto& accept : take<Accept>()) {
      Accepted accepted{accept.accept, {}};
      for (const auto& task : accept.tasks) {
        tasks.push_back(task);
        accepted.verdicts.push_back({task.id, true});
      }
      say(accepted);
    }
    return tasks;
  }
  void end(const TaskId& task, TaskState state, TaskReason reason = TaskReason::none, ExitStatus exit = {}) {
    TaskStatus status;
    status.framework = {{0, 9}};
    status.task = task;
    status.seq = ++last_seq;
    status.state = state;
    status.reason = reason;
    status.exit = exit;
    say(Update{status});
  }
  DetachedJob job(const std::string& id = "d-1") {
    say(DescribeJobs{7, id});
    return take<DetachedJobs>().at(0).jobs.at(0);
  }

  Drivers drivers;
  Framework framework;
  Actions actions;
  std::vector<Message> sent;
  std::map<KeptKey, Kept> records;
  Time now = at(10s);
  std::uint64_t last_offer = 0;
  std::uint32_t last_seq = 0;
};

Driving driving_of(const TaskSpec& task) {
  for (const auto& [name, value] : std::get<CommandWork>(*task.work).env) {
    if (name == kDrivingVariable) return driving_from(value).value();
  }
  ADD_FAILURE() << "it does not know that it drives";
  return {};
}

TEST(Drivers, AJobIsDrivenByATaskThatKnowsItsPart) {
  DriversWorld world;
  EXPECT_FALSE(world.submit(1).error);
  EXPECT_EQ(world.job().state, "waiting");
  const auto tasks = world.slots(1);
  ASSERT_THAT(tasks, SizeIs(1));
  EXPECT_EQ(tasks[0].id.value, "d-1_1");
  const auto& work = std::get<CommandWork>(*tasks[0].work);
  EXPECT_THAT(work.argv, ElementsAre("proffer", "mr"));
  EXPECT_THAT(work.files, SizeIs(1));
  const auto driving = driving_of(tasks[0]);
  EXPECT_EQ(driving.framework, (FrameworkId{{1, 1}}));
  EXPECT_EQ(driving.secret, (Secret{{2, 1}}));
  EXPECT_EQ(driving.start, 1u);
  EXPECT_FALSE(driving.ends);
  const auto shown = world.job();
  EXPECT_EQ(shown.state, "running");
  EXPECT_EQ(shown.agent, "a1");
  EXPECT_EQ(shown.task, "d-1_1");
  EXPECT_EQ(shown.framework, (FrameworkId{{0, 9}}));
}

TEST(Drivers, AJobIsDurableBeforeWhoSubmitsItIsTold) {
  DriversWorld world;
  const auto job = DriversWorld::spec(1);
  Actions actions;
  world.framework.step(MessageReceived{kAllocatorPeer, {{{7, 7}}, {1}, {5}, 0, job}}, actions, world.now);
  const auto answer = std::ranges::find_if(actions, [](const Action& action) {
    const auto* send = std::get_if<Send>(&action);
    return send != nullptr && std::holds_alternative<AdminDone>(send->envelope.message);
  });
  const auto kept = std::count_if(actions.begin(), answer, [](const Action& action) {
    return std::holds_alternative<KeepRecord>(action);
  });
  EXPECT_EQ(kept, 2);
}

TEST(Drivers, OneThatEndsByItselfIsNotStartedAgainAndItsOutputStays) {
  DriversWorld world;
  world.submit(1);
  const auto task = world.slots(1).at(0).id;
  world.sent.clear();
  world.end(task, TaskState::failed, TaskReason::exit, {3, 0});
  EXPECT_THAT(world.take<Acknowledge>(), IsEmpty());
  const auto shown = world.job();
  EXPECT_EQ(shown.state, "ended");
  EXPECT_EQ(shown.exit, (ExitStatus{3, 0}));
  world.pass(20s);
  EXPECT_THAT(world.slots(2), IsEmpty());
}

TEST(Drivers, OneWhoseAgentIsOutOfReachIsStartedElsewhereAndTheFormerIsKilled) {
  DriversWorld world;
  world.submit(1);
  const auto former = world.slots(1).at(0).id;
  world.sent.clear();
  world.end(former, TaskState::unreachable, TaskReason::agent_lost);
  EXPECT_EQ(world.take<Kill>().at(0).task, former);
  EXPECT_THAT(world.job().text, HasSubstr("a1 is lost"));
  EXPECT_THAT(world.slots(1), IsEmpty()) << "not there at once";
  const auto next = world.slots(2);
  ASSERT_THAT(next, SizeIs(1));
  EXPECT_EQ(driving_of(next[0]).start, 2u);
  world.end(former, TaskState::killed, TaskReason::kill_requested);
  EXPECT_EQ(world.job().state, "running") << "the end of the former counts no more";
  world.end(next[0].id, TaskState::finished);
  EXPECT_EQ(world.job().state, "ended");
}

TEST(Drivers, AnAgentThatFailedOneIsTakenAgainAfterAWhileIfThereIsNoOther) {
  DriversWorld world;
  world.submit(1);
  world.end(world.slots(1).at(0).id, TaskState::lost, TaskReason::host_reboot);
  EXPECT_THAT(world.slots(1), IsEmpty());
  world.pass(10s);
  EXPECT_THAT(world.take<Revive>(), SizeIs(1)) << "it is to be offered again";
  EXPECT_THAT(world.slots(1), SizeIs(1));
}

TEST(Drivers, OneThatDiesIsStartedAgainButNotForEver) {
  DriversWorld world;
  world.submit(1);
  for (std::uint32_t i = 0; i < drivers::kMostDeaths; ++i) {
    EXPECT_EQ(world.job().state, "waiting");
    world.pass(11s);
    const auto task = world.slots(1 + i % 2).at(0).id;
    world.end(task, TaskState::failed, TaskReason::signal, {0, 9});
  }
  const auto shown = world.job();
  EXPECT_EQ(shown.state, "ended");
  EXPECT_EQ(shown.exit, (ExitStatus{0, 9}));
  EXPECT_THAT(shown.text, HasSubstr("5 times"));
}

TEST(Drivers, OnesThatAskForAnotherOneDoNotCountAsDeaths) {
  DriversWorld world;
  world.submit(1);
  for (std::uint32_t i = 0; i < 3 * drivers::kMostDeaths; ++i) {
    world.pass(11s);
    world.end(world.slots(1 + i % 2).at(0).id, TaskState::failed, TaskReason::exit, {kDriverAgain, 0});
  }
  EXPECT_EQ(world.job().state, "waiting");
}

TEST(Drivers, AgentsThatAreLostDoNotCountAsDeaths) {
  DriversWorld world;
  world.submit(1);
  for (std::uint32_t i = 0; i < 3 * drivers::kMostDeaths; ++i) {
    world.pass(11s);
    world.end(world.slots(1).at(0).id, TaskState::killed, TaskReason::preempted);
  }
  EXPECT_EQ(world.job().state, "waiting");
}

TEST(Drivers, TheyTakeHalfOfTheMapSlotsAtMost) {
  DriversWorld world;
  for (const auto n : {1u, 2u, 3u}) world.submit(n);
  EXPECT_THAT(world.slots(1, kMap, 4), SizeIs(2));
  EXPECT_EQ(world.job("d-3").state, "waiting");
  world.end({"d-1_1"}, TaskState::finished);
  EXPECT_THAT(world.slots(1, kMap, 4), SizeIs(1));
}

TEST(Drivers, OfOneMapSlotTheyTakeNone) {
  DriversWorld world({}, {{kMap, 1}});
  world.submit(1);
  EXPECT_THAT(world.slots(1), IsEmpty());
}

TEST(Drivers, SlotsOfTheirOwnKindTheyTakeAllAndNoOthers) {
  DriversWorld world({}, {{kMap, 4}, {kDriver, 2}});
  for (const auto n : {1u, 2u, 3u}) world.submit(n);
  EXPECT_THAT(world.slots(1, kMap, 2), IsEmpty());
  const auto tasks = world.slots(1, kDriver, 2);
  ASSERT_THAT(tasks, SizeIs(2));
  EXPECT_EQ(tasks[0].resources, (Resources{{kDriver, 1}}));
}

TEST(Drivers, AKilledJobIsEndedByOneMoreDriverThatCleansUp) {
  DriversWorld world;
  world.submit(1);
  const auto task = world.slots(1).at(0).id;
  world.sent.clear();
  EXPECT_EQ(world.kill("d-1").text, "job d-1 is killed");
  EXPECT_EQ(world.take<Kill>().at(0).task, task);
  EXPECT_EQ(world.job().state, "ending");
  world.end(task, TaskState::killed, TaskReason::kill_requested);
  const auto last = world.slots(2);
  ASSERT_THAT(last, SizeIs(1));
  EXPECT_TRUE(driving_of(last[0]).ends);
  world.end(last[0].id, TaskState::finished);
  const auto shown = world.job();
  EXPECT_EQ(shown.state, "ended");
  EXPECT_EQ(shown.exit, (ExitStatus{1, 0})) << "it has failed, though its last driver has not";
  EXPECT_EQ(shown.text, "it was killed by ada: too long");
  EXPECT_EQ(world.kill("d-1").error->code, ErrorCode::refused);
}

TEST(Drivers, AJobIsFoundByWhatItsIdBeginsWithIfThatIsClear) {
  DriversWorld world;
  world.submit(11);
  world.submit(12);
  EXPECT_EQ(world.kill("d-1").error->code, ErrorCode::not_found);
  EXPECT_EQ(world.kill("d-3").error->code, ErrorCode::not_found);
  EXPECT_EQ(world.kill("d-12").text, "job d-12 is killed");
  world.say(DescribeJobs{7, ""});
  EXPECT_THAT(world.take<DetachedJobs>().at(0).jobs, SizeIs(2));
}

TEST(Drivers, TheSameJobOnceMoreChangesNothingAndAnotherOfItsIdIsRefused) {
  DriversWorld world;
  world.submit(1);
  EXPECT_FALSE(world.submit(1).error);
  SubmitJob other;
  other.id = "d-1";
  other.name = "mr";
  other.framework = {{1, 77}};
  world.say(other);
  EXPECT_EQ(world.take<AdminDone>().at(0).error->code, ErrorCode::exists);
  world.say(DescribeJobs{7, ""});
  EXPECT_THAT(world.take<DetachedJobs>().at(0).jobs, SizeIs(1));
}

TEST(Drivers, AJobThatCannotBeDrivenIsRefused) {
  DriversWorld world;
  const auto refused = [&](auto change) {
    auto job = DriversWorld::spec(1);
    change(job);
    const auto done = world.submit(job);
    return done.error && done.error->code == ErrorCode::invalid;
  };
  EXPECT_TRUE(refused([](SubmitJob& job) { job.id = std::string(limits::kNameBytes, 'd'); }));
  EXPECT_TRUE(refused([](SubmitJob& job) { job.id = "d 1"; }));
  EXPECT_TRUE(refused([](SubmitJob& job) { job.framework = {}; }));
  EXPECT_TRUE(refused([](SubmitJob& job) { job.secret = {}; }));
  EXPECT_TRUE(refused([](SubmitJob& job) { job.command.argv.clear(); }));
  EXPECT_FALSE(world.submit(1).error);
}

TEST(Drivers, WhatOneSaysOfAKillIsShortened) {
  DriversWorld world;
  world.submit(1);
  world.say(KillJob{6, "drivers", "d-1", "ada", std::string(60'000, 'x')});
  EXPECT_LT(world.job().text.size(), 400u);
}

TEST(Drivers, SlotsOfOtherKindsAreNotWanted) {
  DriversWorld world;
  world.submit(1);
  world.sent.clear();
  world.say(Offers{{offer(99, agent(1), 1, Kind("reduce"))}, {}});
  const std::pair none(Kind("reduce"), std::int64_t{0});
  EXPECT_THAT(world.take<Decline>().at(0).demand.kinds, ::testing::Contains(none));
}

TEST(Drivers, ALaterProcessGoesOnWithAllOfThem) {
  DriversWorld former;
  for (const auto n : {1u, 2u, 3u}) former.submit(n);
  const auto tasks = former.slots(1, kMap, 2);
  former.end(tasks[0].id, TaskState::finished);
  DriversWorld later(former.kept());
  later.last_seq = 10;
  EXPECT_EQ(later.job("d-1").state, "ended");
  EXPECT_EQ(later.job("d-2").state, "running");
  EXPECT_EQ(later.job("d-2").agent, "a1");
  EXPECT_EQ(later.job("d-3").state, "waiting");
  const auto next = later.slots(2);
  ASSERT_THAT(next, SizeIs(1));
  EXPECT_EQ(driving_of(next[0]).secret, (Secret{{2, 3}}));
  EXPECT_THAT(std::get<CommandWork>(*next[0].work).files, SizeIs(1));
  later.sent.clear();
  later.end(tasks[0].id, TaskState::finished);
  EXPECT_THAT(later.take<Acknowledge>(), IsEmpty()) << "its output is still kept";
  later.end(tasks[1].id, TaskState::finished);
  EXPECT_EQ(later.job("d-2").state, "ended");
  EXPECT_FALSE(later.submit(4).error);
  EXPECT_EQ(later.job("d-4").job, JobId{4}) << "numbers are not used twice";
}

TEST(Drivers, OutputOfOneThatEndedLongAgoIsKeptOverARestart) {
  DriversWorld former;
  former.submit(1);
  const auto task = former.slots(1).at(0).id;
  former.end(task, TaskState::finished);
  former.pass(11min);
  former.step(TimePassed{});
  DriversWorld later(former.kept());
  later.last_seq = 10;
  later.sent.clear();
  later.end(task, TaskState::finished);
  EXPECT_THAT(later.take<Acknowledge>(), IsEmpty());
}

TEST(Drivers, OfThoseThatHaveEndedTheOldestAreForgotten) {
  DriversWorld world;
  const auto most = limits::kDetachedJobsKept;
  for (std::uint64_t n = 1; n <= most + 1; ++n) {
    world.submit(n);
    const auto task = world.slots(1).at(0).id;
    world.sent.clear();
    world.end(task, TaskState::finished);
    EXPECT_THAT(world.take<Acknowledge>(), SizeIs(n > most ? 1 : 0));
  }
  world.say(DescribeJobs{7, ""});
  const auto jobs = world.take<DetachedJobs>().at(0).jobs;
  EXPECT_THAT(jobs, SizeIs(most));
  EXPECT_EQ(jobs[0].id, "d-2");
}

TEST(Drivers, MoreThanTheBoundAreRefused) {
  DriversWorld world;
  for (std::uint64_t n = 1; n <= limits::kDetachedJobs; ++n) ASSERT_FALSE(world.submit(n).error);
  EXPECT_EQ(world.submit(limits::kDetachedJobs + 1).error->code, ErrorCode::slow_down);
}

TEST(Driving, ItsTextReadsBackAndAnyOtherDoesNot) {
  const Driving driving{{{1, 2}}, {{3, 4}}, 7, true};
  const auto text = to_text(driving);
  const auto back = driving_from(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->framework, driving.framework);
  EXPECT_EQ(back->secret, driving.secret);
  EXPECT_EQ(back->start, 7u);
  EXPECT_TRUE(back->ends);
  EXPECT_FALSE(driving_from(text.substr(1)));
  EXPECT_FALSE(driving_from(text + "x"));
  EXPECT_FALSE(driving_from(""));
}

}  // namespace
}  // namespace proffer::testing
