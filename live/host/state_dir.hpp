// A folder that belongs to one process at a time.
#pragma once

#include <string>
#include <utility>

#include "live/os/descriptor.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class StateDir {
 public:
  /// Makes the folder (for its owner only) where it is missing, and holds a lock on it until destroyed or the
  /// process ends. `exists` when another process holds it; `io`. `whose` names that process in the message:
  /// "an allocator".
  static Result<StateDir> lock(const std::string& path, const std::string& whose);

  /// Returns the path: absolute, so that it means the same to programs started elsewhere.
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Returns the path of a folder in this one, made where missing. `io`.
  Result<std::string> folder(const std::string& name) const;

 private:
  StateDir(std::string path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::string path_;
  Descriptor lock_;
};

}  // namespace proffer::live
