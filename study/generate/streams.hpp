// Independent streams of random numbers from one seed, each found by what it is for: what one stream is used
// for never shifts another.
#pragma once

#include <cstdint>
#include <string_view>

#include "proffer/random.hpp"

namespace proffer::study {

/// `major` and `minor` tell streams of one workload and purpose apart.
Random stream(std::uint64_t seed, std::string_view workload, std::string_view purpose,
              std::uint32_t major = 0, std::uint32_t minor = 0);

}  // namespace proffer::study
