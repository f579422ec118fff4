// Messages there and back, and what the frame itself must be.
#include "proffer/formats/codec.hpp"

#include <gmock/gmock.h>

#include <set>

#include "tests/formats/samples.hpp"

namespace proffer::formats {
namespace {

using ::testing::HasSubstr;

std::string encoded(const Envelope& envelope) {
  std::string out;
  encode(envelope, out);
  return out;
}

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
  EXPECT_EQ(seen.size(), std::variant_size_v<Message>);
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

}  // namespace
}  // namespace proffer::formats
