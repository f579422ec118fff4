// The questions that a job asks the catalog.
#pragma once

namespace proffer::mapreduce {

/// The questions of one job, in the order of its life.
enum class Step {
  check_output,  ///< asks whether the output is new
  list_input,
  list_cached,
  claim_output,  ///< creates a file that no other job can create, and that becomes the output's _SUCCESS
  settle_claim,
  publish,
  /// Asks whether a rename whose answer was lost has happened; or, first of all, whether that of a former
  /// driver of a detached job has.
  verify,
  clean_up,
};

}  // namespace proffer::mapreduce
