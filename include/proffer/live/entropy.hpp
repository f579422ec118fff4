// The world's own randomness: what seeds the generators that machines are handed.
#pragma once

#include <cstdint>
#include <string>

#include "proffer/random.hpp"
#include "proffer/secret_source.hpp"

namespace proffer::live {

/// Returns 64 bits from the kernel.
std::uint64_t entropy();
Random seeded_random();
/// Returns a source of the kernel's bits, each time anew: nobody computes them from what was seen before.
SecretSource secret_source();
/// Returns 256 bits as hexadecimal digits: a secret that is shown but never guessed.
std::string random_token();

}  // namespace proffer::live
