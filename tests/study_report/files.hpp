// Reports as files, for the programs that look at them.
#pragma once

#include <filesystem>
#include <string>

#include "proffer/study/report.hpp"

namespace proffer::study {

/// A folder that is gone with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void write_text(const std::filesystem::path& path, const std::string& text);

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};
/// Runs a command of the shell; its output goes through files in `folder`.
Outcome run_command(const Folder& folder, const std::string& command);
bool is_installed(const std::string& program);

}  // namespace proffer::study
