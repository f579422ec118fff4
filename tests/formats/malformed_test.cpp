// Bytes that nobody should send: each is refused with one sentence, and nothing else happens.
#include <gmock/gmock.h>

#include "proffer/formats/codec.hpp"
#include "proffer/limits.hpp"
#include "proffer/random.hpp"
#include "tests/formats/packed.hpp"
#include "tests/formats/samples.hpp"
#include "tests/formats/schema.hpp"
#include "tests/formats/tree.hpp"

namespace proffer::formats {
namespace {

using namespace packed;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string bytes_of(const Envelope& envelope) {
  std::string out;
  encode(envelope, out);
  return out;
}

// Types that the cases are made of.
constexpr unsigned kDecline = 6, kSuppress = 9, kKill = 12, kMessage = 13, kRelease = 14, kHeartbeat = 16,
                   kError = 17, kLaunch = 34, kLaunchAck = 35, kFetch = 96, kChunk = 97, kDescribe = 120;

struct BadCase {
  const char* name;
  std::string bytes;
  ErrorCode code;
  std::string says;
};

void PrintTo(const BadCase& bad, std::ostream* out) { *out << bad.name; }

std::string describe(const std::string& request) { return message(kDescribe, array(2) + request + u64(0)); }
std::string kill(const std::string& task) {
  return message(kKill, array(3) + kNoBytes + task + std::string(1, '\0'));
}

std::vector<BadCase> frames() {
  const auto heartbeat = bytes_of(sample("HEARTBEAT"));
  const auto invalid = ErrorCode::invalid;
  return {
      {"NoBytes", "", invalid, "an empty message"},
      {"ReservedByte", "\xc1", invalid, "bytes that are not MessagePack"},
      {"TrailingByte", heartbeat + '\0', invalid, "bytes after the end of the message"},
      {"TwoMessagesGlued", heartbeat + heartbeat, invalid, "bytes after the end of the message"},
      {"ArrayOf4G", "\xdd\xff\xff\xff\xff", invalid, "a list of more than 65536 elements"},
      {"ArrayOf65535Nils", array(65535) + repeated(kNil, 65535), invalid,
       "envelope: v must be a positive integer"},
      {"AMebibyteOfNils", array(1048571) + repeated(kNil, 1048571), invalid,
       "a list of more than 65536 elements"},
      {"LargerThanAFrame", array(2) + bin(std::string(1 << 20, 'x')) + kNil, invalid,
       "more than 1048576 bytes"},
      {"EmptyMap", "\x80", invalid, "a message must be an array"},
      {"MapInsteadOfArray", "\x81\x01\x01", invalid, "a map"},
      {"MapOf4G", "\xdf\xff\xff\xff\xff", invalid, "a map"},
      {"EmptyArray", "\x90", invalid, "a message must be an array"},
      {"JustANumber", "\x07", invalid, "a message must be an array"},
      {"Nested13Deep", repeated("\x91", 12) + "\x90", invalid, "nested more than 12 deep"},
      {"NestedAMillionDeep", repeated("\x91", 1000000), invalid, "nested more than 12 deep"},
      {"StringOf4G", "\x91\xdb\xff\xff\xff\xff", invalid, "the bytes end in the middle"},
      {"BinOf4G", "\x91\xc6\xff\xff\xff\xff", invalid, "the bytes end in the middle"},
      {"ExtensionOf4G", "\x91\xc9\xff\xff\xff\xff\x01", invalid, "the bytes end in the middle"},
      {"Extension", "\x91\xd4\x05\x01", invalid, "an extension"},
      {"Timestamp", std::string("\x91\xd6\xff\0\0\0\0", 7), invalid, "an extension"},
  };
}

std::vector<BadCase> envelopes() {
  const auto head = [](const std::string& v, const std::string& type, const std::string& cluster) {
    return array(7) + v + type + cluster + std::string(3, '\0') + array(1) + "\x01";
  };
  const std::string type = u8(kDescribe);
  return {
      {"Version0", head(std::string(1, '\0'), type, kNoBytes), ErrorCode::version,
       "the message is of protocol version 0, and this is version 1"},
      {"Version255", head(u8(255), type, kNoBytes), ErrorCode::version, "version 255, and this is version 1"},
      {"VersionOfAnotherShape", array(2) + u64(300) + kNil, ErrorCode::version, "version 300"},
      {"VersionAsText", head(str("1"), type, kNoBytes), ErrorCode::invalid, "v must be a positive integer"},
      {"Type0", head("\x01", std::string(1, '\0'), kNoBytes), ErrorCode::type, "unknown message type 0"},
      {"TypeInAGap", head("\x01", "\x1f", kNoBytes), ErrorCode::type, "unknown message type 31"},
      {"Type115", head("\x01", "\x73", kNoBytes), ErrorCode::type, "unknown message type 115"},
      {"Type128", head("\x01", u8(128), kNoBytes), ErrorCode::type, "unknown message type 128"},
      {"TypeMax", head("\x01", u64(~0ull), kNoBytes), ErrorCode::type,
       "unknown message type 18446744073709551615"},
      {"TypeNegative", head("\x01", "\xff", kNoBytes), ErrorCode::invalid,
       "envelope: type must not be negative"},
      {"Cluster15Bytes", head("\x01", type, bin(std::string(15, 'x'))), ErrorCode::invalid,
       "envelope: cluster must be a bin of 16 bytes, or of none"},
      {"Cluster17Bytes", head("\x01", type, bin(std::string(17, 'x'))), ErrorCode::invalid,
       "envelope: cluster must be"},
      {"ClusterAsText", head("\x01", type, str(std::string(16, 'x'))), ErrorCode::invalid,
       "envelope: cluster must be"},
      {"ClusterNil", head("\x01", type, kNil), ErrorCode::invalid, "envelope: cluster must be"},
      {"NoBody", array(6) + "\x01" + type + kNoBytes + std::string(3, '\0'), ErrorCode::invalid,
       "envelope: body is missing"},
      {"NoSeq", array(5) + "\x01" + type + kNoBytes + std::string(2, '\0'), ErrorCode::invalid,
       "envelope: seq is missing"},
      {"BodyNil", message(kDescribe, kNil), ErrorCode::body, "DESCRIBE: must be an array"},
      {"BodyText", message(kDescribe, str("x")), ErrorCode::body, "DESCRIBE: must be an array"},
  };
}

std::vector<BadCase> numbers() {
  const auto body = ErrorCode::body;
  return {
      {"FloatForInteger", describe(f64(0x3ff0000000000000)), body, "DESCRIBE: request must be an integer"},
      {"NaN", describe(f64(0x7ff8000000000000)), body, "DESCRIBE: request must be an integer"},
      {"Infinity", describe(f64(0x7ff0000000000000)), body, "DESCRIBE: request must be an integer"},
      {"Negative", describe("\xff"), body, "DESCRIBE: request must not be negative"},
      {"BoolForInteger", describe(kTrue), body, "DESCRIBE: request must be an integer"},
      {"TextForInteger", describe(str("1")), body, "DESCRIBE: request must be an integer"},
      {"PastU32", message(kRelease, array(2) + kNoBytes + u64(1ull << 32)), body,
       "RELEASE: job must be at most 4294967295"},
      {"LongerThanAChunk",
       message(kFetch,
               array(5) + "\x01" + str("") + array(2) + std::string(1, '\0') + "\x01" + "\x01" + u64(262145)),
       body, "FETCH: length must be at most 262144"},
      {"DurationTooLong", message(kKill, array(3) + kNoBytes + str("t") + u64((1ull << 53) + 1)), body,
       "KILL: grace must be at most 9007199254740992"},
      {"DurationNegative", message(kKill, array(3) + kNoBytes + str("t") + "\xff"), body,
       "KILL: grace must not be negative"},
      {"UnknownErrorCode", message(kError, array(2) + array(2) + u8(200) + str("x") + "\x01"), body,
       "ERROR: error.code has the unknown value 200"},
      {"EpochIdOfOne", message(kLaunchAck, array(1) + array(1) + "\x05"), body,
       "LAUNCH_ACK: launch must be [epoch, n]"},
  };
}

std::vector<BadCase> texts() {
  const auto body = ErrorCode::body;
  const std::string task = "KILL: task must be 1-128 bytes of [A-Za-z0-9._-], and not '.' or '..'";
  return {
      {"TaskIdEmpty", kill(str("")), body, task},
      {"TaskIdDot", kill(str(".")), body, task},
      {"TaskIdDotDot", kill(str("..")), body, task},
      {"TaskIdSlash", kill(str("a/b")), body, task},
      {"TaskIdNul", kill(str(std::string_view("a\0b", 3))), body, task},
      {"TaskId129Bytes", kill(str(std::string(129, 'x'))), body, task},
      {"TaskIdOverlongUtf8", kill(str("\xc0\xaf")), body, task},
      {"TaskIdSurrogate", kill(str("\xed\xa0\x80")), body, task},
      {"TaskIdRightToLeft", kill(str("a\xe2\x80\xae")), body, task},
      {"TaskIdAsBin", kill(bin("t")), body, "KILL: task must be str"},
      {"PayloadAsStr", message(kMessage, array(3) + kNoBytes + str("t") + str("x")), body,
       "MESSAGE: payload must be bin"},
      {"PayloadTooLong", message(kMessage, array(3) + kNoBytes + str("t") + bin(std::string(65537, 'x'))),
       body, "MESSAGE: payload must be at most 65536 bytes"},
      {"ChunkTooLong", message(kChunk, array(3) + "\x01" + bin(std::string(262145, 'x')) + "\x01"), body,
       "CHUNK: bytes must be at most 262144 bytes"},
      {"ErrorTextTooLong",
       message(kError, array(2) + array(2) + "\x01" + str(std::string(65537, 'x')) + "\x01"), body,
       "ERROR: error.message must be at most 65536 bytes of UTF-8"},
      {"ErrorTextNotUtf8", message(kError, array(2) + array(2) + "\x01" + str("\xff") + "\x01"), body,
       "ERROR: error.message must be at most 65536 bytes of UTF-8"},
      {"KindInCapitals", message(kSuppress, array(1) + array(1) + str("MAP")), body,
       "SUPPRESS: kinds[0] must be a kind, 1-15 bytes of [a-z0-9_]"},
      {"KindOf16Bytes", message(kSuppress, array(1) + array(1) + str(std::string(16, 'x'))), body,
       "SUPPRESS: kinds[0] must be"},
      {"KindEmpty", message(kSuppress, array(1) + array(1) + str("")), body, "SUPPRESS: kinds[0] must be"},
  };
}

std::string heartbeat_with(const std::string& demand) {
  return message(kHeartbeat, array(2) + "\x01" + array(1) + demand);
}

std::vector<BadCase> lists() {
  const auto body = ErrorCode::body;
  const auto entry = [](std::string_view kind, const std::string& n) { return array(2) + str(kind) + n; };
  const std::string offer = array(2) + "\x01\x01";
  const std::string rest = "\x05" + kNil + array(1) + array(0);
  return {
      {"OffersPastTheLimit", message(kDecline, array(4) + array(1025) + repeated(offer, 1025) + rest), body,
       "DECLINE: offers must have at most 1024 elements"},
      {"KindsPastTheLimit", message(kSuppress, array(1) + array(65) + repeated(str("map"), 65)), body,
       "SUPPRESS: kinds must have at most 64 elements"},
      {"ArgumentsPastTheLimit",
       message(kLaunch, array(4) + offer + kNoBytes + str("mr") + array(4) + str("t") + array(0) + "\x01" +
                            array(3) + std::string(1, '\0') + array(1025) + repeated(str("x"), 1025) +
                            array(0)),
       body, "LAUNCH: task.work.argv must have at most 1024 elements"},
      {"ListIsNoArray", message(kSuppress, array(1) + str("map")), body, "SUPPRESS: kinds must be an array"},
      {"QuantitiesOutOfOrder", heartbeat_with(array(2) + entry("reduce", "\x01") + entry("map", "\x01")),
       body, "HEARTBEAT: demand.kinds[1] is out of order"},
      {"AKindTwice", heartbeat_with(array(2) + entry("map", "\x01") + entry("map", "\x02")), body,
       "HEARTBEAT: demand.kinds[1] is out of order"},
      {"QuantityNegative", heartbeat_with(array(1) + entry("map", "\xff")), body,
       "HEARTBEAT: demand.kinds[0] must not be negative"},
      {"QuantityPast63Bits", heartbeat_with(array(1) + entry("map", u64(1ull << 63))), body,
       "HEARTBEAT: demand.kinds[0][1] must be at most 9223372036854775807"},
      {"EntryOfOne", heartbeat_with(array(1) + array(1) + str("map")), body,
       "HEARTBEAT: demand.kinds[0] must have two elements"},
  };
}

class Malformed : public ::testing::TestWithParam<BadCase> {};

TEST_P(Malformed, IsRefusedWithOneSentence) {
  const auto decoded = decode(GetParam().bytes);
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, GetParam().code) << decoded.error().message;
  EXPECT_THAT(decoded.error().message, HasSubstr(GetParam().says));
}

const auto kCaseName = [](const ::testing::TestParamInfo<BadCase>& tested) {
  return std::string(tested.param.name);
};
INSTANTIATE_TEST_SUITE_P(Frames, Malformed, ::testing::ValuesIn(frames()), kCaseName);
INSTANTIATE_TEST_SUITE_P(Envelopes, Malformed, ::testing::ValuesIn(envelopes()), kCaseName);
INSTANTIATE_TEST_SUITE_P(Numbers, Malformed, ::testing::ValuesIn(numbers()), kCaseName);
INSTANTIATE_TEST_SUITE_P(Texts, Malformed, ::testing::ValuesIn(texts()), kCaseName);
INSTANTIATE_TEST_SUITE_P(Lists, Malformed, ::testing::ValuesIn(lists()), kCaseName);

// ---- resources and what is bounded within them ----

std::string register_with(const std::string& slots) {
  return message(32, array(10) + kNoBytes + "\x01" + str("a") + str("r") + str("") + slots + array(0) +
                         str("") + kNoBytes + str(""));
}

TEST(MalformedResources, QuantitiesAreAboveZeroAndBounded) {
  const auto of = [](const std::string& n) {
    return decode(register_with(array(1) + array(2) + str("map") + n));
  };
  EXPECT_EQ(of(std::string(1, '\0')).error().message, "REGISTER: slots[0] must have a quantity above 0");
  EXPECT_EQ(of(u64((1ull << 40) + 1)).error().message,
            "REGISTER: slots[0] must have a quantity of at most 2^40");
  EXPECT_TRUE(of(u64(1ull << 40)));
  EXPECT_TRUE(decode(register_with(array(0))));
}

// ---- what is unusual and legal ----

TEST(UnusualButLegal, IntegersThatAreNotMinimal) {
  EXPECT_EQ(std::get<Describe>(decode(describe(u64(5)))->message).request, 5u);
  EXPECT_EQ(std::get<Describe>(decode(describe(i64(5)))->message).request, 5u);
}

TEST(UnusualButLegal, TheLargestIntegers) {
  EXPECT_EQ(std::get<Describe>(decode(describe(u64(~0ull)))->message).request, ~0ull);
  Envelope envelope = sample("HEARTBEAT");
  envelope.epoch = Epoch{~0ull};
  envelope.session = SessionId{~0ull};
  envelope.seq = ~0ull;
  EXPECT_EQ(decode(bytes_of(envelope)).value(), envelope);
}

TEST(UnusualButLegal, ListsAtTheirLimit) {
  const auto full = Decline{std::vector<OfferId>(limits::kOffersPerMessage), DeclineReason::other, {}, {}};
  EXPECT_TRUE(decode(bytes_of({{}, {}, {}, 0, full})));
}

TEST(UnusualButLegal, AnUnknownDeclineReasonMeansOther) {
  const auto decoded = decode(
      message(kDecline, array(4) + array(0) + u8(99) + kNil + array(3) + array(0) + array(0) + array(0)));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(std::get<Decline>(decoded->message).reason, DeclineReason::other);
}

TEST(UnusualButLegal, AnyCharactersInTextForPeople) {
  const std::string text = std::string("\0 \xe2\x80\xae \x1b[31m %n", 14);
  const Envelope envelope{{}, {}, {}, 0, ErrorMessage{{ErrorCode::io, text}, 0}};
  EXPECT_EQ(decode(bytes_of(envelope)).value(), envelope);
}

TEST(UnusualButLegal, FurtherElementsAtTheEndAreIgnored) {
  for (const auto& [name, envelope, conversation] : samples()) {
    const auto bytes = bytes_of(envelope);
    for (const Place& array : {Place{}, Place{6}}) {
      const auto decoded = decode(longer(bytes, array));
      ASSERT_TRUE(decoded) << name << ": " << decoded.error().message;
      EXPECT_EQ(*decoded, envelope) << name;
    }
  }
}

TEST(UnusualButLegal, FurtherElementsWithinStructuresAreIgnored) {
  const auto bytes = bytes_of(sample("OFFERS"));
  for (const Place& place :
       {Place{6, 0, 0}, Place{6, 0, 0, 1}, Place{6, 0, 0, 0}, Place{6, 0, 0, 2, 0}, Place{6, 1, 0}}) {
    EXPECT_EQ(decode(longer(bytes, place)).value(), sample("OFFERS"));
  }
}

// ---- each field in turn ----

const StructWords& words_of(const Envelope& envelope) {
  for (const auto& words : schema().messages) {
    if (words.name == type_name(envelope.message)) return words;
  }
  PROFFER_CHECK(false, "every message is in the schema");
}

TEST(EachField, MissingAtTheEndItIsNamed) {
  for (const auto& [name, envelope, conversation] : samples()) {
    const auto& words = words_of(envelope);
    if (words.fields.empty()) continue;
    const auto decoded = decode(shorter(bytes_of(envelope), {6}));
    ASSERT_FALSE(decoded) << name;
    EXPECT_EQ(decoded.error(),
              (Error{ErrorCode::body, words.name + ": " + words.fields.back().name + " is missing"}));
  }
}

TEST(EachField, NilIsRefusedByNameUnlessItIsAllowed) {
  for (const auto& [name, envelope, conversation] : samples()) {
    const auto& words = words_of(envelope);
    for (std::size_t i = 0; i < words.fields.size(); ++i) {
      const auto decoded = decode(planted(bytes_of(envelope), {6, i}, Planted::nil));
      const bool may_be_nil = words.fields[i].type.ends_with(" or nil");
      ASSERT_EQ(decoded.ok(), may_be_nil) << name << ": " << words.fields[i].name;
      if (may_be_nil) continue;
      EXPECT_THAT(decoded.error().message, StartsWith(words.name + ": " + words.fields[i].name + " must be"));
    }
  }
}

TEST(EachField, AMapIsRefusedAnywhere) {
  for (const auto& [name, envelope, conversation] : samples()) {
    const auto bytes = bytes_of(envelope);
    for (const auto& place : places_of(bytes))
      EXPECT_FALSE(decode(planted(bytes, place, Planted::map))) << name;
  }
}

/// Refused with a sentence, or it is a message like any other.
void expect_sound(std::string_view bytes, std::string_view what) {
  const auto decoded = decode(bytes);
  if (!decoded) {
    EXPECT_FALSE(decoded.error().message.empty()) << what;
    EXPECT_LE(decoded.error().code, ErrorCode::body) << what;
    return;
  }
  const auto again = decode(bytes_of(*decoded));
  ASSERT_TRUE(again) << what << ": " << again.error().message;
  EXPECT_EQ(*again, *decoded) << what;
}

TEST(Hostile, AnythingAnywhereIsRefusedOrSound) {
  for (const auto& [name, envelope, conversation] : samples()) {
    const auto bytes = bytes_of(envelope);
    for (const auto& place : places_of(bytes)) {
      for (int what = 0; what < kPlanted; ++what) {
        expect_sound(planted(bytes, place, static_cast<Planted>(what)), name);
      }
    }
  }
}

TEST(Hostile, ArraysOneShorterOrLongerAreRefusedOrSound) {
  for (const auto& [name, envelope, conversation] : samples()) {
    const auto bytes = bytes_of(envelope);
    for (const auto& place : places_of(bytes)) {
      if (!is_array(bytes, place)) continue;
      expect_sound(longer(bytes, place), name);
      if (size_of(bytes, place) > 0) expect_sound(shorter(bytes, place), name);
    }
  }
}

TEST(Hostile, EveryTruncationIsRefusedAsTruncated) {
  for (const auto& [name, envelope, conversation] : samples()) {
    const auto bytes = bytes_of(envelope);
    for (std::size_t n = 1; n < bytes.size(); ++n) {
      // Exactly as many bytes as there are, so that a sanitizer sees a read past them.
      const std::vector<char> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
      const auto decoded = decode({cut.data(), cut.size()});
      ASSERT_FALSE(decoded) << name << " cut at " << n;
      EXPECT_EQ(decoded.error().message, "the bytes end in the middle of the message")
          << name << " cut at " << n;
    }
  }
}

TEST(Hostile, FlippedBitsAreRefusedOrSound) {
  Random random(20240229);
  for (const auto& [name, envelope, conversation] : samples()) {
    const auto bytes = bytes_of(envelope);
    for (int round = 0; round < 300; ++round) {
      auto flipped = bytes;
      for (auto flips = 1 + random.below(4); flips > 0; --flips) {
        flipped[random.below(flipped.size())] ^= static_cast<char>(1 << random.below(8));
      }
      expect_sound(flipped, name);
    }
  }
}

TEST(Hostile, RandomBytesAreRefusedOrSound) {
  Random random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = array(7) + "\x01";
    for (auto n = random.below(40); n > 0; --n) bytes.push_back(static_cast<char>(random.bits()));
    expect_sound(bytes, "random");
  }
}

TEST(Hostile, WorkAndResultsFromAWorkerAreRefusedOrSound) {
  Random random(6);
  std::string work, result;
  encode_work(*std::get<Launch>(sample("LAUNCH").message).task.work, work);
  encode_result(*std::get<Update>(sample("UPDATE").message).status.result, result);
  for (int round = 0; round < 3000; ++round) {
    auto& bytes = round % 2 == 0 ? work : result;
    auto& byte = bytes[random.below(bytes.size())];
    const auto before = byte;
    byte ^= static_cast<char>(1 << random.below(8));
    std::string again;
    if (const auto decoded = decode_work(bytes); round % 2 == 0 && decoded) encode_work(*decoded, again);
    if (const auto decoded = decode_result(bytes); round % 2 == 1 && decoded) encode_result(*decoded, again);
    EXPECT_LE(again.size(), bytes.size() + 16);
    byte = before;
  }
  EXPECT_TRUE(decode_work(work));
  EXPECT_TRUE(decode_result(result));
}

}  // namespace
}  // namespace proffer::formats
