// The results of many experiments in one file.
#pragma once

#include <string>
#include <vector>

#include "proffer/result.hpp"

namespace proffer::cli {

/// Writes an array of rows from the results in `paths`, experiment by experiment:
///   a paper's figure, or (its "paper" is null) a measure that is shown of a cell
///     {"id","experiment","cell","label","measure","paper","ours","ci95","seeds","digest","note"}
///   a check
///     {"id","experiment","cell","check","passed","verdict","left","right"}
/// A path is a folder of results, or a .json file of such rows, from something that is no experiment. When
/// `out` ends with ".md", writes Markdown: a table of papers' figures, then for each experiment its cells and
/// its checks. Errors name the path.
Result<> collect_figures(const std::vector<std::string>& paths, const std::string& out);

}  // namespace proffer::cli
