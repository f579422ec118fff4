// The places of programs, and temporary folders.
#pragma once

#include <string>

#include "proffer/result.hpp"

namespace proffer::cli {

/// The path of this executable.
std::string own_path();
/// Returns the folder with this program's headers in include/: the checkout that it was built in, or where it
/// is installed. Empty: neither exists any more.
std::string own_source();
/// Finds a program beside this one or, with a slash in `word`, at that path; else on PATH. Empty: not found.
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
