#include "live/host/state_dir.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "live/os/io_error.hpp"

namespace proffer::live {
namespace {

namespace fs = std::filesystem;

Result<std::string> make_folder(const std::string& text) {
  std::error_code error;
  const auto path = fs::absolute(text, error).lexically_normal();
  if (!error && !fs::is_directory(path, error)) {
    fs::create_directories(path, error);
    if (!error) fs::permissions(path, fs::perms::owner_all, error);
  }
  if (error) return Error{ErrorCode::io, "cannot make the folder " + text + ": " + error.message()};
  return path.string();
}

}  // namespace

Result<StateDir> StateDir::lock(const std::string& text, const std::string& whose) {
  auto path = make_folder(text);
  if (!path) return path.error();
  const auto file = *path + "/lock";
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock.open()) return os_error(ErrorCode::io, "cannot open " + file);
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return StateDir(*path, std::move(lock));
  if (errno == EWOULDBLOCK) return Error{ErrorCode::exists, whose + " is running on " + *path + " already"};
  return os_error(ErrorCode::io, "cannot lock " + file);
}

Result<std::string> StateDir::folder(const std::string& name) const { return make_folder(file(name)); }

}  // namespace proffer::live
