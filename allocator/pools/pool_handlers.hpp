// Pools that change while the allocator runs: one by one, as an operator says (CHANGE_POOL), or all of them,
// as the configuration file has them now (RELOAD_POOLS); and frameworks that move from pool to pool.
//
// Offered slots and running tasks stay where they are, also in pools that are above their share from then on.
// Shares and limits count at once; the starvation clocks of a pool that changed begin anew.
#pragma once

#include "allocator/state/turn.hpp"

namespace proffer::allocator {

void handle(const Turn& turn, const MessageReceived& in, const ChangePool& message);
void handle(const Turn& turn, const MessageReceived& in, const ReloadPools& message);
void handle(const Turn& turn, const MessageReceived& in, const MoveFramework& message);
/// Pools are changed only while they can be kept.
void handle(const Turn& turn, const StoreRoom& store);
/// The configuration file was read.
void handle(const Turn& turn, const PoolsRead& read);

}  // namespace proffer::allocator
