// Durations, sizes, rates and slots as people write them, in files and on the command line. Every error is
// `invalid` with a sentence that starts with the offending text in quotes and says what to write.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proffer/resources.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// A duration such as "500ms", "5s", "1.5h": a number and one of us, ms, s, m, h, d. Zero is allowed; exact
/// to the microsecond.
Result<Duration> parse_duration(std::string_view text);
/// A size such as "64MiB", "1GB", "10B": a whole number and one of B, KB, MB, GB, TB (powers of 1000), KiB,
/// MiB, GiB, TiB (powers of 1024). Above zero.
Result<std::uint64_t> parse_bytes(std::string_view text);
/// A rate such as "2MiB/s", in bytes per second.
Result<std::uint64_t> parse_rate(std::string_view text);
/// Slots such as "map=2,reduce=1": kinds, each once, with 1 to limits::kSlotsPerAgent slots.
Result<Resources> parse_slots(std::string_view text);
/// Slots of a whole cluster, written as for parse_slots: up to limits::kQuantity of a kind.
Result<Resources> parse_quantities(std::string_view text);

// The inverses: in the largest unit that is exact.
std::string format_duration(Duration duration);
std::string format_bytes(std::uint64_t bytes);
std::string format_rate(std::uint64_t bytes_per_s);

}  // namespace proffer
