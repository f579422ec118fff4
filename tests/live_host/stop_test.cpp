// The orderly end of a machine in its daemon.
#include <gmock/gmock.h>

#include "live/host/daemon.hpp"
#include "tests/live_host/fake_world.hpp"

namespace proffer::live::test {
namespace {

struct StopTest : testing::Test, FakeWorld {
  Stop stop;

  /// A client that the machine knows by now.
  std::unique_ptr<ConnectedPort> known_client() {
    auto known = client(serve());
    known->send({}, frame_of(Describe{1}));
    EXPECT_TRUE(turn_until([&] {
      known->flush();
      return !machine.all<MessageReceived>().empty();
    }));
    return known;
  }
};

TEST_F(StopTest, TheMachineIsToldAndWhatItSaysAndKeepsIsCarriedOut) {
  const auto client = known_client();
  machine.react = [&](const Event& event, Actions& actions, Time) {
    if (!std::holds_alternative<Stopping>(event)) return;
    actions.push_back(KeepRecord{KeptBoot{"b"}});
    actions.push_back(Send{machine.all<MessageReceived>().at(0).peer, bare_envelope(Bye{"stopped"})});
  };
  stop.request();
  EXPECT_TRUE(serve_until(stop, loop, host, {{true}}).ok());
  ASSERT_EQ(machine.all<Stopping>().size(), 1u);
  EXPECT_TRUE(machine.all<Stopping>().at(0).kill_tasks);
  EXPECT_THAT(effects.done, testing::ElementsAre("keep", "commit"));
  std::optional<PortFrame> frame;
  const auto until = steady_now() + std::chrono::seconds(20);
  while (!frame && steady_now() < until) frame = client->receive();
  ASSERT_TRUE(frame);
  EXPECT_EQ(std::get<Bye>(decode(frame->bytes).value().message).why, "stopped");
}

TEST_F(StopTest, TheMachineHasTimeForWhatItWantsToDoFirst) {
  int looks = 0;
  machine.deadline = Time::max();
  machine.react = [&](const Event& event, Actions&, Time now) {
    if (std::holds_alternative<Stopping>(event)) machine.deadline = now + std::chrono::milliseconds(30);
    if (std::holds_alternative<TimePassed>(event)) machine.deadline = now + std::chrono::milliseconds(30);
    if (std::holds_alternative<TimePassed>(event)) ++looks;
  };
  stop.request();
  EXPECT_TRUE(serve_until(stop, loop, host, {{}, [&] { return looks >= 3; }}).ok());
  EXPECT_EQ(looks, 3);
}

TEST_F(StopTest, AnErrorOfTheEndIsTheDaemons) {
  machine.react = [&](const Event& event, Actions& actions, Time) {
    if (std::holds_alternative<Stopping>(event)) actions.push_back(KeepRecord{KeptBoot{"b"}});
  };
  effects.commit_result = Error{ErrorCode::io, "the disk fails"};
  stop.request();
  EXPECT_EQ(serve_until(stop, loop, host).error().message, "the disk fails");
}

TEST_F(StopTest, AMachineWhoseDiskFailedIsToldNothingMore) {
  machine.deadline = Time{};
  machine.react = [&](const Event&, Actions& actions, Time) { actions.push_back(KeepRecord{KeptBoot{"b"}}); };
  effects.commit_result = Error{ErrorCode::io, "the disk fails"};
  EXPECT_EQ(serve_until(stop, loop, host).error().message, "the disk fails");
  EXPECT_TRUE(machine.all<Stopping>().empty());
}

}  // namespace
}  // namespace proffer::live::test
