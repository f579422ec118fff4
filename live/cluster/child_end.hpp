// The check that a child process of ours ended as it should.
#pragma once

#include <optional>
#include <string>

#include "proffer/live/local_cluster.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer::live {

/// `status` as Child::wait_exit gives it to one that was asked to end: `io` unless it did, in time and with
/// success. The sentence has the last line of its log.
Result<> clean_end(const std::string& name, const std::optional<int>& status, const std::string& log);

/// The same for a child that has ended by `deadline` (of steady_now()); waits for it until then.
Result<> clean_end(const std::string& name, Child& child, Time deadline, const std::string& log);

}  // namespace proffer::live
