// The commands `proffer job attach` and `proffer job list`: detached jobs.
#pragma once

#include "cli/pool_options.hpp"
#include "proffer/messages/admin.hpp"

namespace proffer::cli {

/// Returns whether that is what the id of a detached job begins with, rather than the name of a framework's
/// job.
bool is_detached(const std::string& job);

/// Returns the code with which a shell would report the end of the job's last driver.
int shell_code_of(const DetachedJob& job);

int attach_job(const PoolOptions& options);
int list_jobs(const PoolOptions& options);

}  // namespace proffer::cli
