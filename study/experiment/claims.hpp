// The claims of an experiment about its results: [[check]], [[paper]] and [report].
#pragma once

#include <string_view>
#include <vector>

#include "proffer/study/experiment.hpp"
#include "study/experiment/tree.hpp"

namespace proffer::study {

/// Reads the claims into `experiment`, whose name and overrides are known. A filter must match a cell; claims
/// about cells that an override has taken away are left out.
Result<> read_claims(const TomlNode& root, const std::vector<Cell>& cells, Experiment& experiment);

}  // namespace proffer::study
