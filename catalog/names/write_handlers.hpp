// Clients that write a file: create it, then add, store and seal block after block, then complete it.
#pragma once

#include "catalog/state/turn.hpp"

namespace proffer::catalog {

void handle(const Turn& turn, const MessageReceived& in, const CreateFile& request);
void handle(const Turn& turn, const MessageReceived& in, const AddBlock& request);
void handle(const Turn& turn, const MessageReceived& in, const SealBlock& request);
void handle(const Turn& turn, const MessageReceived& in, const CompleteFile& request);

/// Begins to wait for the writers of this connection, which is gone, to go on through another.
void lose_writer(const Turn& turn, PeerId peer);
/// Removes the unfinished files of writers that were waited for in vain.
void remove_abandoned(const Turn& turn);

}  // namespace proffer::catalog
