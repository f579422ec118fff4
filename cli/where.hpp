// Finding the cluster.
#pragma once

#include <memory>
#include <vector>

#include "cli/options.hpp"
#include "proffer/frameworks/framework.hpp"
#include "proffer/live/store_client.hpp"
#include "proffer/messages/admin.hpp"

namespace proffer::cli {

/// How long allocator and catalog may take to answer a question.
inline constexpr Duration kAnswerTimeout = std::chrono::seconds(5);

/// What neither flags nor the environment say, from the [client] section of ./proffer.toml or else of
/// ~/.config/proffer/proffer.toml, or by default. `invalid`, with its place, for what is wrong in that file.
Result<Where> find_cluster(const Where& given);

/// As live::describe(). Who waits is told so, and what may be done, after half a second.
Result<ClusterState> reach(live::Context& context, const std::string& allocator, Duration patience);

/// Where the framework's lines go: to the file that it names, or else to the event log of an allocator at a
/// loopback address where that is a file of this user, so that `proffer why` knows its jobs. Empty: nowhere.
std::string event_log_for(const FrameworkOptions& framework, const Where& where, const ClusterState& state);

/// What the allocator is told of a framework of this process: flags, the environment, and for its failover
/// timeout the same file. `invalid` names what is wrong.
Result<FrameworkConfig> framework_config(const FrameworkOptions& options);

/// One line on stderr for each of them of which no agent that is there has a slot: whoever wants one waits.
void warn_of_missing_kinds(const ClusterState& state, const std::vector<Kind>& kinds);

/// The catalog named, or else the one the allocator knows. Errors of find_cluster; `unreachable`; `not_found`
/// when the cluster has none.
Result<std::unique_ptr<live::CatalogClient>> connect_catalog(live::Context& context, const Where& given,
                                                             live::CatalogPatience patience = {});

}  // namespace proffer::cli
