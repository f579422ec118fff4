#include "tests/study_report/files.hpp"

#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace proffer::study {
namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

Folder::Folder() {
  auto name = (std::filesystem::temp_directory_path() / "proffer-report-XXXXXX").string();
  path_ = ::mkdtemp(name.data());
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

Outcome run_command(const Folder& folder, const std::string& command) {
  const auto out = folder.path() / "stdout";
  const auto err = folder.path() / "stderr";
  const auto status = std::system(("cd '" + folder.path().string() + "' && { " + command + "; } >'" +
                                   out.string() + "' 2>'" + err.string() + "'")
                                      .c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(out), read_text(err)};
}

bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
}

}  // namespace proffer::study
