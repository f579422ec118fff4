// The wait for an agent to be drained.
#pragma once

#include <optional>
#include <string>

#include "proffer/live/port.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::cli {

struct DrainWait {
  std::string allocator;  ///< the address to ask at
  std::string agent;      ///< name or id
  std::optional<Duration> timeout;
};

/// Waits until nothing runs on the agent any more, and prints on stderr how many tasks are left. Returns a
/// sentence. An allocator that is started again meanwhile is waited for. `timed_out`; `refused` when somebody
/// else has taken the agent back into service; `agent_gone`.
Result<std::string> wait_for_drain(live::Context& context, const DrainWait& wait);

}  // namespace proffer::cli
