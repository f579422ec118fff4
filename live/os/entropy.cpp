#include "proffer/live/entropy.hpp"

#include <sys/random.h>

#include "proffer/check.hpp"

namespace proffer::live {

std::uint64_t entropy() {
  std::uint64_t bits = 0;
  PROFFER_CHECK(getrandom(&bits, sizeof bits, 0) == sizeof bits, "the kernel gave no random bytes");
  return bits;
}

Random seeded_random() { return Random(entropy()); }

SecretSource secret_source() { return SecretSource(&entropy); }

std::string random_token() { return to_hex({entropy(), entropy()}) + to_hex({entropy(), entropy()}); }

}  // namespace proffer::live
