// Messages there and back, and what the frame itself must be.
#include "proffer/formats/codec.hpp"

#include <gmock/gmock.h>

#include <set>

#include "proffer/limits.hpp"
#include "tests/formats/samples.hpp"

namespace proffer::formats {
namespace {

using ::testing::HasSubstr;

TEST(Codec, EverySampleComesBackAsItWas) {
  for (const auto& [name, envelope, conversation] : samples()) {
    const auto back = decode(encoded(envelope));
    ASSERT_TRUE(back) << name << ": " << back.error().message;
    EXPECT_EQ(*back, envelope) << name;
  }
}

TEST(Codec, TheSamplesShowEveryMessage) {
  std::set<std::size_t> seen;
  for (const auto& [name, envelope, conversation] : samples()) {
    seen.insert(envelope.message.index());
    EXPECT_TRUE(name.starts_with(type_name(envelope.message))) << name;
  }
  EXPECT_EQ(seen.size(), std::variant_size_v<Message::variant>);
}

TEST(Codec, EncodeReplacesWhatWasInTheBuffer) {
  std::string out = "old";
  encode(sample("TEARDOWN"), out);
  EXPECT_EQ(out, encoded(sample("TEARDOWN")));
}

TEST(Codec, WorkAndResultsComeBackOnTheirOwn) {
  for (const auto& task : std::get<Accept>(sample("ACCEPT").message).tasks) {
    std::string bytes;
    encode_work(*task.work, bytes);
    EXPECT_EQ(decode_work(bytes).value(), *task.work);
  }
  for (const auto* name : {"UPDATE", "UPDATE of a reduce"}) {
    const auto& result = *std::get<Update>(sample(name).message).status.result;
    std::string bytes;
    encode_result(result, bytes);
    EXPECT_EQ(decode_result(bytes).value(), result);
  }
}

TEST(Codec, BadWorkNamesItsField) {
  std::string bytes;
  encode_work(CommandWork{{"sh"}, {{"A=B", ""}}}, bytes);
  EXPECT_THAT(decode_work(bytes).error().message,
              HasSubstr("work: env[0][0] must be 1-128 bytes without '='"));
  EXPECT_EQ(decode_result("\x91\x05").error().message, "result: has the unknown tag 5");
}

// ---- head-room for what is made of a message ----

/// An ACCEPT of so many bytes: one task, whose arguments fill it.
Envelope accept_of(std::size_t bytes) {
  constexpr std::size_t kArgument = 1 + limits::kTextBytes / 2;
  auto envelope = sample("ACCEPT");
  auto& accept = std::get<Accept>(envelope.message);
  accept.tasks.resize(1);
  CommandWork work;
  const auto fill = [&] { accept.tasks[0].work = std::make_shared<Work>(work); };
  for (fill(); encoded(envelope).size() + 2 * kArgument < bytes; fill())
    work.argv.emplace_back(kArgument, 'x');
  work.argv.emplace_back(300, 'x');
  fill();
  work.argv.back() += std::string(bytes - encoded(envelope).size(), 'x');
  fill();
  return envelope;
}

constexpr std::size_t kMostOfAccept = limits::kFrameBytes - 1024;

TEST(Codec, TheLaunchOfTheLargestAcceptFitsIntoAMessage) {
  const auto bytes = encoded(accept_of(kMostOfAccept));
  EXPECT_EQ(bytes.size(), kMostOfAccept);
  const auto accept = decode(bytes);
  ASSERT_TRUE(accept) << accept.error().message;
  auto envelope = *accept;
  const std::uint64_t most = ~0ull;
  envelope.session = {most};
  envelope.seq = most;
  envelope.message = Launch{{most, most},
                            {Bits128{1, 1}},
                            std::string(limits::kNameBytes, 'n'),
                            std::get<Accept>(accept->message).tasks[0]};
  EXPECT_LE(encoded(envelope).size(), limits::kFrameBytes);
}

TEST(Codec, ALargerAcceptIsRefused) {
  auto bytes = encoded(accept_of(kMostOfAccept));
  ASSERT_EQ(bytes.front(), '\x97');
  bytes.front() = '\x98';  // with one element that no reader of today looks at
  bytes += '\xc0';
  const auto refused = decode(bytes);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::body);
  EXPECT_THAT(refused.error().message, HasSubstr("at most 1047552 bytes"));
}

TEST(Codec, AResultThatFitsIntoNoStatusIsRefused) {
  MapResult result;
  result.counters.assign(8000, {std::string(110, 'g'), "n", 1});
  std::string bytes;
  encode_result(result, bytes);
  EXPECT_THAT(decode_result(bytes).error().message, HasSubstr("result: has more than"));
}

}  // namespace
}  // namespace proffer::formats
