// Finding the cluster.
#pragma once

#include <memory>
#include <vector>

#include "cli/options.hpp"
#include "proffer/live/store_client.hpp"
#include "proffer/messages/admin.hpp"

namespace proffer::cli {

/// How long allocator and catalog may take to answer a question.
inline constexpr Duration kAnswerTimeout = std::chrono::seconds(5);

/// What neither flags nor the environment say, from the [client] section of ./proffer.toml or else of
/// ~/.config/proffer/proffer.toml, or by default. `invalid`, with its place, for what is wrong in that file.
Result<Where> find_cluster(const Where& given);

/// One line on stderr for each of them of which no agent that is there has a slot: whoever wants one waits.
void warn_of_missing_kinds(const ClusterState& state, const std::vector<Kind>& kinds);

/// The catalog named, or else the one the allocator knows. Errors of find_cluster; `unreachable`; `not_found`
/// when the cluster has none.
Result<std::unique_ptr<live::CatalogClient>> connect_catalog(live::Context& context, const Where& given);

}  // namespace proffer::cli
