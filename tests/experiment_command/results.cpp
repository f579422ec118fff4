#include "tests/experiment_command/results.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/live_cluster/cluster.hpp"

namespace proffer::testing {

namespace fs = std::filesystem;

std::map<std::string, std::string> files_below(const std::string& folder) {
  std::map<std::string, std::string> files;
  std::error_code error;  // what is renamed meanwhile is found the next time
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto& path = entry->path();
    if (fs::is_regular_file(path, error)) files[path.lexically_relative(folder)] = read_file(path);
  }
  return files;
}

int complete_runs(const std::string& folder) {
  const auto files = files_below(folder);
  return static_cast<int>(std::count_if(files.begin(), files.end(), [](const auto& file) {
    return file.first.ends_with("/manifest.json") && file.first.find(".part/") == std::string::npos;
  }));
}

CsvFile csv_file(const std::string& path) {
  std::ifstream in(path);
  CsvFile file;
  std::getline(in, file.header);
  for (std::string row; std::getline(in, row);) file.rows.push_back(row);
  return file;
}

}  // namespace proffer::testing
