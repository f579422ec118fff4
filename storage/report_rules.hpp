// Whether a page of a block report may be taken: pure verdicts.
#pragma once

#include "proffer/machine.hpp"
#include "storage/catalog_state.hpp"

namespace proffer {

/// Whether the page describes an agent, from the right cluster and no newer catalog.
Result<> may_report(const CatalogState& state, const Envelope& envelope, const BlockReport& page);

}  // namespace proffer
