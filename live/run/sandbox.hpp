// All that must lie in a run's sandbox before it starts, and how it is started.
#pragma once

#include <string>

#include "live/run/packet.hpp"
#include "proffer/live/executor.hpp"

namespace proffer::live {

/// Puts work and shipped files into `sandbox`, an empty folder, and for maps the job's token beside where the
/// output will be. Returns the packet that starts the run. `io` or `invalid`, as one sentence.
Result<Packet> prepare_run(const ExecutorConfig& config, const StartRun& start, const std::string& sandbox);

}  // namespace proffer::live
