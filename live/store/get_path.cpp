#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "live/os/io_error.hpp"
#include "live/os/open_file.hpp"
#include "live/store/listed_files.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/live/store_commands.hpp"

namespace proffer::live {
namespace {

namespace fs = std::filesystem;

/// A file or folder under a name of its own, until it is whole; deleted unless it is kept.
class Unfinished {
 public:
  explicit Unfinished(const std::string& local)
      : local_(local), path_(local + ".partial-" + std::to_string(::getpid())) {}
  ~Unfinished() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

  /// Renames it to its own name; never in place of something else.
  Result<> keep() const {
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, local_.c_str(), RENAME_NOREPLACE) == 0) return {};
    return file_error("cannot make " + local_);
  }

 private:
  std::string local_;
  std::string path_;
};

Result<> may_make(const std::string& local) {
  std::error_code error;
  if (fs::symlink_status(local, error).type() != fs::file_type::not_found) {
    return Error{ErrorCode::exists, local + " is there already; nothing is overwritten"};
  }
  const auto folder = fs::absolute(local).parent_path();
  if (!fs::is_directory(folder, error)) {
    return Error{ErrorCode::not_found, "there is no folder " + folder.string()};
  }
  return {};
}

Result<> write_to(const std::string& local, Fetcher& fetcher, const FileInfo& file, const std::string& token,
                  const std::function<void(std::uint64_t)>& moved) {
  std::error_code error;
  const auto folder = fs::path(local).parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) return Error{ErrorCode::io, "cannot make the folder of " + local + ": " + error.message()};
  auto output = OpenFile::to_create(local);
  if (!output) return output.error();
  return read_file(fetcher, file, token, [&](std::string_view bytes) {
    auto written = output->write(bytes);
    moved(bytes.size());
    return written;
  });
}

}  // namespace

Result<GetReport> get_path(Context& context, CatalogClient& catalog, const std::string& path,
                           const std::string& local, Duration timeout, const Progress& progress) {
  const auto from = normal_path(path);
  if (!from) return from.error();
  // "out/" and "out" are the same place.
  const auto to = (fs::path(local) / "").parent_path().string();
  if (auto may = may_make(to); !may) return may.error();
  const auto listed = files_with_blocks(catalog, *from);
  if (!listed) return listed.error();
  std::uint64_t total = 0;
  for (const auto& file : listed->files) total += file.length;
  GetReport report;
  const auto moved = [&](std::uint64_t bytes) {
    report.bytes += bytes;
    if (progress) progress(report.bytes, total);
  };
  const Unfinished unfinished(to);
  Fetcher fetcher(context, timeout);
  for (const auto& file : listed->files) {
    // Empty for a file by itself; else "/" and the names below the folder.
    const auto below = *from == "/" ? file.path : file.path.substr(from->size());
    auto written = write_to(unfinished.path() + below, fetcher, file, listed->token, moved);
    if (!written) return written.error();
    ++report.files;
  }
  if (listed->files.empty()) return Error{ErrorCode::not_found, "the store is empty"};
  if (auto kept = unfinished.keep(); !kept) return kept.error();
  return report;
}

}  // namespace proffer::live
