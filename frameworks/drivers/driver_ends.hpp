// The end of a driver, and what becomes of its job: rules over one job, without any effect but on it.
#pragma once

#include <string>

#include "frameworks/drivers/driven_job.hpp"
#include "proffer/messages/framework.hpp"

namespace proffer::drivers {

/// Drivers of one job that may die, before it is given up.
inline constexpr std::uint32_t kMostDeaths = 5;

/// Returns so much of a sentence as people read, without half a letter at its end: what is told of all jobs
/// fits into one message.
std::string beginning_of(std::string text);

/// Enters that the job's newest driver has ended, or that its agent is out of reach. Afterwards the job is
/// over, or waits for a slot again.
void driver_ended(DrivenJob& job, const TaskStatus& status, Time now);

}  // namespace proffer::drivers
