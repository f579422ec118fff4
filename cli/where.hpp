// The search for the cluster.
#pragma once

#include <memory>
#include <vector>

#include "cli/options.hpp"
#include "proffer/frameworks/framework.hpp"
#include "proffer/live/store_client.hpp"
#include "proffer/messages/admin.hpp"

namespace proffer::cli {

/// The longest time that allocator and catalog may take to answer a question.
inline constexpr Duration kAnswerTimeout = std::chrono::seconds(5);

/// Fills in whatever neither flags nor the environment name, from the [client] section of ./proffer.toml or
/// else of ~/.config/proffer/proffer.toml, or by default. `invalid`, with its place, for an error in that
/// file.
Result<Where> find_cluster(const Where& given);

/// Asks as live::describe() does, with the newest `tasks` tasks. After half a second, the
/// waiting user is told so, and what may be done.
Result<ClusterState> reach(live::Context& context, const std::string& allocator, Duration patience,
                           std::uint64_t tasks = 0);

/// Returns the file for the framework's lines: the file that it names, or else the event log of an allocator
/// at a loopback address where that is a file of this user, so that `proffer why` knows its jobs. Empty:
/// none.
std::string event_log_for(const FrameworkOptions& framework, const Where& where, const ClusterState& state);

/// Returns the configuration of a framework of this process from flags, the environment, and for its failover
/// timeout the same file. `invalid` names what is wrong.
Result<FrameworkConfig> framework_config(const FrameworkOptions& options);

/// Prints a line on stderr for each of these kinds of which no present agent has a slot: whoever wants one
/// waits.
void warn_of_missing_kinds(const ClusterState& state, const std::vector<Kind>& kinds);

/// Connects to the catalog named, or else to the one the allocator knows. Errors of find_cluster;
/// `unreachable`; `not_found` when the cluster has none.
Result<std::unique_ptr<live::CatalogClient>> connect_catalog(live::Context& context, const Where& given,
                                                             live::CatalogPatience patience = {});

}  // namespace proffer::cli
