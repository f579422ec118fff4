#include "live/chaos/victims.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "proffer/formats/toml.hpp"

namespace proffer::live {
namespace {

/// Returns the text of a file; empty when there is none, or its process has ended meanwhile.
std::string contents(const std::filesystem::path& path) {
  const auto text = formats::read_text_file(path.string());
  return text ? *text : "";
}

/// Calls visit(pid, its folder in /proc) for every process.
template <class Visit>
void each_process(Visit&& visit) {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
    const auto name = entry.path().filename().string();
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc{} && end == name.data() + name.size()) visit(pid, entry.path());
  }
}

}  // namespace

std::vector<pid_t> launchers_of(const std::string& work_dir) {
  std::vector<pid_t> found;
  each_process([&](pid_t pid, const std::filesystem::path& proc) {
    // The kernel keeps 15 bytes of a name; a shim, which begins as a launcher, has one of its own.
    if (!contents(proc / "comm").starts_with("proffer-launche")) return;
    if (contents(proc / "cmdline").find(work_dir) != std::string::npos) found.push_back(pid);
  });
  return found;
}

std::vector<pid_t> processes_naming(const std::string& folder) {
  std::vector<pid_t> found;
  each_process([&](pid_t pid, const std::filesystem::path& proc) {
    if (pid == ::getpid()) return;
    const bool named = contents(proc / "cmdline").find(folder) != std::string::npos ||
                       contents(proc / "environ").find(folder) != std::string::npos;
    if (named) found.push_back(pid);
  });
  return found;
}

}  // namespace proffer::live
