// The contents of a run's sandbox before it starts, and the packet that starts it.
#pragma once

#include <string>

#include "live/run/packet.hpp"
#include "proffer/live/executor.hpp"

namespace proffer::live {

/// Puts work and shipped files into `sandbox`, an empty folder, and the job's token beside where the
/// output will be. Returns the packet that starts the run. As one sentence `invalid`, for what is wrong with
/// the work, or another error, for what is with this machine.
Result<Packet> prepare_run(const ExecutorConfig& config, const StartRun& start, const std::string& sandbox);

/// Returns the packet that starts a worker's probe: it writes as tasks do, and ends.
Packet prepare_probe(const ExecutorConfig& config, LaunchId launch, const std::string& sandbox);

}  // namespace proffer::live
