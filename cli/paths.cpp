#include "cli/paths.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

namespace proffer::cli {
namespace fs = std::filesystem;

std::string own_path() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed).string();
}

std::string find_program(const std::string& word) {
  if (word.find('/') != std::string::npos) return ::access(word.c_str(), X_OK) == 0 ? word : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto candidate = (fs::path(folder.empty() ? "." : folder) / word).string();
    if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return candidate;
  }
  return "";
}

Result<TemporaryFolder> TemporaryFolder::make(const std::string& prefix) {
  std::error_code failed;
  auto pattern = (fs::temp_directory_path(failed) / (prefix + "-XXXXXX")).string();
  if (failed || ::mkdtemp(pattern.data()) == nullptr) {
    return Error{ErrorCode::io, "cannot make a temporary folder " + pattern + ": " + std::strerror(errno)};
  }
  return TemporaryFolder(pattern);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace proffer::cli
