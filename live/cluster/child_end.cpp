#include "live/cluster/child_end.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>

#include "live/cluster/last_line.hpp"
#include "proffer/live/port.hpp"

namespace proffer::live {
namespace {

std::string how(const std::optional<int>& status) {
  if (!status) return "did not end when it was asked to";
  if (WIFSIGNALED(*status)) return fmt::format("ended by signal {}", WTERMSIG(*status));
  return fmt::format("ended with exit code {}", WEXITSTATUS(*status));
}

}  // namespace

Result<> clean_end(const std::string& name, const std::optional<int>& status, const std::string& log) {
  if (status == 0) return {};
  const auto why = last_line(log);
  return Error{ErrorCode::io, fmt::format("{} {}{}{}", name, how(status), why.empty() ? "" : ": ", why)};
}

Result<> clean_end(const std::string& name, Child& child, Time deadline, const std::string& log) {
  const auto left = std::max(Duration::zero(), deadline - steady_now());
  return clean_end(name, child.wait_exit(left), log);
}

}  // namespace proffer::live
