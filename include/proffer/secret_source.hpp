// Where a machine's secrets come from. Not from its seeded generator: whoever has seen some hundred ids of
// such a generator (a Mersenne twister) can compute all that follow, and ids are shown to whoever asks.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "proffer/random.hpp"

namespace proffer {

class SecretSource {
 public:
  /// 64 bits a call that nobody can guess: the live world's come from the kernel.
  explicit SecretSource(std::function<std::uint64_t()> bits) : bits_(std::move(bits)) {}
  /// For worlds that are to be repeated exactly, and keep no secrets from anybody.
  explicit SecretSource(Random random) : bits_([random]() mutable { return random.bits(); }) {}

  /// Never nil.
  Secret secret() {
    const auto hi = bits_() | 1;
    return {{hi, bits_()}};
  }
  /// Never zero.
  SessionId session() { return {bits_() | 1}; }

 private:
  std::function<std::uint64_t()> bits_;
};

}  // namespace proffer
