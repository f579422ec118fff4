// The formulas of DSBRA, the delay-scheduling-based replication algorithm: how much a block is in demand,
// from how long delay scheduling held back the tasks that read it. Pure, in integers: parts of one in
// millionths. SEMANTICS §10; the paper's pseudocode is `literal`.
#pragma once

#include <cstdint>

#include "proffer/time.hpp"

namespace proffer::catalog::dsbra {

using Millionths = std::int64_t;
inline constexpr Millionths kOne = 1'000'000;
/// The paper's 0.2: a mean above it is high, and a block gets one more replica for each time that its factor
/// is so far above the mean.
inline constexpr Millionths kStep = 200'000;
/// The paper's 0.1: a block is cold up to here, whatever the others are.
inline constexpr Millionths kCold = 100'000;

/// Tasks that read a block in one interval.
struct Reads {
  std::uint64_t tasks = 0;    ///< N; none counts as one
  std::uint64_t delayed = 0;  ///< M, at most N
  Duration delay{};           ///< DT, the sum over these
};

/// The past of a block over the intervals.
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

/// Returns the replicas to be added to a block of that RF where the mean over blocks is GAvg; mostly none.
std::int64_t copies_wanted(Millionths factor, Millionths mean);
/// Returns whether a block is so little in demand that a replica beyond the usual number may go.
bool is_cold(Millionths factor, Millionths mean);

}  // namespace proffer::catalog::dsbra
