// Answers to offers for the tasks of a pool.
#include "frameworks/pool/offer_replies.hpp"

#include <algorithm>
#include <set>

#include "proffer/frameworks/policy_registry.hpp"
#include "tests/frameworks/vocabulary.hpp"

namespace proffer::testing {
namespace {

using frameworks::OfferReplies;

constexpr JobId kJob{1};
const TaskId kTask{"j1-m-00000-0"};

/// A pool with one job and one map, whose offers are answered greedily.
struct OfferRepliesTest : ::testing::Test {
  OfferRepliesTest() {
    replies.use(make_policy({}).value());
    pool.add_job(kJob, "job");
    pool.add(kJob, {kTask, kMap, {}, {}, 0, now});
  }

  Time now = time_from_us(1'000'000);
  Random random{1};
  std::uint64_t next_request = 1;
  TaskPool pool;
  OfferReplies replies{pool, {kMap, kReduce}};
  std::vector<TaskId> launched;

  OfferReplies::Describe describe() {
    return [this](const Placement& placed, const Offer& with) {
      launched.push_back(placed.task);
      last_agent = with.agent.name;
      return TaskSpec{placed.task, Resources{{kMap, 1}}, placed.job, {}};
    };
  }
  void offer_slots(const std::vector<std::uint64_t>& agents) {
    Offers offers;
    for (const auto n : agents) offers.offers.push_back(offer(++last_offer, agent(n)));
    Driver driver(now, random, next_request);
    replies.answer(driver, offers, describe());
    revived = std::ranges::any_of(driver.calls(),
                                  [](const auto& call) { return std::holds_alternative<Revive>(call); });
  }
  bool revived = false;  ///< with the newest answer

  std::uint64_t last_offer = 0;
  std::string last_agent;
};

TEST_F(OfferRepliesTest, ATaskIsLaunchedAndCounted) {
  offer_slots({1, 2});
  EXPECT_THAT(launched, ElementsAre(kTask));
  EXPECT_EQ(replies.totals().received, 2u);
  EXPECT_EQ(replies.totals().accepted, 1u);
  EXPECT_EQ(replies.totals().tasks_launched, 1u);
}

TEST_F(OfferRepliesTest, ATaskIsNotLaunchedWhereItIsAvoided) {
  replies.avoid(kTask, {kJob, kMap, agent_id(1), now + std::chrono::seconds(10)});
  offer_slots({1});
  EXPECT_THAT(launched, IsEmpty());
  EXPECT_EQ(pool.unlaunched(kJob, kMap), 1);
}

TEST_F(OfferRepliesTest, AnAvoidedAgentIsLookedAtAfterTheOthers) {
  replies.avoid(kTask, {kJob, kMap, agent_id(1), now + std::chrono::seconds(10)});
  offer_slots({1, 2});
  EXPECT_THAT(launched, ElementsAre(kTask));
  EXPECT_EQ(last_agent, "a2");
}

TEST_F(OfferRepliesTest, AnAgentIsAvoidedUntilItsTimeIsOver) {
  const auto until = now + std::chrono::seconds(10);
  replies.avoid(kTask, {kJob, kMap, agent_id(1), until});
  EXPECT_EQ(replies.next_deadline(), until);
  now = until;
  EXPECT_THAT(replies.end_waits(now), ElementsAre(kMap));
  offer_slots({1});
  EXPECT_THAT(launched, ElementsAre(kTask));
}

TEST_F(OfferRepliesTest, ATaskThatIsWithdrawnAvoidsNothing) {
  replies.avoid(kTask, {kJob, kMap, agent_id(1), now + std::chrono::seconds(10)});
  replies.withdraw(kJob, kTask);
  EXPECT_FALSE(replies.next_deadline());
  offer_slots({1});
  EXPECT_THAT(launched, IsEmpty());
}

/// Besides that job a rigid one, which comes first and has three maps.
struct RigidRepliesTest : OfferRepliesTest {
  static constexpr JobId kRigid{2};
  RigidRepliesTest() {
    // A job with a running task comes after one without.
    pool.adopt(kJob, kMap, TaskId{"former"}, agent_id(9), now);
    pool.add_job(kRigid, "rigid", {.rigid = kMap});
    for (const auto* id : {"r-0", "r-1", "r-2"}) pool.add(kRigid, {TaskId{id}, kMap, {}, {}, 0, now});
  }

