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
  /// The time when the first framework comes: an experiment's zero; without any, the first line.
  Time begin{};
  Time last{};
};

/// A choice of lines. Unset fields exclude nothing.
struct LogPart {
  std::optional<Duration> until;  ///< time after LogSpan::begin
  /// True: also lines of agents and of the catalog, which are by far the most of a live cluster's.
  bool agents = true;
};

/// Reads several logs of one clock as one, in the order of times (and of files, where those are equal).
/// `not_found`, for no lines at all as well, or `io`; `invalid` with FILE:LINE for what is no line of an
/// event log. A last line without its end is still being written, and is passed over.
Result<LogSpan> read_event_logs(const std::vector<std::string>& files, const LogPart& part,
                                const std::function<void(const TraceLine&)>& visit);

}  // namespace proffer::study
