#include "live/worker/task_end.hpp"

namespace proffer::live {

TaskEnd failed(const std::string& what, const ExitStatus& exit, const Reporter& reporter) {
  auto why = "the " + what + " ended with " + describe_exit(exit);
  if (const auto words = reporter.last_lines(); !words.empty()) why += "; its last words:\n" + words;
  return {shell_code(exit), {}, std::move(why)};
}

}  // namespace proffer::live
