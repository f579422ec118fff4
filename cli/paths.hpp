// Where programs are, and temporary folders.
#pragma once

#include <string>

#include "proffer/result.hpp"

namespace proffer::cli {

/// This executable.
std::string own_path();
/// Where this program's headers are, in include/: the checkout that it was built in, or where it is
/// installed. Empty: neither is there any more.
std::string own_source();
/// A program beside this one or, with a slash in `word`, as it is; else on PATH. Empty: not found.
std::string find_program(const std::string& word);

/// A fresh folder below TMPDIR or /tmp, deleted with all in it at the end.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make(const std::string& prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace proffer::cli
