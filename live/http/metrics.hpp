// The metrics of an allocator for Prometheus.
#pragma once

#include <string>

#include "proffer/formats/snapshot.hpp"

namespace proffer::live {

/// Returns them in the text format, version 0.0.4. No label is a task, a job, an agent or a user.
std::string metrics_text(const Snapshot& snapshot);

}  // namespace proffer::live
