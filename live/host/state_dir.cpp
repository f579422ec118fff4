#include "live/host/state_dir.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

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
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return Error{ErrorCode::io, "cannot open " + file + ": " + std::strerror(errno)};
  StateDir dir(*path, fd);
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return dir;
  if (errno == EWOULDBLOCK) return Error{ErrorCode::exists, whose + " is running on " + *path + " already"};
  return Error{ErrorCode::io, "cannot lock " + file + ": " + std::strerror(errno)};
}

StateDir::~StateDir() {
  if (fd_ >= 0) ::close(fd_);
}

Result<std::string> StateDir::folder(const std::string& name) const { return make_folder(file(name)); }

}  // namespace proffer::live
