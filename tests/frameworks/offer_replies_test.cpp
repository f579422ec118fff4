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

  void offer_slots(const std::vector<std::uint64_t>& agents) {
    Offers offers;
    for (const auto n : agents) offers.offers.push_back(offer(++last_offer, agent(n)));
    Driver driver(now, random, next_request);
    replies.answer(driver, offers, [&](const Placement& placed, const Offer& with) {
      launched.push_back(placed.task);
      last_agent = with.agent.name;
      return TaskSpec{placed.task, Resources{{kMap, 1}}, placed.job, {}};
    });
  }

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
  std::optional<Offers> take_gathered() {
    Driver driver(now, random, next_request);
    const auto let_go = replies.take_gathered(driver);
    if (!let_go) return {};
    told += let_go->too_few ? 1 : 0;
    return let_go->offers;
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

TEST_F(RigidRepliesTest, TooFewSlotsAreLetGoInTimeAndOthersHaveThem) {
  offer_slots({1, 2});
  EXPECT_EQ(replies.next_deadline(), now + frameworks::kGatherFor);
  EXPECT_FALSE(take_gathered());
  now += frameworks::kGatherFor;
  const auto let_go = take_gathered();
  ASSERT_TRUE(let_go);
  EXPECT_EQ(told, 1);
  EXPECT_THAT(let_go->offers, SizeIs(2));
  offer_slots({1, 2});
  EXPECT_THAT(launched, ElementsAre(kTask)) << "the rigid job pauses";
}

TEST_F(RigidRepliesTest, AfterThePauseSlotsAreGatheredAgain) {
  offer_slots({1});
  now += frameworks::kGatherFor;
  ASSERT_TRUE(take_gathered());
  const auto pause_over = replies.next_deadline();
  ASSERT_TRUE(pause_over);
  EXPECT_LE(*pause_over, now + frameworks::kGatherFor);
  now = *pause_over;
  EXPECT_THAT(replies.end_waits(now), ElementsAre(kMap));
  EXPECT_FALSE(replies.next_deadline());
  offer_slots({1, 2, 3});
  EXPECT_EQ(launched_rigid(), 3u);
}

TEST_F(RigidRepliesTest, PausesAreOfDifferentLengthForThoseWhoHeldDifferentOffers) {
  std::set<Time> ends;
  for (std::uint64_t first = 0; first < 20; ++first) {
    frameworks::Gathering gathering(frameworks::kGatherFor);
    gathering.gather(frameworks::RigidWish{kRigid, kMap, 3});
    EXPECT_TRUE(gathering.keep(offer(first, agent(1)), now));
    EXPECT_TRUE(gathering.keep(offer(first + 1, agent(2)), now));
    ASSERT_TRUE(gathering.give_up(now + frameworks::kGatherFor));
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

TEST_F(RigidRepliesTest, NothingIsKeptForAJobThatWantsNothingAnyMore) {
  offer_slots({1, 2});
  for (const auto* id : {"r-0", "r-1", "r-2"}) replies.withdraw(kRigid, TaskId{id});
  EXPECT_EQ(replies.next_deadline(), Time{});
  const auto let_go = take_gathered();
  ASSERT_TRUE(let_go);
  EXPECT_THAT(let_go->offers, SizeIs(2));
  EXPECT_EQ(told, 0);
  EXPECT_FALSE(replies.next_deadline());
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
