#include "agent/state.hpp"

namespace proffer::agent {

session::ClientSession::Settings session_settings(const AgentConfig& config, Duration silent_after) {
  return {.retry_first = config.retry_first,
          .retry_max = config.retry_max,
          .retry_least_part = 4,
          .silent_after = silent_after,
          .repeats = session::ClientSession::Repeats::left_to_caller};
}

}  // namespace proffer::agent
