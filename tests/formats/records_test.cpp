// Records as bytes: checked-in vectors, which stores on disk are read by for as long as their version holds.
//
// After a change of the format: PROFFER_WRITE_VECTORS=1 bin/test_formats --gtest_filter='Records.*'
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "proffer/formats/codec.hpp"
#include "proffer/limits.hpp"
#include "tests/formats/record_samples.hpp"
#include "tests/formats/tree.hpp"

namespace proffer::formats {
namespace {

std::string encoded_record(const Kept& record) {
  std::string out;
  encode_record(record, out);
  return out;
}

std::vector<TestVector> vectors_on_disk() {
  const auto path = std::string(PROFFER_SOURCE_DIR) + "/tests/formats/vectors/records.json";
  if (std::getenv("PROFFER_WRITE_VECTORS") != nullptr) {
    std::vector<TestVector> ours;
    for (const auto& [name, record] : record_samples())
      ours.push_back({name, to_json(record), encoded_record(record)});
    std::ofstream(path) << print_vectors(ours);
  }
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  return parse_vectors(std::string(std::istreambuf_iterator<char>(in), {}));
}

TEST(Records, AreReadAndWrittenAsTheVectorsSay) {
  const auto vectors = vectors_on_disk();
  ASSERT_EQ(vectors.size(), record_samples().size());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const auto& [name, json, bytes] = vectors[i];
    EXPECT_EQ(name, record_samples()[i].name);
    const auto decoded = decode_record(bytes);
    ASSERT_TRUE(decoded) << name << ": " << decoded.error().message;
    EXPECT_EQ(to_json(*decoded), json) << name;
    EXPECT_EQ(to_json(record_samples()[i].record), json) << name;
    EXPECT_EQ(to_hex_text(encoded_record(record_from_json(json))), to_hex_text(bytes)) << name;
    EXPECT_EQ(elements_of(bytes), expected_elements(*decoded)) << "as another library reads " << name;
  }
}

TEST(Records, OfAllKindsAreAmongTheSamplesAndEachKindHasAWordOfItsOwn) {
  std::set<std::size_t> kinds;
  std::set<std::string_view> words;
  for (const auto& sample : record_samples()) {
    kinds.insert(sample.record.index());
    words.insert(record_kind(sample.record.index()));
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Kept::variant>);
  EXPECT_EQ(words.size(), std::variant_size_v<Kept::variant>);
}

TEST(Records, AreKnownByTheirKindAndKeyBeforeAndAfter) {
  for (const auto& [name, record] : record_samples()) {
    EXPECT_EQ(key_of(decode_record(encoded_record(record)).value()), key_of(record)) << name;
  }
}

TEST(Records, ThatAreCutShortAnywhereAreRefused) {
  for (const auto& [name, record] : record_samples()) {
    const auto whole = encoded_record(record);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_FALSE(decode_record(whole.substr(0, size)).ok()) << name << " of " << size << " bytes";
    }
  }
}

TEST(Records, WithAnythingInThePlaceOfAnElementAreReadOrRefusedAndSayWhere) {
  std::size_t refused = 0;
  for (const auto& [name, record] : record_samples()) {
    const auto whole = encoded_record(record);
    for (const auto& place : places_of(whole)) {
      for (int what = 0; what < kPlanted; ++what) {
        const auto read = decode_record(planted(whole, place, static_cast<Planted>(what)));
        if (read) continue;
        ++refused;
        EXPECT_TRUE(read.error().code == ErrorCode::invalid || read.error().message.starts_with("record: "))
            << read.error().message;
      }
    }
  }
  EXPECT_GT(refused, 500u);
}

TEST(Records, WithFieldsThatComeLaterAreReadAndWithoutOneThatIsHereTheyAreNot) {
  for (const auto& [name, record] : record_samples()) {
    const auto whole = encoded_record(record);
    const auto read = decode_record(longer(whole, {}));
    ASSERT_TRUE(read) << name;
    EXPECT_EQ(to_json(*read), to_json(record)) << name;
    EXPECT_FALSE(decode_record(shorter(whole, {})).ok()) << name;
  }
}

TEST(Records, MayBeFarBiggerThanAMessage) {
  const KeptNote note{"job", std::string(8 * limits::kFrameBytes, 'x')};
  const auto read = decode_record(encoded_record(note));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(std::get<KeptNote>(*read), note);
}

}  // namespace
}  // namespace proffer::formats
