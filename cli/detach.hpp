// Detached commands: handed over to the cluster, which runs them as drivers on its agents; and this process,
// where it is such a driver.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/where.hpp"
#include "proffer/frameworks/drivers.hpp"
#include "proffer/live/framework_host.hpp"
#include "proffer/live/stop.hpp"
#include "proffer/messages/admin.hpp"

namespace proffer::cli {

/// Returns this process's part as the driver of a detached job; none: it drives none. `invalid` when it
/// is told what no driver is told. To be asked once: the programs that are started afterwards are not told.
Result<std::optional<Driving>> take_driving();

/// Numbers of attempts that the drivers of one job have each: no two drivers' tasks have one id.
std::uint32_t first_attempt_of(const Driving& driving);

/// Has the framework of this process speak for a detached job, as its driver.
void drive(const Driving& driving, live::FrameworkHostConfig& config);
/// Returns the state of the cluster, waiting for an allocator for as long as it takes.
Result<ClusterState> reach_patiently(live::Context& context, const std::string& allocator,
                                     const live::Stop& stop);
/// Returns the exit code of a driver that has met that error: one with which it is started again, where
/// another driver may do better.
int driver_failed(const Error& error);
/// Ends what former drivers of a job have left in the cluster, and waits until it has ended. Returns an exit
/// code.
int end_what_is_left(live::Context& context, live::FrameworkHostConfig config, live::Stop& stop);

/// Refuses what a detached command cannot do.
Result<> check_detached(const FrameworkOptions& options);
/// Refuses to hand a command to a cluster where it could not be driven.
Result<> check_cluster(const ClusterState& state, const Where& where, const std::string& pool);

/// A file of this machine that a driver needs; it finds it in its folder under the last part of the path.
Result<ShippedFile> file_for_driver(const std::string& path);

/// Returns whether a command that was handed over may be driven in spite of that error.
bool may_be_taken(const Error& error);
/// Hands the command over as the driver of a detached job, and prints the job's id.
Result<> hand_over(live::Context& context, const FrameworkOptions& options, const Where& where,
                   std::vector<ShippedFile> files);

}  // namespace proffer::cli
