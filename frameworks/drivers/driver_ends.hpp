// The end of a driver, and what becomes of its job: rules over one job, without any effect but on it.
#pragma once

#include "frameworks/drivers/driven_job.hpp"
#include "proffer/messages/framework.hpp"

namespace proffer::drivers {

/// Drivers of one job that may die, before it is given up.
inline constexpr std::uint32_t kMostDeaths = 5;

/// Enters that the job's newest driver has ended, or that its agent is out of reach. Afterwards the job is
/// over, or waits for a slot again.
void driver_ended(DrivenJob& job, const TaskStatus& status, Time now);

}  // namespace proffer::drivers
