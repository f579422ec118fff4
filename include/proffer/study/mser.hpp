// The end of a start-up phase, by the marginal standard error rule (K. P. White, "An effective truncation
// heuristic for bias reduction in simulation output", Simulation 69(6), 1997).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace proffer::study {

/// Returns how many of the first values to leave out, by MSER-5: of the means z of five values each, the d
/// first, so that Σ (z − mean)² / (m − d)² over the m − d others is least. None where there are fewer than
/// ten such means, or where that d is not below m / 2: then no part of the series is steady.
std::optional<std::size_t> start_up_of(std::span<const double> values);

}  // namespace proffer::study
