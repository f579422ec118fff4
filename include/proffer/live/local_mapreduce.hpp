// A MapReduce job without any cluster, on local files: for `mr -r local`, and to check what a cluster has
// made of the same job. It shares no code with the worker: coreutils' sort does the sorting.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "proffer/messages/work.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

struct LocalJob {
  std::vector<std::string> inputs;  ///< local files or folders; names that begin with _ or . are passed over
  std::string output;               ///< a local folder that does not exist yet
  std::string mapper;
  std::string reducer;  ///< "NONE" or empty: map-only, one part for each input file
  std::string combiner;
  std::uint32_t num_reduces = 1;
  Environment env;
  std::vector<ShippedFile> files;  ///< put into the folder in which the commands run
  std::vector<std::pair<std::string, std::string>> links = {};  ///< names of local files in the same folder
};

/// Runs the job; writes part-0000N and _SUCCESS. Errors: `not_found` (an input), `exists` (the output),
/// `invalid`, `io`, or `refused` when a command failed. Nothing is left behind unless it succeeds.
///
/// The commands run in a scratch folder beside the output; their standard error is this process's. With a
/// reducer, the parts equal a cluster's byte for byte when the mapper looks at one line at a time and the
/// reducer depends on nothing but its lines; the combiner is not run, as it must not change the result.
/// Without a reducer, the parts together equal those of a cluster together.
Result<> run_local_mapreduce(const LocalJob& job);

/// Checks that a command can be started. `refused` or `not_found`, in one sentence, when the command's first
/// word is a path (has a slash) that does not exist, is a folder, or may not be executed; a relative path of
/// a file that is not shipped; or a plain name found neither among `files` nor on PATH. Commands whose first
/// word the shell would change or interpret itself (quotes, variables, assignments, builtins, keywords) pass.
/// `what`: "mapper", "reducer", ... for the sentence.
Result<> check_command(const std::string& what, const std::string& command,
                       const std::vector<ShippedFile>& files);

}  // namespace proffer::live
