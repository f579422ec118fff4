#include "live/run/sandbox_shelf.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "live/os/io_error.hpp"

namespace proffer::live {
namespace {
namespace fs = std::filesystem;

// The name of the folder of what is to be deleted. No framework and no task can be called so: '~' is in no
// valid name.
constexpr const char* kTrash = "/~trash";

/// Makes a folder; returns 0, or an errno.
int make_folder(const std::string& path) { return ::mkdir(path.c_str(), 0700) == 0 ? 0 : errno; }

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure)) {
    std::error_code ignored;
    if (fs::is_directory(it->symlink_status(ignored))) found.push_back(it->path());
  }
  return found;
}

}  // namespace

SandboxShelf::SandboxShelf(std::string root, std::size_t keep, Live live)
    : root_(std::move(root)), keep_(keep), live_(std::move(live)) {
  for (const auto& trash : folders_in(root_ + kTrash)) janitor_.remove(trash.string());
  find_finished();
}

void SandboxShelf::find_finished() {
  std::vector<std::pair<fs::file_time_type, std::string>> by_age;
  std::set<std::string> taken;
  for (const auto& [launch, folder] : live_) taken.insert(folder);
  for (const auto& framework : folders_in(root_)) {
    if (framework == root_ + kTrash) continue;
    for (const auto& task : folders_in(framework)) {
      if (taken.contains(task.string())) continue;
      std::error_code ignored;
      by_age.emplace_back(fs::last_write_time(task, ignored), task.string());
    }
  }
  std::sort(by_age.begin(), by_age.end());
  for (auto& [age, folder] : by_age) finished_.push_back(std::move(folder));
  while (finished_.size() > keep_) discard_oldest();
}

Result<std::string> SandboxShelf::make(LaunchId launch, FrameworkId framework,
                                       const std::string& framework_name, const TaskId& task) {
  const auto parent = root_ + "/" + framework_name + "." + to_hex(framework.value).substr(0, 8);
  if (const int error = make_folder(parent); error != 0 && error != EEXIST) {
    return io_error("cannot make the folder " + parent, error);
  }
  auto folder = parent + "/" + task.value;
  for (const auto& [other, taken] : live_) {
    if (taken == folder) return Error{ErrorCode::exists, "a task runs in the folder " + folder};
  }
  int error = make_folder(folder);
  if (error == EEXIST) {
    if (auto moved = move_aside(folder); !moved) return moved.error();
    error = make_folder(folder);
  }
  if (error != 0) return io_error("cannot make the folder " + folder, error);
  live_[launch] = folder;
  return folder;
}

Result<> SandboxShelf::move_aside(const std::string& folder) {
  int error = EEXIST;
  std::string aside;
  for (int n = 1; error == EEXIST || error == ENOTEMPTY; ++n) {
    aside = folder + "~" + std::to_string(n);
    error = ::access(aside.c_str(), F_OK) == 0                ? EEXIST
            : std::rename(folder.c_str(), aside.c_str()) == 0 ? 0
                                                              : errno;
  }
  if (error != 0) return io_error("cannot move the folder " + folder + " aside", error);
  for (auto& old : finished_) {
    if (old == folder) old = aside;
  }
  return {};
}

void SandboxShelf::finish(LaunchId launch) {
  auto node = live_.extract(launch);
  if (node.empty()) return;
  finished_.push_back(std::move(node.mapped()));
  while (finished_.size() > keep_) discard_oldest();
}

void SandboxShelf::drop(LaunchId launch) {
  auto node = live_.extract(launch);
  if (!node.empty()) discard(node.mapped());
}

void SandboxShelf::discard_oldest() {
  const auto folder = std::move(finished_.front());
  finished_.pop_front();
  discard(folder);
}

void SandboxShelf::discard(const std::string& folder) {
  // The folder is renamed first, since its name may be wanted again before it is deleted.
  make_folder(root_ + kTrash);
  auto trash = root_ + kTrash + "/" + std::to_string(::getpid()) + "-" + std::to_string(++discarded_);
  if (std::rename(folder.c_str(), trash.c_str()) != 0) return;
  ::rmdir(fs::path(folder).parent_path().c_str());  // if that was the last of its framework
  janitor_.remove(std::move(trash));
}

}  // namespace proffer::live
