// The encoder cannot write what the decoder refuses: every sample, with each text and each list of quantities
// replaced by anything that the program can put there.
#include <gmock/gmock.h>

#include "formats/fields/messages.hpp"
#include "formats/fields/traits.hpp"
#include "proffer/formats/codec.hpp"
#include "proffer/random.hpp"
#include "tests/formats/samples.hpp"

namespace proffer::formats {
namespace {

/// Replaces what is below a value; leaves alone what has a syntax of its own (names, pools, ids, numbers).
class Scrambler {
 public:
  explicit Scrambler(std::uint64_t seed) : random_(seed) {}

  template <class Rule, class T>
  void scramble(T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      if constexpr (std::is_same_v<Rule, Text> || std::is_same_v<Rule, Short>)
        value = any_bytes(2 * Short::most);
    } else if constexpr (HasLayout<T>) {
      for_each_field<T>([&](const auto& field) {
        scramble<typename std::decay_t<decltype(field)>::rule>(value.*field.member);
      });
    } else {
      below(value, Rule{});
    }
  }

 private:
  template <class T, class Rule>
  void below(T&, Rule) {}
  template <class Rule>
  void below(Quantities& quantities, Rule) {
    quantities.clear();
    for (auto left = random_.below(1 + limits::kKinds); left > 0; --left) {
      quantities[Kind("k" + std::to_string(random_.below(1000)))] =
          static_cast<std::int64_t>(random_.below(3));
    }
  }
  template <class T, class Rule>
  void below(std::vector<T>& list, Rule) {
    for (auto& item : list) scramble<item_rule<Rule>>(item);
  }
  template <class T, class Rule>
  void below(std::optional<T>& value, Rule) {
    if (value) scramble<Rule>(*value);
  }
  template <class T, class Rule>
  void below(std::shared_ptr<const T>& value, Rule) {
    if (!value) return;
    auto other = std::make_shared<T>(*value);
    scramble<Rule>(*other);
    value = std::move(other);
  }
  template <class... Ts, class Rule>
  void below(std::variant<Ts...>& value, Rule) {
    std::visit([&](auto& held) { scramble<Plain>(held); }, value);
  }

  std::string any_bytes(std::size_t most) {
    std::string bytes(random_.below(1 + most), 0);
    for (auto& byte : bytes) byte = static_cast<char>(random_.below(256));
    return bytes;
  }

  Random random_;
};

TEST(CodecProperty, WhateverTextsAndQuantitiesAMessageHoldsItIsRead) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Scrambler scrambler(seed);
    for (auto [name, envelope, conversation] : samples()) {
      std::visit([&](auto& message) { scrambler.scramble<Plain>(message); },
                 static_cast<Message::variant&>(envelope.message));
      std::string bytes;
      encode(envelope, bytes);
      const auto back = decode(bytes);
      ASSERT_TRUE(back) << name << ", seed " << seed << ": " << back.error().message;
      std::string again;
      encode(*back, again);
      EXPECT_EQ(again, bytes) << name << ", seed " << seed;
    }
  }
}

TEST(CodecProperty, TextsOfWholeCharactersStayAsTheyAre) {
  auto envelope = sample("SUBSCRIBE");
  std::get<Subscribe>(envelope.message).user = "zo\xc3\xab";
  std::string bytes;
  encode(envelope, bytes);
  EXPECT_EQ(decode(bytes).value(), envelope);
}

TEST(CodecProperty, BytesThatAreNoTextBecomeReplacementCharacters) {
  auto envelope = sample("SUBSCRIBE");
  std::get<Subscribe>(envelope.message).user = "m\xfcller";
  std::string bytes;
  encode(envelope, bytes);
  EXPECT_EQ(std::get<Subscribe>(decode(bytes).value().message).user, "m\xef\xbf\xbdller");
}

}  // namespace
}  // namespace proffer::formats
