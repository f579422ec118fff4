// What an experiment says of its results: [[check]], [[paper]] and [report].
#pragma once

#include <string_view>
#include <vector>

#include "proffer/study/experiment.hpp"
#include "study/experiment/tree.hpp"

namespace proffer::study {

/// Into `experiment`, whose name and overrides are known. A filter must match a cell; what speaks of cells
/// that an override has taken away is left out.
Result<> read_claims(const TomlNode& root, const std::vector<Cell>& cells, Experiment& experiment);

}  // namespace proffer::study
