// A folder that belongs to one process at a time.
#pragma once

#include <string>
#include <utility>

#include "proffer/result.hpp"

namespace proffer::live {

class StateDir {
 public:
  /// Makes the folder (for its owner only) where it is missing, and holds a lock on it until destroyed or the
  /// process ends. `exists` when another process holds it; `io`. `whose` names that process in the message:
  /// "an allocator".
  static Result<StateDir> lock(const std::string& path, const std::string& whose);
  StateDir(StateDir&& other) noexcept : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}
  StateDir& operator=(StateDir&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~StateDir();

  /// Absolute, so that it means the same to programs started elsewhere.
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// A folder in it, made where missing. `io`.
  Result<std::string> folder(const std::string& name) const;

 private:
  StateDir(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::string path_;
  int fd_ = -1;
};

}  // namespace proffer::live
