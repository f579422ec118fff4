// FNV-1a: a hash of bytes that is the same on every machine and in every run. It withstands no adversary.
#pragma once

#include <cstdint>
#include <string_view>

namespace proffer {

/// The hash of no bytes.
inline constexpr std::uint64_t kFnvBasis = 0xcbf29ce484222325ull;

/// Returns the hash of what `hash` is of, and one more byte (or, for a quicker mix, a whole word).
constexpr std::uint64_t fnv1a(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x100000001b3ull;
}
/// Returns the hash of what `hash` is of, and these bytes.
constexpr std::uint64_t fnv1a(std::uint64_t hash, std::string_view bytes) {
  for (const char byte : bytes) hash = fnv1a(hash, std::uint64_t{static_cast<unsigned char>(byte)});
  return hash;
}

}  // namespace proffer
