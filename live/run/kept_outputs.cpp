#include "live/run/kept_outputs.hpp"

#include <unistd.h>

namespace proffer::live {

Result<std::vector<std::string>> KeptOutputs::names_for(const StartRun& run) {
  const auto* command = std::get_if<CommandWork>(&*run.task.work);
  if (command == nullptr || command->output_token.empty()) return std::vector<std::string>();
  std::vector<std::string> names;
  for (const bool is_err : {false, true}) {
    auto path = folders_.command_output({run.framework, run.task.job, run.task.id, is_err});
    if (!path) return path.error();
    names.push_back(std::move(*path));
  }
  names_[run.launch] = names;
  return names;
}

void KeptOutputs::drop(LaunchId launch) {
  const auto node = names_.extract(launch);
  if (node.empty()) return;
  for (const auto& path : node.mapped()) ::unlink(path.c_str());
}

}  // namespace proffer::live
