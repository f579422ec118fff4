// The verbs of `proffer policy`; each returns an exit code.
#pragma once

#include "cli/policy_options.hpp"
#include "proffer/result.hpp"

namespace proffer::cli {

/// Creates a folder with a new policy: its source, a build file, a test, an experiment. `invalid` for a name,
/// `exists` for a policy or a folder, `io`; on an error there is no folder.
Result<> write_policy_folder(const std::string& name, const std::string& folder);

int bench_policies(const PolicyOptions& options);

}  // namespace proffer::cli
