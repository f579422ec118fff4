#include "agent/state.hpp"

namespace proffer::agent {

session::ClientSession::Settings session_settings(const AgentConfig& config, Duration silent_after) {
  return {.retry_first = config.retry_first, .retry_max = config.retry_max, .silent_after = silent_after};
}

}  // namespace proffer::agent
