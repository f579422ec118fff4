#include "live/store/secret.hpp"

#include <cstddef>

namespace proffer::live {

bool same_secret(std::string_view secret, std::string_view shown) {
  if (secret.empty() || secret.size() != shown.size()) return false;
  // Volatile, so that no compiler leaves the loop at the first difference.
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    difference = static_cast<unsigned char>(difference | (secret[i] ^ shown[i]));
  }
  return difference == 0;
}

}  // namespace proffer::live
