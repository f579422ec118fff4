// The program finds the optional bases of policies in plug-ins, and calls them.
#include "proffer/frameworks/policy_abilities.hpp"

#include "frameworks/pool/offer_answer.hpp"
#include "proffer/random.hpp"
#include "tests/frameworks/vocabulary.hpp"
#include "tests/plugins/vocabulary.hpp"

namespace proffer {
namespace {

using namespace std::chrono_literals;
using frameworks::OfferAnswer;
using testing::at;
using testing::kMap;
using testing::load;

std::unique_ptr<Policy> policy_of(const std::string& name) {
  load("able");
  return make_policy({name, {}}).value();
}

/// A job of three tasks that run anywhere, under the policy with every optional base.
struct AbleBench {
  AbleBench() {
    pool.add_job({1}, "job");
    for (const auto* name : {"t0", "t1", "t2"}) pool.add({1}, testing::anywhere(name));
  }
  /// Calls of one kind that the framework makes.
  template <class T>
  std::vector<T> calls(Duration when, const std::function<void(Driver&)>& callback) {
    Driver driver(at(when), random, next_request);
    callback(driver);
    std::vector<T> found;
    for (const auto& call : driver.take_calls()) {
      if (const auto* one = std::get_if<T>(&call)) found.push_back(*one);
    }
    return found;
  }
  template <class T>
  std::vector<T> offers(std::vector<Offer> message) {
    return calls<T>(0s, [&](Driver& driver) {
      answer.answer(driver, Offers{std::move(message), {}}, [](const Placement& placed, const Offer&) {
        return TaskSpec{placed.task, Resources{{kMap, 1}}, placed.job, nullptr};
      });
    });
  }
  TaskPool pool;
  std::unique_ptr<Policy> policy = policy_of("able");
  OfferAnswer answer{pool, *policy, {kMap}};
  Random random{1};
  std::uint64_t next_request = 1;
};

struct TwoSlots final : Foresight {
  void each_slot(Kind, Time, const std::function<void(AgentId, Time)>& visit) const override {
    for (const auto n : {1u, 2u}) visit(testing::agent_id(n), {});
  }
};

TEST(PluginAbilities, AllAreFoundInAPolicyThatHasThem) {
  const auto policy = policy_of("able");
  const PolicyAbilities can(*policy);
  EXPECT_NE(can.chooses_tasks, nullptr);
  EXPECT_NE(can.plans_offers, nullptr);
  EXPECT_NE(can.kills_tasks, nullptr);
  EXPECT_NE(can.looks_several_times, nullptr);
  EXPECT_NE(can.asks_for_offers, nullptr);
  EXPECT_NE(can.holds_offers, nullptr);
  EXPECT_NE(can.needs_foresight, nullptr);
}

TEST(PluginAbilities, NoneIsFoundInAPolicyWithoutThem) {
  const auto policy = policy_of("plain");
  const PolicyAbilities can(*policy);
  EXPECT_EQ(can.chooses_tasks, nullptr);
  EXPECT_EQ(can.plans_offers, nullptr);
  EXPECT_EQ(can.kills_tasks, nullptr);
  EXPECT_EQ(can.looks_several_times, nullptr);
  EXPECT_EQ(can.asks_for_offers, nullptr);
  EXPECT_EQ(can.holds_offers, nullptr);
  EXPECT_EQ(can.needs_foresight, nullptr);
}

TEST(PluginAbilities, ItsTaskIsLaunchedInTheLookThatTakesIt) {
  AbleBench bench;
  const auto accepts = bench.offers<Driver::AcceptCall>({testing::offer(1, testing::agent(1))});
  ASSERT_EQ(accepts.size(), 1u) << "the first look passes";
  EXPECT_EQ(accepts[0].tasks.at(0).id, TaskId{"t2"});
}

TEST(PluginAbilities, ItIsAskedForVictimsAtItsTime) {
  AbleBench bench;
  bench.offers<Kill>({testing::offer(1, testing::agent(1))});
  EXPECT_EQ(bench.answer.next_deadline(), at(9s));
  const auto kills = bench.calls<Kill>(9s, [&](Driver& driver) { bench.answer.deadline(driver); });
  ASSERT_EQ(kills.size(), 1u);
  EXPECT_EQ(kills[0].task, TaskId{"t2"});
}

TEST(PluginAbilities, ItRevivesAfterAMessageThatWasShownToIt) {
  AbleBench bench;
  EXPECT_EQ(bench.offers<Revive>({testing::offer(1, testing::agent(1))}).size(), 0u);
  EXPECT_EQ(bench.offers<Revive>({testing::offer(2, testing::agent(1))}).size(), 1u);
}

TEST(PluginAbilities, ItHoldsOffersForItsTime) { EXPECT_EQ(AbleBench().answer.holds_offers(), Duration{7s}); }

TEST(PluginAbilities, ItIsGivenForesightOrRefused) {
  const auto policy = policy_of("able");
  EXPECT_FALSE(give_foresight(*policy, {"able", {}}, nullptr));
  EXPECT_FALSE(PolicyAbilities(*policy).asks_for_offers->take_widened(kMap));
  const TwoSlots foresight;
  EXPECT_TRUE(give_foresight(*policy, {"able", {}}, &foresight));
  EXPECT_TRUE(PolicyAbilities(*policy).asks_for_offers->take_widened(kMap)) << "it has seen two slots";
}

}  // namespace
}  // namespace proffer
