// The cluster's state as JSON: what `proffer status -o json` prints, and the answers of the allocator's HTTP
// interface, which say the same things in the same words. web/openapi.json describes them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proffer/formats/snapshot.hpp"
#include "proffer/messages/admin.hpp"

namespace proffer {

/// Offers that a framework was sent for each task that it launched; none before the first.
std::optional<double> offers_per_task(const FrameworkState& framework);
/// Mean time in seconds until the framework answers an offer; none before the first answer.
std::optional<double> answered_after(const FrameworkState& framework);

/// Each returns one JSON document. Texts that are no UTF-8 have U+FFFD for what is none.
std::string state_json(const ClusterState& state);
/// One entry of a list, on one line.
std::string entry_json(const AgentState& agent);
std::string entry_json(const FrameworkState& framework);
std::string entry_json(const PoolState& pool);
std::string entry_json(const LivingTask& task, const ClusterState& state);

std::string cluster_json(const Snapshot& snapshot);
std::string pools_json(const Snapshot& snapshot);
std::string frameworks_json(const Snapshot& snapshot);
std::string agents_json(const Snapshot& snapshot);
std::string offers_json(const Snapshot& snapshot);
std::string tasks_json(const Snapshot& snapshot);
/// The samples in order of time; rates are those since the sample before.
std::string history_json(const std::vector<std::shared_ptr<const HistorySample>>& samples);
/// {"version":N}: what an event of a stream carries.
std::string version_json(const Snapshot& snapshot);
/// {"error":"..."}
std::string error_json(const std::string& sentence);

}  // namespace proffer
