// Floods: what a client sends beyond its rate is thrown away unread, and only that.
#include "live/host/inbound.hpp"

#include <gmock/gmock.h>

#include "tests/live_host/fake_world.hpp"

namespace proffer::live::test {
namespace {

using Verdict = Inbound::Verdict;

constexpr PeerId kOne{1};
constexpr PeerId kOther{2};
constexpr Duration kSecond = std::chrono::seconds(1);
constexpr limits::Rate kRate{100, 200};

struct InboundTest : testing::Test {
  Inbound inbound;
  Time now = time_from_us(50'000'000);

  /// Judges so many messages of one moment, and counts those of that verdict.
  int judge(int messages, Verdict wanted, PeerId client = kOne) {
    int count = 0;
    for (int i = 0; i < messages; ++i) count += inbound.judge(client, kRate, now) == wanted ? 1 : 0;
    return count;
  }
  /// A flood of so many messages in each of some seconds.
  void flood(int times, int messages) {
    for (int i = 0; i < times; ++i, now += kSecond) judge(messages, Verdict::take);
  }
};

TEST_F(InboundTest, ABurstIsTakenAndThenItsRate) {
  EXPECT_EQ(judge(300, Verdict::take), 200);
  now += kSecond / 2;
  EXPECT_EQ(judge(300, Verdict::take), 50);
}

TEST_F(InboundTest, OneIsToldAboutItOnceASecond) {
  judge(200, Verdict::take);
  EXPECT_EQ(judge(100, Verdict::refuse), 1);
  now += kSecond;
  judge(100, Verdict::take);
  EXPECT_EQ(judge(100, Verdict::refuse), 1);
}

TEST_F(InboundTest, AFloodIsItsSendersAlone) {
  judge(1000, Verdict::take);
  EXPECT_EQ(judge(200, Verdict::take, kOther), 200);
}

TEST_F(InboundTest, ARateOfNoneIsNoBound) {
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(inbound.judge(kOne, {}, now), Verdict::take);
}

TEST_F(InboundTest, TenSecondsOfFourTimesTheRateAreAMinuteOfSilence) {
  flood(10, 400);
  EXPECT_EQ(judge(1, Verdict::drop), 1);
  now += 59 * kSecond;
  EXPECT_EQ(judge(1, Verdict::drop), 1);
  now += 2 * kSecond;
  EXPECT_EQ(judge(1, Verdict::take), 1);
}

TEST_F(InboundTest, AFloodThatPausesIsNotMuted) {
  flood(9, 400);
  flood(1, 10);
  flood(9, 400);
  now += kSecond;
  EXPECT_EQ(judge(1, Verdict::take), 1);
}

TEST_F(InboundTest, FastButNotFourTimesIsNotMuted) {
  flood(30, 399);
  now += 3 * kSecond;
  EXPECT_EQ(judge(1, Verdict::take), 1);
}

/// With a client that floods beside one that asks once, over real connections.
struct Flood : testing::Test, FakeWorld {};

TEST_F(Flood, TheRestIsNotEvenReadAndIsAnsweredBySlowDown) {
  auto port = BoundPort::bind(context, "tcp://127.0.0.1:0").value();
  const auto endpoint = port->endpoint();
  host.serve(std::move(port), {10, 20});
  auto client = this->client(endpoint);
  for (int i = 0; i < 100; ++i) client->send({}, "no message at all, which reading it would tell");
  std::optional<PortFrame> answer;
  std::vector<std::string> said;
  ASSERT_TRUE(turn_until([&] {
    client->flush();
    while ((answer = client->receive())) {
      const auto envelope = decode(answer->bytes);
      if (!envelope.ok()) continue;
      const auto* error = std::get_if<ErrorMessage>(&envelope->message);
      if (error != nullptr && error->error.code == ErrorCode::slow_down) said.push_back(error->error.message);
    }
    return host.counters().refused >= 70 && !said.empty();
  }));
  EXPECT_LE(host.counters().undecodable, 30u);
  EXPECT_THAT(said.front(), testing::HasSubstr("more than 10 messages a second"));
}

TEST_F(Flood, AnotherClientIsHeardInTheMiddleOfIt) {
  const auto endpoint = serve();
  auto flooder = this->client(endpoint);
  auto other = this->client(endpoint);
  const auto from = [&](std::uint64_t request) {
    for (const auto& got : machine.all<MessageReceived>()) {
      const auto* describe = std::get_if<Describe>(&got.envelope.message);
      if (describe != nullptr && describe->request == request) return true;
    }
    return false;
  };
  const auto heard = [&](ConnectedPort& client, std::uint64_t request) {
    client.send({}, frame_of(Describe{request}));
    return turn_until([&] {
      client.flush();
      return from(request);
    });
  };
  ASSERT_TRUE(heard(*flooder, 1));
  ASSERT_TRUE(heard(*other, 2));
  std::size_t sent = 0;
  while (flooder->send({}, frame_of(Describe{3})) == Sent::yes) ++sent;
  machine.seen.clear();
  ASSERT_TRUE(heard(*other, 4));
  EXPECT_LT(machine.seen.size(), sent) << "not behind all of the flood";
}

}  // namespace
}  // namespace proffer::live::test
