// Whether a page of a block report may be taken: pure verdicts.
#pragma once

#include "catalog/state/catalog_state.hpp"
#include "proffer/machine.hpp"

namespace proffer {

/// The first page of a report without a session.
bool opens_session(const Envelope& envelope, const BlockReport& page);
/// Whether the page describes an agent, from the right cluster and no newer catalog; `refused` for one that
/// opens a session under the id of another.
Result<> may_report(const CatalogState& state, const MessageReceived& in, const BlockReport& page);

}  // namespace proffer
