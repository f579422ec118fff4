// Agents that say that they cannot do their work are offered to nobody until they are well again.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AgentInTrouble : public ::testing::Test {
 protected:
  AgentInTrouble() {
    s.agent("a1", 2);
    s.framework("f");
  }
  void trouble(const std::string& why) { s.say("a1", AgentHealth{why}); }
  Stage s;
};

TEST_F(AgentInTrouble, WhatIsOfferedThereIsTakenBack) {
  EXPECT_EQ(s.offers("f"), "a1:2*");
  trouble("no disk");
  EXPECT_THAT(s.take<Rescind>("f"), SizeIs(1));
  EXPECT_THAT(s.held("f"), IsEmpty());
}

TEST_F(AgentInTrouble, NothingIsOfferedThereAndItsTasksGoOn) {
  s.run("f", "a1", "t1");
  trouble("no disk");
  s.framework("g");
  s.finish("a1", "t1");
  EXPECT_EQ(s.offers("g"), "");
  EXPECT_EQ(s.updates("f"), "t1 FINISHED");
}

TEST_F(AgentInTrouble, WellAgainItIsOffered) {
  s.offers("f");
  trouble("no disk");
  trouble("");
  EXPECT_EQ(s.offers("f"), "a1:2*");
}

TEST_F(AgentInTrouble, DescribeSaysWhy) {
  trouble("no disk");
  EXPECT_EQ(s.describe().agents[0].trouble, "no disk");
  trouble("");
  EXPECT_EQ(s.describe().agents[0].trouble, "");
}

TEST_F(AgentInTrouble, WhatItSaysIsRepeated) {
  trouble("no disk");
  EXPECT_THAT(s.take<AgentHealth>("a1"), ElementsAre(AgentHealth{"no disk"}));
}

TEST_F(AgentInTrouble, BothChangesAreTracedOnce) {
  trouble("no disk");
  trouble("no disk");
  trouble("");
  std::vector<std::string> whys;
  for (const auto& trace : s.traces<AgentTrouble>()) whys.push_back(trace.why);
  EXPECT_THAT(whys, ElementsAre("no disk", ""));
}

TEST_F(AgentInTrouble, ThatRegistersAgainIsOfferedToNobody) {
  auto again = s.registration("a1", {{kMap, 2}});
  again.trouble = "no disk";
  s.lose("a1");
  s.reconnect("a1");
  s.say_first("a1", again);
  s.offers("f");
  s.framework("g");
  EXPECT_EQ(s.offers("g"), "");
  EXPECT_EQ(s.describe().agents[0].trouble, "no disk");
}

TEST_F(AgentInTrouble, ThatRegistersWellIsOfferedAgain) {
  trouble("no disk");
  s.offers("f");
  s.lose("a1");
  s.reconnect("a1");
  s.say_first("a1", s.registration("a1", {{kMap, 2}}));
  EXPECT_EQ(s.offers("f"), "a1:2");
}

}  // namespace
}  // namespace proffer