  std::size_t launched_rigid() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(launched, [](const TaskId& id) { return id.value.starts_with("r-"); }));
  }
  /// Lets go what was gathered in vain; returns how many offers were declined.
  int let_go() {
    Driver driver(now, random, next_request);
    if (replies.let_go(driver, describe())) ++told;
    return static_cast<int>(std::ranges::count_if(
        driver.calls(), [](const auto& call) { return std::holds_alternative<Driver::DeclineCall>(call); }));
  }
  int told = 0;
};

TEST_F(RigidRepliesTest, SlotsAreKeptUntilThereAreEnoughForAllTasks) {
  offer_slots({1});
  offer_slots({2});
  EXPECT_THAT(launched, IsEmpty());
  EXPECT_EQ(replies.totals().received, 0u) << "nothing is answered yet";
  offer_slots({3});
  EXPECT_EQ(launched_rigid(), 3u);
  EXPECT_EQ(replies.totals().accepted, 3u);
}

TEST_F(RigidRepliesTest, SlotsBeyondThoseAreForOtherJobs) {
  offer_slots({1, 2, 3, 4, 5});
  EXPECT_EQ(launched_rigid(), 3u);
  EXPECT_THAT(launched, SizeIs(4));
  EXPECT_EQ(replies.totals().received, 5u);
}

TEST_F(RigidRepliesTest, TooFewSlotsAreLetGoInTimeAndOtherJobsHaveThem) {
  offer_slots({1, 2});
  EXPECT_EQ(replies.next_deadline(), now + kGatherFor);
  let_go();
  EXPECT_EQ(told, 0);
  now += kGatherFor;
  EXPECT_EQ(let_go(), 1);
  EXPECT_EQ(told, 1);
  EXPECT_THAT(launched, ElementsAre(kTask));
  offer_slots({1, 2, 3});
  EXPECT_EQ(launched_rigid(), 0u) << "it pauses";
}

TEST_F(RigidRepliesTest, WhatOneRigidJobLetsGoTheNextDoesNotKeep) {
  pool.add_job(JobId{3}, "another", {.rigid = kMap});
  for (const auto* id : {"s-0", "s-1"}) pool.add(JobId{3}, {TaskId{id}, kMap, {}, {}, 0, now});
  offer_slots({1, 2});
  now += kGatherFor;
  EXPECT_EQ(let_go(), 1);
  EXPECT_THAT(launched, ElementsAre(kTask));
  offer_slots({3, 4});
  EXPECT_THAT(launched, SizeIs(3)) << "the other gathers while the first one pauses";
}

TEST_F(RigidRepliesTest, AfterThePauseSlotsAreGatheredAgain) {
  offer_slots({1});
  now += kGatherFor;
  let_go();
  const auto pause_over = replies.next_deadline();
  ASSERT_TRUE(pause_over);
  EXPECT_LE(*pause_over, now + kGatherFor);
  now = *pause_over;
  EXPECT_THAT(replies.end_waits(now), ElementsAre(kMap));
  EXPECT_FALSE(replies.next_deadline());
  offer_slots({1, 2, 3});
  EXPECT_EQ(launched_rigid(), 3u);
}

TEST_F(RigidRepliesTest, PausesAreOfDifferentLengthForThoseWhoHeldDifferentOffers) {
  std::set<Time> ends;
  for (std::uint64_t first = 0; first < 20; ++first) {
    frameworks::Gathering gathering(kGatherFor);
    gathering.gather(frameworks::RigidWish{kRigid, kMap, 3, {{kMap, 1}}});
    EXPECT_TRUE(gathering.keep(offer(first, agent(1)), now));
    EXPECT_TRUE(gathering.keep(offer(first + 1, agent(2)), now));
    const auto end = gathering.give_up(now + kGatherFor);
    ASSERT_TRUE(end);
    gathering.let_go();
    ends.insert(*gathering.next());
  }
  EXPECT_EQ(ends.size(), 20u);
}

