// Who may say what, in which session.
#include "tests/allocator/stage.hpp"

namespace proffer {
namespace {

TEST(Receive, AMessageThatASideHasNoBusinessToSendIsRefused) {
  Stage s;
  s.agent("a1", 1);
  s.say("a1", Revive{});
  EXPECT_EQ(s.error_text("a1"), "nothing is done about REVIVE from that side");
}

TEST(Receive, AnErrorIsNotAnsweredByAnError) {
  Stage s;
  s.agent("a1", 1);
  s.say("a1", ErrorMessage{{ErrorCode::invalid, "what was that?"}, 1});
  s.say_first("stranger", ErrorMessage{{ErrorCode::invalid, "who is there?"}, 1});
  EXPECT_EQ(s.error("a1"), std::nullopt);
  EXPECT_EQ(s.error("stranger"), std::nullopt);
}

TEST(Receive, APeerWithoutASessionIsToldSo) {
  Stage s;
  s.say_first("stranger", Revive{});
  EXPECT_EQ(s.error("stranger"), ErrorCode::unknown_session);
}

}  // namespace
}  // namespace proffer
