// The times at which the catalog decides on replicas: rounds for blocks in demand, scans for replicas that
// are missing.
#pragma once

#include "catalog/state/turn.hpp"

namespace proffer::catalog {

/// Scans all blocks for replicas that are missing, when there is a reason to; not more often than a quarter
/// of restore_after, within 100 ms and 10 s, since all blocks are looked at.
void restore_replicas(const Turn& turn);
/// Once an interval: works out how blocks are in demand, and copies and drops replicas by the policy.
void replicate_in_demand(const Turn& turn);

}  // namespace proffer::catalog
