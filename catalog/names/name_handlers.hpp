// Clients that look at names, or change them: list, rename, remove.
#pragma once

#include <string>
#include <vector>

#include "catalog/state/deletions.hpp"
#include "catalog/state/turn.hpp"

namespace proffer::catalog {

void handle(const Turn& turn, const MessageReceived& in, const ListFiles& request);
void handle(const Turn& turn, const MessageReceived& in, const RenameFiles& request);
void handle(const Turn& turn, const MessageReceived& in, const RemoveFiles& request);

/// Removes these files with all their blocks; `deletions` are the caller's to send.
void remove_files(const Turn& turn, const std::vector<std::string>& paths, Deletions& deletions);

}  // namespace proffer::catalog
