// The formulas of DSBRA, the delay-scheduling-based replication algorithm: how much a block is in demand,
// from how long delay scheduling held back the tasks that read it. Pure, in integers: parts of one in
// millionths. SEMANTICS §10; the paper's pseudocode is `literal`.
#pragma once

#include <cstdint>

#include "proffer/time.hpp"

namespace proffer::dsbra {

using Millionths = std::int64_t;
inline constexpr Millionths kOne = 1'000'000;
/// The paper's 0.2: above it a mean is high, and so far above the mean a block gets one more replica.
inline constexpr Millionths kStep = 200'000;
/// Its 0.1: up to here a block is cold whatever the others are.
inline constexpr Millionths kCold = 100'000;

/// Tasks that read a block in one interval.
struct Reads {
  std::uint64_t tasks = 0;    ///< N; none counts as one
  std::uint64_t delayed = 0;  ///< M, at most N
  Duration delay{};           ///< DT, of these together
};

/// What is remembered of a block over the intervals.
struct History {
  Millionths mean = 0;     ///< Y, of all RF so far
  std::uint64_t runs = 0;  ///< n
};

/// X = (M/N + DT/(D N)) / 2, from 0 to one; without a threshold the second term is 0.
Millionths delay_of(const Reads& reads, Duration threshold);
/// RF = alpha X + (1 - alpha) Y; `literal`: half of that once more, at most a third in the long run.
Millionths factor_of(Millionths delay, const History& history, std::int64_t alpha_milli, bool literal);
/// Y <- (Y n + RF) / (n + 1).
History after(const History& history, Millionths factor);

/// Replicas to be added to a block of that RF where the mean over blocks is GAvg; mostly none.
std::int64_t copies_wanted(Millionths factor, Millionths mean);
/// Whether a block is so little in demand that a replica beyond the usual may go.
bool is_cold(Millionths factor, Millionths mean);

}  // namespace proffer::dsbra
