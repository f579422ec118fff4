// The folder a run works in, and all that must lie there before it starts.
#pragma once

#include <string>

#include "live/run/packet.hpp"
#include "proffer/live/executor.hpp"

namespace proffer::live {

/// Makes the folder <sandboxes>/<framework name>/<task id>, puts work and shipped files into it, and for maps
/// the job's token beside where the output will be. Returns the packet that starts the run; its `text` is the
/// folder. `io`.
Result<Packet> prepare_run(const ExecutorConfig& config, const StartRun& start);

}  // namespace proffer::live
