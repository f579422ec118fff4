// Questions to the catalog and their answers.
#pragma once

#include <vector>

#include "frameworks/session/turn.hpp"

namespace proffer::frameworks {

// Messages of the catalog. Its record sets them apart from the allocator's.
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const CatalogSession& opened);
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const ErrorMessage& message);
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in,
            const ReplicasChanged& changed);
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const BlockAllocated& answer);
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const FilesListed& page);
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const CatalogDone& answer);
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const Bye& bye);

/// Ends the session; all open requests have failed with `error`. The next message opens a session anew.
void lose_catalog(const Turn& turn, const Error& error);
/// Hands answers to the scheduler.
void deliver_answers(const Turn& turn, const std::vector<Message>& answers);

}  // namespace proffer::frameworks
