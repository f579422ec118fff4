// A folder that is gone with its object.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "proffer/check.hpp"

namespace proffer::bench {

class Folder {
 public:
  /// `parent`: the folder in which it is made; the one for temporary files unless another one is named.
  explicit Folder(const std::string& parent = std::filesystem::temp_directory_path())
      : path_(parent + "/proffer-bench-XXXXXX") {
    PROFFER_CHECK(::mkdtemp(path_.data()) != nullptr, "no folder below " + parent);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace proffer::bench
