#include "proffer/message.hpp"

#include <gtest/gtest.h>

namespace proffer {
namespace {

TEST(RequestOf, ARequestAndItsAnswerHaveItsNumber) {
  EXPECT_EQ(request_of(ListFiles{7, "/", false}), 7u);
  EXPECT_EQ(request_of(CatalogDone{7, {}}), 7u);
  EXPECT_EQ(request_of(Describe{}), 0u);
}

TEST(RequestOf, AMessageThatIsNoRequestHasNone) {
  EXPECT_EQ(request_of(Heartbeat{}), std::nullopt);
  EXPECT_EQ(request_of(BlocksUsed{}), std::nullopt);
}

TEST(SetRequest, GivesARequestItsNumber) {
  Message message = MoveJob{};
  set_request(message, 9);
  EXPECT_EQ(request_of(message), 9u);
}

TEST(SetRequestDeathTest, AMessageWithoutANumberAborts) {
  Message message = Heartbeat{};
  EXPECT_DEATH(set_request(message, 9), "no request number");
}

}  // namespace
}  // namespace proffer
