// The rules by which a page of a block report is accepted: pure verdicts.
#pragma once

#include "catalog/state/state.hpp"
#include "proffer/machine.hpp"

namespace proffer::catalog {

/// Returns whether the page is the first one of a report without a session.
bool opens_session(const Envelope& envelope, const BlockReport& page);
/// Returns whether the page describes an agent, from the right cluster and no newer catalog; `refused` for
/// one that opens a session under the id of another.
Result<> may_report(const State& state, const MessageReceived& in, const BlockReport& page);

}  // namespace proffer::catalog
