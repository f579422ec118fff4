// The store before a detached MapReduce job is handed over: its input is there, and its output is claimed, so
// that each of its drivers knows it for its own.
#pragma once

#include <span>
#include <vector>

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/live/store_client.hpp"
#include "proffer/result.hpp"

namespace proffer::cli {

/// `not_found` for a job whose input is not in the store, nor the output of another of these jobs.
Result<> check_inputs(live::CatalogClient& catalog, const std::vector<JobSpec>& jobs);

/// Claims the outputs of all jobs, or none. `exists` when there is one already.
Result<> claim_outputs(live::CatalogClient& catalog, const std::vector<JobSpec>& jobs);

/// Takes the claims on outputs that are not published back, with all that was written there.
void release_outputs(live::CatalogClient& catalog, std::span<const JobSpec> jobs);

}  // namespace proffer::cli
