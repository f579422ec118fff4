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
/// A quantity of a kind, from 1 to `most` of its units: slots as "2", cpus as "0.5", memory as "32GiB".
Result<std::int64_t> parse_quantity(Kind kind, std::string_view text, std::int64_t most);
/// Slots and bulk resources such as "map=2,reduce=1,cpus=1.5": kinds, each once, as much as an agent has.
Result<Resources> parse_slots(std::string_view text);
/// Bulk resources of a task such as "cpus=2,memory=1GiB": some cpus among them, and no slots.
Result<Resources> parse_need(std::string_view text);
/// Returns whether resources may be what a task takes of the bulk ones: else a sentence that says why.
std::string refuse_need(const Resources& need);
/// Slots of a whole cluster, written as for parse_slots: up to limits::kQuantity of a kind.
Result<Resources> parse_quantities(std::string_view text);

// The inverses: in the largest unit that is exact.
std::string format_duration(Duration duration);
std::string format_bytes(std::uint64_t bytes);
/// A quantity of a kind as parse_quantity() reads it; memory in the largest unit that is exact.
std::string format_quantity(Kind kind, std::int64_t units);
/// "map=2 memory=1GiB"; "-" for nothing.
std::string format_resources(const Resources& resources);
std::string format_rate(std::uint64_t bytes_per_s);

}  // namespace proffer
