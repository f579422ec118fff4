// Samples of the history, from snapshots.
#pragma once

#include "proffer/formats/snapshot.hpp"

namespace proffer::live {

/// Returns what of a moment is remembered.
HistorySample sample_of(const ClusterView& view, const ClusterTally& tally, std::int64_t at_ms);

}  // namespace proffer::live
