#include "study/results/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace proffer::study {
namespace {

namespace fs = std::filesystem;

Result<> outcome(std::string_view what, const fs::path& path, const std::error_code& error) {
  if (!error) return {};
  return Error{ErrorCode::io, fmt::format("cannot {} {}: {}", what, path.string(), error.message())};
}

}  // namespace

Result<> make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return outcome("make the folder", path, error);
}

Result<> remove_folder(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  return outcome("remove", path, error);
}

Result<> move_folder(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  return outcome("make", to, error);
}

Result<> write_file(const fs::path& path, std::string_view text) {
  auto part = path;
  part += ".part";
  {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out)
      return Error{ErrorCode::io, fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
  }
  std::error_code error;
  fs::rename(part, path, error);
  return outcome("write", path, error);
}

}  // namespace proffer::study