TEST_F(RigidRepliesTest, ARescindedOfferCountsNoMore) {
  offer_slots({1, 2});
  const std::vector<OfferId> gone{OfferId{1, last_offer}};
  replies.rescind(gone);
  offer_slots({3});
  EXPECT_THAT(launched, IsEmpty());
  offer_slots({4});
  EXPECT_EQ(launched_rigid(), 3u);
}

TEST_F(RigidRepliesTest, AGatheringOfWhichAllIsRescindedEndsAllTheSame) {
  offer_slots({1});
  const std::vector<OfferId> gone{OfferId{1, last_offer}};
  replies.rescind(gone);
  now += kGatherFor;
  EXPECT_EQ(let_go(), 0);
  EXPECT_EQ(told, 1);
}

TEST_F(RigidRepliesTest, NothingIsKeptForAJobThatWantsNothingAnyMore) {
  offer_slots({1, 2});
  for (const auto* id : {"r-0", "r-1", "r-2"}) replies.withdraw(kRigid, TaskId{id});
  EXPECT_EQ(replies.next_deadline(), Time{});
  EXPECT_EQ(let_go(), 1);
  EXPECT_EQ(told, 0);
  EXPECT_THAT(launched, ElementsAre(kTask));
  EXPECT_FALSE(replies.next_deadline());
}

TEST_F(RigidRepliesTest, AJobThatComesFirstAndIsNotRigidLaunchesFirst) {
  for (int i = 0; i < 2; ++i) {
    pool.adopt(kRigid, kMap, TaskId{"run-" + std::to_string(i)}, agent_id(8), now);
  }
  offer_slots({1, 2});
  EXPECT_THAT(launched, ElementsAre(kTask));
  EXPECT_TRUE(revived) << "it is the rigid one's turn now, and the other slot was refused";
  offer_slots({3, 4, 5});
  EXPECT_EQ(launched_rigid(), 3u);
}

TEST_F(RigidRepliesTest, SlotsThatAreLeftOverOfAnOfferAreAskedForAgain) {
  Offers offers;
  for (const auto n : {1, 2})
    offers.offers.push_back(offer(++last_offer, agent(static_cast<std::uint64_t>(n)), 2));
  Driver driver(now, random, next_request);
  replies.answer(driver, offers, describe());
  EXPECT_EQ(launched_rigid(), 3u);
  EXPECT_TRUE(std::ranges::any_of(driver.calls(),
                                  [](const auto& call) { return std::holds_alternative<Revive>(call); }));
}

TEST_F(RigidRepliesTest, TasksThatHaveEndedAndCountOnKeepNoneFromStarting) {
  JobSharing sharing;
  sharing.commit_time = std::chrono::seconds(3);
  TaskPool hadoop(sharing);
  OfferReplies its(hadoop, {kMap});
  its.use(make_policy({}).value());
  hadoop.add_job(kRigid, "rigid", {.rigid = kMap});
  for (const auto* id : {"f-0", "f-1"}) hadoop.adopt(kRigid, kMap, TaskId{id}, agent_id(9), now);
  for (const auto* id : {"r-0", "r-1", "r-2"}) hadoop.add(kRigid, {TaskId{id}, kMap, {}, {}, 0, now});
  for (const auto* id : {"f-0", "f-1"}) hadoop.ended(kRigid, kMap, TaskId{id}, now);
  Offers offers;
  for (std::uint64_t n = 1; n <= 3; ++n) offers.offers.push_back(offer(++last_offer, agent(n)));
  Driver driver(now, random, next_request);
  its.answer(driver, offers, describe());
  EXPECT_EQ(launched_rigid(), 3u);
}

TEST_F(RigidRepliesTest, NoSlotIsKeptOfAnAgentThatATaskOfTheJobAvoids) {
  replies.avoid(TaskId{"r-0"}, {kRigid, kMap, agent_id(1), now + std::chrono::seconds(10)});
  offer_slots({1, 2, 3});
  EXPECT_EQ(launched_rigid(), 0u);
  offer_slots({4});
  EXPECT_EQ(launched_rigid(), 3u);
}

}  // namespace
}  // namespace proffer::testing
