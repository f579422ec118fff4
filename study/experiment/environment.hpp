// Taking an environment into an experiment.
#pragma once

#include "proffer/study/experiment.hpp"
#include "study/experiment/tree.hpp"

namespace proffer::study {

/// Puts what the file of `include = FILE` says into the tree, and the environment into the experiment.
/// Nothing to do without that key. `not_found` and `io` with the file's name; `invalid` with the place, in
/// either file: what an environment sets, an experiment may vary by cells, sweeps and --set only.
Result<> include_environment(TomlNode& root, Experiment& experiment);

}  // namespace proffer::study
