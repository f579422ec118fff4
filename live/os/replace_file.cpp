#include "live/os/replace_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "live/os/io_error.hpp"
#include "live/os/open_file.hpp"

namespace proffer::live {
namespace {

/// Returns an error after which a disk may have kept one file or the other: never `no_space`, for which
/// callers try again.
Error half_done(const std::string& what) { return os_error(ErrorCode::io, what); }

Result<> write_file(const std::string& path, std::string_view bytes, mode_t mode, bool sync) {
  const auto file = make_plain(path, O_WRONLY, mode);
  if (!file) return file.error();
  Result<> result;
  if (!write_all(file->get(), bytes)) {
    result = io_error("cannot write " + path);
  } else if (sync && ::fdatasync(file->get()) != 0) {
    result = half_done("cannot sync " + path);
  }
  if (!result) ::unlink(path.c_str());
  return result;
}

Result<> rename_part(const std::string& part, const std::string& path, const char* verb) {
  if (std::rename(part.c_str(), path.c_str()) == 0) return {};
  return io_error(std::string("cannot ") + verb + " " + path);
}

/// Syncs the folder of a file. Without that the new name might not survive a crash that the file's bytes do.
Result<> sync_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path().string();
  const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open.open()) return half_done("cannot open " + folder);
  return ::fsync(open.get()) == 0 ? Result<>() : Result<>(half_done("cannot sync " + folder));
}

}  // namespace

Result<> replace_file(const std::string& path, std::string_view bytes, FileMode mode) {
  const auto part = path + ".part";
  auto written = write_file(part, bytes, mode == FileMode::program ? 0700 : 0600, false);
  return written ? rename_part(part, path, "write") : written;
}

Result<> replace_file_durably(const std::string& path, std::string_view bytes) {
  const auto part = path + ".new";
  // The file is synced before it gets its name: otherwise a crash could leave the new name with none of the
  // bytes, and the old file would be gone.
  if (auto written = write_file(part, bytes, 0600, true); !written) return written;
  if (auto renamed = rename_part(part, path, "write"); !renamed) return renamed;
  return sync_folder_of(path);
}

Result<> rename_whole(const std::string& part, const std::string& path) {
  return rename_part(part, path, "make");
}

Result<> remove_file_durably(const std::string& path) {
  if (::unlink(path.c_str()) == 0) return sync_folder_of(path);
  if (errno == ENOENT) return {};
  return os_error(ErrorCode::io, "cannot remove " + path);
}

Result<> make_private_folders(const std::string& path) {
  for (auto slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const auto folder = path.substr(0, slash);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
      return io_error("cannot make the folder " + folder);
    if (slash == std::string::npos) return {};
  }
}

}  // namespace proffer::live
