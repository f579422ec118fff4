// Event logs as files.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proffer/formats/event_log.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::study {

struct LogSpan {
  Time begin{};  ///< the first framework comes: an experiment's zero; without any, the first line
  Time last{};
};

/// Which lines are wanted. All that is not set is.
struct LogPart {
  std::optional<Duration> until;  ///< after LogSpan::begin
  /// Lines of agents and of the catalog as well; they are by far the most of a live cluster's.
  bool agents = true;
};

/// Reads several logs of one clock as one, in the order of times (and of files, where those are equal).
/// `not_found`, for no lines at all as well, or `io`; `invalid` with FILE:LINE for what is no line of an
/// event log. A last line without its end is still being written, and is passed over.
Result<LogSpan> read_event_logs(const std::vector<std::string>& files, const LogPart& part,
                                const std::function<void(const TraceLine&)>& visit);

}  // namespace proffer::study
