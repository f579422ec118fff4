#include "cli/paths.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace proffer::cli {
namespace fs = std::filesystem;

std::string own_path() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed).string();
}

namespace {

bool has_headers(const fs::path& folder) {
  std::error_code failed;
  return fs::exists(folder / "include/proffer/frameworks/policy_plugin.hpp", failed);
}

/// Returns the checkout of a build folder, which CMake notes there.
std::string source_of(const fs::path& build) {
  std::ifstream cache(build / "CMakeCache.txt");
  constexpr std::string_view kKey = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  for (std::string line; std::getline(cache, line);) {
    if (line.starts_with(kKey)) return line.substr(kKey.size());
  }
  return "";
}

}  // namespace

std::string own_source() {
  const auto above = fs::path(own_path()).parent_path().parent_path();  // of PREFIX/bin/proffer
  const auto source = source_of(above);
  if (!source.empty() && has_headers(source)) return source;
  return has_headers(above) ? above.string() : "";
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
