#include "live/run/find_program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <string_view>

namespace proffer::live {
namespace {

std::string_view path_of(const std::vector<std::string>& env) {
  for (const std::string_view entry : env) {
    if (entry.starts_with("PATH=")) return entry.substr(5);
  }
  return "/usr/local/bin:/usr/bin:/bin";
}

bool is_program(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<std::string> find_program(const std::string& name, const std::vector<std::string>& env,
                                        const std::string& folder) {
  if (name.find('/') != std::string::npos) return name;
  auto path = path_of(env);
  while (true) {
    const auto end = path.find(':');
    const std::string in(path.substr(0, end));
    auto candidate = (in.starts_with('/') ? in : folder + "/" + in) + "/" + name;
    if (is_program(candidate)) return candidate;
    if (end == std::string_view::npos) return {};
    path.remove_prefix(end + 1);
  }
}

}  // namespace proffer::live
