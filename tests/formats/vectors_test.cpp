// The checked-in test vectors: JSON beside bytes, for whoever writes proffer's protocol in another language.
//
// After a change of the protocol: PROFFER_WRITE_VECTORS=1 bin/test_formats --gtest_filter='*Vectors.*'
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "proffer/formats/codec.hpp"
#include "tests/formats/samples.hpp"
#include "tests/formats/tree.hpp"

namespace proffer::formats {
namespace {

std::string path_of(std::string_view conversation) {
  return std::string(PROFFER_SOURCE_DIR) + "/tests/formats/vectors/" + std::string(conversation) + ".json";
}

/// By conversation, as messages/*.hpp groups them.
std::map<std::string_view, std::vector<TestVector>> vectors_of_samples() {
  std::map<std::string_view, std::vector<TestVector>> all;
  for (const auto& [name, envelope, conversation] : samples()) {
    all[conversation].push_back({name, to_json(envelope), encoded(envelope)});
  }
  return all;
}

class Vectors : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto ours = vectors_of_samples().at(GetParam());
    if (std::getenv("PROFFER_WRITE_VECTORS") != nullptr)
      std::ofstream(path_of(GetParam())) << print_vectors(ours);
    std::ifstream in(path_of(GetParam()));
    ASSERT_TRUE(in) << path_of(GetParam());
    vectors_ = parse_vectors(std::string(std::istreambuf_iterator<char>(in), {}));
  }
  std::vector<TestVector> vectors_;
};

TEST_P(Vectors, JsonBecomesExactlyTheBytes) {
  for (const auto& vector : vectors_) {
    EXPECT_EQ(to_hex_text(encoded(from_json(vector.message))), to_hex_text(vector.bytes)) << vector.name;
  }
}

TEST_P(Vectors, BytesBecomeExactlyTheJson) {
  for (const auto& vector : vectors_) {
    const auto decoded = decode(vector.bytes);
    ASSERT_TRUE(decoded) << vector.name << ": " << decoded.error().message;
    EXPECT_EQ(to_json(*decoded), vector.message) << vector.name;
  }
}

TEST_P(Vectors, AnotherLibraryReadsTheSameElements) {
  for (const auto& vector : vectors_) {
    EXPECT_EQ(elements_of(vector.bytes), expected_elements(from_json(vector.message))) << vector.name;
  }
}

TEST_P(Vectors, TheFileHasEverySample) {
  const auto ours = vectors_of_samples().at(GetParam());
  ASSERT_EQ(vectors_.size(), ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(vectors_[i].name, ours[i].name);
    EXPECT_EQ(vectors_[i].message, ours[i].message);
  }
}

INSTANTIATE_TEST_SUITE_P(Conversations, Vectors,
                         ::testing::Values("framework", "agent", "catalog", "data", "people"),
                         [](const auto& tested) { return std::string(tested.param); });

// Written down by hand, so that not everything is compared with something of ours.
TEST(VectorsByHand, AHeartbeatIsTheseBytes) {
  const Envelope beat{ClusterId{{0, 1}}, Epoch{2}, SessionId{0x8000000000000003}, 4, Heartbeat{5, {}}};
  EXPECT_EQ(to_hex_text(encoded(beat)),
            "97"                                    // an array of 7:
            "01"                                    // v
            "10"                                    // type 16
            "c41000000000000000000000000000000001"  // cluster, bin of 16 bytes
            "02"                                    // epoch
            "cf8000000000000003"                    // session, u64
            "04"                                    // seq
            "96"                                    // body, an array of 6:
            "05"                                    // beat
            "c0"                                    // demand, nil
            "c0"                                    // tasks, nil
            "00"                                    // revives
            "90"                                    // suppressed, none
            "c2");                                  // all_suppressed, false
}

TEST(VectorsByHand, AFirstMessageHasAnEmptyClusterAndZeros) {
  const Envelope first{{}, {}, {}, 0, Describe{1}};
  EXPECT_EQ(to_hex_text(encoded(first)), "970178c400000000920100");
}

}  // namespace
}  // namespace proffer::formats
