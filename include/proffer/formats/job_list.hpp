// A list of MapReduce jobs as a TOML file, for `proffer mr -jobs FILE`:
//
//   [[job]]
//   name = "words"                       # for people
//   input = ["/in/a", "/in/b"]           # or one string
//   output = "/out/words"
//   mapper = "tr -s ' ' '\n'"
//   reducer = "uniq -c"                  # left out or "NONE": the maps' output is the job's
//   combiner = "…"
//   reduces = 2                          # default 1
//   replication = 1
//   block_size = "64MiB"
//   env = { LANG = "C" }
//   files = ["stopwords.txt"]            # shipped to every task; relative to the list
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proffer/frameworks/mapreduce.hpp"
#include "proffer/result.hpp"

namespace proffer {

/// The jobs in order, without tokens (the world mints them). `invalid` with "FILE:LINE:COL: ", what is wrong
/// and what to write: no job, no input, output or mapper, two jobs with one output, a file that cannot be
/// read or is too large together with others.
Result<std::vector<JobSpec>> parse_job_list(std::string_view text, const std::string& file);
/// As parse_job_list; also `not_found` and `io`.
Result<std::vector<JobSpec>> read_job_list(const std::string& path);

}  // namespace proffer
