// The outputs of commands, under a second name where the data port finds them:
//
//   <outputs>/<framework hex>/<job>/<task id>~stdout, ~stderr
//
// The outputs are kept until the end of the run is acknowledged, whatever a command makes of the files in its
// sandbox, and although sandboxes are deleted. What is left behind goes with the outputs of its job.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "live/store/data_folders.hpp"
#include "proffer/machine.hpp"

namespace proffer::live {

class KeptOutputs {
 public:
  explicit KeptOutputs(DataFolders folders) : folders_(std::move(folders)) {}

  /// Returns the second names of stdout and stderr, which are this run's until drop(); none for work whose
  /// output nobody will fetch. `invalid` when the task's name cannot be that of a file.
  Result<std::vector<std::string>> names_for(const StartRun& run);
  /// Takes over those of a run of an earlier start.
  void adopt(LaunchId launch, std::vector<std::string> names) { names_[launch] = std::move(names); }
  /// Deletes them. No effect for runs that have none.
  void drop(LaunchId launch);

 private:
  DataFolders folders_;
  std::map<LaunchId, std::vector<std::string>> names_;
};

}  // namespace proffer::live
