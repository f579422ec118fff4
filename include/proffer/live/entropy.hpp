// The world's own randomness: the seed of the generators that machines are handed.
#pragma once

#include <cstdint>
#include <string>

#include "proffer/random.hpp"
#include "proffer/secret_source.hpp"

namespace proffer::live {

/// Returns 64 bits from the kernel.
std::uint64_t entropy();
Random seeded_random();
/// A source of the kernel's bits, fresh at each call: nobody can compute them from earlier ones.
SecretSource secret_source();
/// Returns 256 bits as hexadecimal digits: a secret that is shown but never guessed.
std::string random_token();

}  // namespace proffer::live
