// Fetching a range in pieces, and which replica is asked first.
#include "live/store/range_fetch.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "proffer/limits.hpp"
#include "proffer/live/store_client.hpp"
#include "proffer/random.hpp"

namespace proffer::live {
namespace {

using testing::ElementsAre;

/// A server of `text` that sends at most `most` bytes at once, and answers in a random order.
std::string fetch_all(const std::string& text, std::uint64_t offset, std::uint64_t length, std::size_t most,
                      Random& random) {
  RangeFetch range(offset, length);
  std::vector<std::pair<std::uint64_t, RangeFetch::Piece>> open;
  std::uint64_t requests = 0;
  std::string got;
  while (!range.done()) {
    while (const auto piece = range.next_piece()) {
      range.asked(++requests, *piece);
      open.emplace_back(requests, *piece);
    }
    EXPECT_LE(open.size(), 4u);
    if (open.empty()) {
      ADD_FAILURE() << "nothing is open, and yet it is not done";
      return got;
    }
    random.shuffle(open);
    const auto [request, piece] = open.back();
    open.pop_back();
    auto bytes = text.substr(piece.offset, std::min<std::size_t>(piece.length, most));
    EXPECT_TRUE(range.take({request, std::move(bytes), text.size()}).ok());
    while (const auto next = range.next_bytes()) got += *next;
  }
  return got;
}

TEST(RangeFetch, AnyRangeArrivesInOrderHoweverItIsCutAndShuffled) {
  std::string text(3'000'000, ' ');
  Random random(3);
  for (auto& c : text) c = static_cast<char>(random.bits());
  for (const std::size_t most : {limits::kChunkBytes, std::size_t{32} << 10, std::size_t{5000}}) {
    EXPECT_EQ(fetch_all(text, 0, text.size(), most, random), text);
    EXPECT_EQ(fetch_all(text, 12345, 1'000'001, most, random), text.substr(12345, 1'000'001));
  }
  EXPECT_EQ(fetch_all(text, 5, 0, 100, random), "");
}

TEST(RangeFetch, PiecesShrinkToWhatTheServerGives) {
  RangeFetch range(0, 1 << 20);
  const auto first = range.next_piece();
  ASSERT_EQ(first->length, limits::kChunkBytes);
  range.asked(1, *first);
  ASSERT_TRUE(range.take({1, std::string(32 << 10, 'x'), 1 << 20}).ok());
  const auto rest = range.next_piece();
  EXPECT_EQ(rest->offset, 32u << 10);
  EXPECT_EQ(rest->length, 32u << 10);
}

TEST(RangeFetch, RangePastTheEndIsInvalid) {
  RangeFetch range(0, 100);
  range.asked(1, *range.next_piece());
  EXPECT_EQ(range.take({1, std::string(60, 'x'), 60}).error().code, ErrorCode::invalid);
}

TEST(RangeFetch, ServersThatSendTooMuchOrNothingAreFaulty) {
  RangeFetch much(0, 10);
  much.asked(1, *much.next_piece());
  EXPECT_EQ(much.take({1, std::string(11, 'x'), 60}).error().code, ErrorCode::corrupt);
  RangeFetch none(0, 10);
  none.asked(1, *none.next_piece());
  EXPECT_EQ(none.take({1, "", 60}).error().code, ErrorCode::corrupt);
}

TEST(ReplicaChoice, OwnNodeThenOwnRackThenOthersRotated) {
  const auto replica = [](std::uint64_t n, const char* rack) {
    return Replica{AgentId{Bits128{n, n}}, "ep" + std::to_string(n), rack};
  };
  const std::vector<Replica> replicas{replica(1, "a"), replica(2, "b"), replica(3, "b"), replica(4, "c")};
  const auto order = [&](ReplicaChoice choice) {
    std::vector<std::uint64_t> numbers;
    for (const auto& one : in_order(replicas, choice)) numbers.push_back(one.agent.value.lo);
    return numbers;
  };
  EXPECT_THAT(order({}), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(order({{}, {}, 6}), ElementsAre(3, 4, 1, 2));
  EXPECT_THAT(order({AgentId{Bits128{3, 3}}, "b", 0}), ElementsAre(3, 2, 1, 4));
  EXPECT_THAT(order({{}, "b", 3}), ElementsAre(2, 3, 4, 1));
  EXPECT_THAT(in_order({}, {{}, {}, 5}), testing::IsEmpty());
}

}  // namespace
}  // namespace proffer::live
