// Which addresses only this machine reaches, and what daemons make of the others.
#include "proffer/live/reach.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace proffer::live::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Reach, LoopbackIsOnlyFromHere) {
  for (const auto* endpoint : {"tcp://127.0.0.1:5150", "tcp://127.9.8.7:0", "tcp://localhost:5150",
                               "tcp://[::1]:5150", "tcp://lo:5150", "ipc:///tmp/socket"}) {
    EXPECT_TRUE(only_from_here(endpoint)) << endpoint;
  }
}

TEST(Reach, WildcardsOtherAddressesAndNamesAreNotOnlyFromHere) {
  for (const auto* endpoint :
       {"tcp://*:5150", "tcp://0.0.0.0:0", "tcp://[::]:5150", "tcp://192.0.2.1:5150", "tcp://128.0.0.1:5150",
        "tcp://[2001:db8::1]:5150", "tcp://head.example:5150", "tcp://eth0:5150", "tcp://127.example:1"}) {
    EXPECT_FALSE(only_from_here(endpoint)) << endpoint;
  }
}

TEST(Reach, EitherAddressOfAnAllocatorIsLookedAt) {
  AllocatorSettings settings;
  EXPECT_TRUE(reach_of(settings).allowed.ok());
  EXPECT_EQ(reach_of(settings).warning, "");
  settings.agents_endpoint = "tcp://*:5151";
  const auto refused = reach_of(settings).allowed;
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("tcp://*:5151"), HasSubstr("--insecure")));
  settings.insecure = true;
  EXPECT_TRUE(reach_of(settings).allowed.ok());
  EXPECT_THAT(reach_of(settings).warning, HasSubstr("can run commands as the user of its agents"));
}

AgentSettings agent(const std::string& allocator, const std::string& data, const std::string& told = {}) {
  AgentSettings settings;
  settings.allocator = allocator;
  settings.data_endpoint = data;
  settings.advertise = told;
  return settings;
}

TEST(DataAddress, OfAnAgentBesideItsAllocatorMayBeAny) {
  EXPECT_TRUE(check_data_address(AgentSettings()).ok());
  EXPECT_TRUE(check_data_address(agent("tcp://127.0.0.1:5151", "tcp://0.0.0.0:0")).ok());
}

TEST(DataAddress, ThatLeadsNowhereIsRefusedWithTheCure) {
  const auto loopback = check_data_address(agent("tcp://head:5151", "tcp://127.0.0.1:0"));
  ASSERT_FALSE(loopback.ok());
  EXPECT_EQ(loopback.error().code, ErrorCode::invalid);
  EXPECT_THAT(loopback.error().message, HasSubstr("give --data-endpoint tcp://ADDRESS-OF-THIS-HOST:PORT"));
  const auto wildcard = check_data_address(agent("tcp://head:5151", "tcp://*:5160"));
  ASSERT_FALSE(wildcard.ok());
  EXPECT_THAT(wildcard.error().message, HasSubstr("--advertise tcp://ADDRESS-OF-THIS-HOST:5160"));
  EXPECT_FALSE(check_data_address(agent("tcp://head:5151", "tcp://*:5160", "tcp://0.0.0.0:5160")).ok());
}

TEST(DataAddress, ThatOthersCanUseIsTaken) {
  EXPECT_TRUE(check_data_address(agent("tcp://head:5151", "tcp://192.0.2.7:5160")).ok());
  EXPECT_TRUE(check_data_address(agent("tcp://head:5151", "tcp://*:5160", "tcp://node1:5160")).ok());
  EXPECT_TRUE(check_data_address(agent("tcp://head:5151", "tcp://127.0.0.1:5160", "tcp://node1:7000")).ok());
}

}  // namespace
}  // namespace proffer::live::test
