// The files that a local cluster's store holds from the start.
#pragma once

#include "proffer/live/local_cluster.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// Puts config.files into the folders of the catalog and the agents, which have not been started yet.
/// `exists` when there are files already, `io`.
Result<> seed_store(const LocalClusterConfig& config);

}  // namespace proffer::live
