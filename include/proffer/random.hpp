// Seeded random numbers, the same on every compiler and machine. Machines get a generator handed in; none
// makes its own.
#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <utility>

#include "proffer/check.hpp"
#include "proffer/ids.hpp"

namespace proffer {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform over all 64-bit values.
  std::uint64_t bits() { return engine_(); }
  /// Uniform in [0, bound). Aborts when bound is 0.
  std::uint64_t below(std::uint64_t bound) {
    PROFFER_CHECK(bound > 0, "below(0) has no value");
    return boost::random::uniform_int_distribution<std::uint64_t>(0, bound - 1)(engine_);
  }
  /// 128 bits, never nil.
  Bits128 bits128() { return {bits() | 1, bits()}; }
  /// A session id, never zero.
  SessionId session() { return {bits() | 1}; }

  template <class Sequence>
  void shuffle(Sequence& sequence) {
    for (auto n = sequence.size(); n > 1; --n) std::swap(sequence[n - 1], sequence[below(n)]);
  }
  boost::random::mt19937_64& engine() { return engine_; }

 private:
  boost::random::mt19937_64 engine_;
};

}  // namespace proffer
