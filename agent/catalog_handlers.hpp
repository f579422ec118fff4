// The conversation with the catalog: full reports that open a session, numbered changes, deletions,
// heartbeats. It is independent of the allocator's session, except that REGISTERED says where the catalog is
// and which id to report under.
#pragma once

#include <string>

#include "agent/turn.hpp"

namespace proffer::agent {

/// Begins anew with the catalog at `endpoint`. Empty: there is none.
void use_catalog(const Turn& turn, const std::string& endpoint);
void receive_from_catalog(const Turn& turn, const MessageReceived& in);
/// Refuses a message of a catalog of another cluster than ours; one that the agent is to change over to is
/// taken up.
void refuse_other_catalog(const Turn& turn, const Message& message);
/// Ends the session; a report will open another.
void lose_catalog(const Turn& turn);
/// Gives up a catalog that is silent; reports, tells of changes, or beats, when it is time.
void tend_catalog(const Turn& turn);
std::optional<Time> catalog_deadline(const CatalogTalk& catalog);

// Messages of the catalog. Its record sets them apart from the allocator's.
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const CatalogWelcome& welcome);
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const SendBlockReport& wanted);
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const DeleteBlocks& deletion);
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const ErrorMessage& message);
/// The catalog ends in good order: the session is over, nothing else.
void handle(const Turn& turn, CatalogTalk& catalog, const MessageReceived& in, const Bye& bye);

}  // namespace proffer::agent
