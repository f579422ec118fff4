// The files that `proffer experiment` left behind.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace proffer::testing {

/// Returns the bytes of all files below a folder, by their path from there.
std::map<std::string, std::string> files_below(const std::string& folder);

/// Returns how many runs are complete.
int complete_runs(const std::string& folder);

/// A table of a run: its header, and its rows as they stand.
struct CsvFile {
  std::string header;
  std::vector<std::string> rows;
};
CsvFile csv_file(const std::string& path);

}  // namespace proffer::testing
