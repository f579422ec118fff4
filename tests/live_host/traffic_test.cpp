#include "live/host/traffic.hpp"

#include <gtest/gtest.h>

namespace proffer::live::test {
namespace {

TEST(TrafficOfMessages, OnlyWhatIsSaidAgainOrMayBeLostIsEverRefused) {
  EXPECT_EQ(traffic_of(Update{}), Traffic::update);
  EXPECT_EQ(traffic_of(Launch{}), Traffic::update);
  EXPECT_EQ(traffic_of(Offers{}), Traffic::update);
  EXPECT_EQ(traffic_of(TaskMessage{}), Traffic::loose);
  EXPECT_EQ(traffic_of(Heartbeat{}), Traffic::sign);
  for (const Message& message : {Message(Subscribed{}), Message(Registered{}), Message(Accepted{}),
                                 Message(Rescind{}), Message(Kill{}), Message(ErrorMessage{}), Message(Bye{}),
                                 Message(Acknowledge{}), Message(ClusterState{})}) {
    EXPECT_EQ(traffic_of(message), Traffic::control) << type_name(message);
  }
}

}  // namespace
}  // namespace proffer::live::test
