// The papers' figures beside ours, of many experiments in one file.
#pragma once

#include <string>
#include <vector>

#include "proffer/result.hpp"

namespace proffer::cli {

/// Writes [{"id","experiment","cell","label","measure","paper","ours","ci95","seeds","digest","note"}, …], a
/// row a figure, from the results in `folders`; as a Markdown table when `out` ends with ".md". Errors name
/// the folder.
Result<> collect_figures(const std::vector<std::string>& folders, const std::string& out);

}  // namespace proffer::cli
