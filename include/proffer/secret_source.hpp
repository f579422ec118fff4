// The source of a machine's secrets. It is not the machine's seeded generator: whoever has seen some hundred
// ids of such a generator (a Mersenne twister) can compute all that follow, and ids are shown to whoever
// asks.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "proffer/random.hpp"

namespace proffer {

/// A source of secrets and session ids.
class SecretSource {
 public:
  /// Takes secrets from `bits`, each call of which gives 64 bits that nobody can guess: the live world's come
  /// from the kernel.
  explicit SecretSource(std::function<std::uint64_t()> bits) : bits_(std::move(bits)) {}
  /// Takes secrets from a seeded generator, for worlds that must be repeated exactly and keep no secrets from
  /// anybody.
  explicit SecretSource(Random random) : bits_([random]() mutable { return random.bits(); }) {}

  /// A secret, never nil.
  Secret secret() {
    const auto hi = bits_() | 1;
    return {{hi, bits_()}};
  }
  /// A session id, never zero.
  SessionId session() { return {bits_() | 1}; }

 private:
  std::function<std::uint64_t()> bits_;
};

}  // namespace proffer
