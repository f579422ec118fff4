// Pools that wait for agents of their own, and whom they hold up.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

AllocatorPool private_pool(const std::string& name, std::set<std::string> racks, std::uint32_t agents) {
  AllocatorPool pool;
  pool.share.name = name;
  pool.racks = std::move(racks);
  pool.private_agents = agents;
  return pool;
}

/// Two agents in rack r1, of which the first is in use, and one in r2; a pool waits for both of r1.
struct PrivateAgentsTest : ::testing::Test {
  explicit PrivateAgentsTest(std::set<std::string> later_racks = {})
      : stage(with_pools(
            {private_pool("first", {"r1"}, 2), private_pool("later", std::move(later_racks), 1)})) {
    stage.agent("a1", 1, "r1");
    stage.framework("anyone", {.demand = 1});
    stage.run("anyone", "a1", "t");
    stage.agent("a2", 1, "r1");
    stage.framework("first", {.demand = 2, .pool = "first"});
    stage.framework("later", {.demand = 1, .pool = "later"});
  }
  Stage stage;
};

struct SameAgentsTest : PrivateAgentsTest {
  SameAgentsTest() : PrivateAgentsTest({"r1"}) {}
};

TEST_F(SameAgentsTest, NobodyOvertakesWhoWaits) {
  EXPECT_EQ(stage.offers("later"), "");
  stage.agent("a3", 1, "r2");
  EXPECT_EQ(stage.offers("later"), "");
  EXPECT_EQ(stage.offers("first"), "");
}

TEST_F(PrivateAgentsTest, WhoWaitsHoldsUpTheAgentsOnlyThatItMayHave) {
  EXPECT_EQ(stage.offers("later"), "") << "the one that is free may be of use to the other";
  stage.agent("a3", 1, "r2");
  EXPECT_EQ(stage.offers("later"), "a3:1");
  EXPECT_EQ(stage.offers("first"), "");
}

TEST(PrivateAgents, APoolThatCannotBeServedHoldsUpNobody) {
  Stage stage(with_pools({private_pool("elsewhere", {"r9"}, 1), private_pool("here", {}, 1)}));
  stage.agent("a1", 1);
  stage.framework("e", {.demand = 1, .pool = "elsewhere"});
  stage.pass(kSecond);
  stage.framework("h", {.demand = 1, .pool = "here"});
  EXPECT_EQ(stage.offers("h"), "a1:1*");
}

}  // namespace
}  // namespace proffer
