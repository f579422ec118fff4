// DESCRIBE: the state of the cluster for people who look, in pages.
#pragma once

#include <cstddef>

#include "allocator/state/turn.hpp"
#include "proffer/cluster_view.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, const MessageReceived& in, const Describe& describe);

/// Returns the same in one piece, with what runs where and the newest `most_tasks` tasks.
ClusterView view(const State& state, Time now, std::size_t most_tasks);

}  // namespace proffer::allocator
