// The work of `proffer put`, `get`, `cat`, `ls` and `rm`, without a word to the terminal. Every failure is
// one sentence, and leaves nothing behind.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/live/stop.hpp"
#include "proffer/live/store_client.hpp"

namespace proffer::live {

/// Called after each piece: bytes moved so far, and of how many.
using Progress = std::function<void(std::uint64_t, std::uint64_t)>;

struct PutReport {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t blocks = 0;
  std::uint64_t missing_replicas = 0;  ///< see WriteReport
  std::uint64_t skipped = 0;  ///< below a folder: links to folders, and what is neither file nor folder
};

/// Copies the file, or all files below the folder, `local` to `path`, which must not exist; it appears there
/// whole or not at all. Links to files are followed. `not_found`: there is no such thing, or no file in it;
/// `exists`; `invalid`: a name that the store cannot have; `refused`: `stop` (may be null) was requested
/// meanwhile.
Result<PutReport> put_path(Context& context, CatalogClient& catalog, const std::string& local,
                           const std::string& path, const StoreOptions& options,
                           const Progress& progress = {}, const Stop* stop = nullptr);

struct GetReport {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

/// Copies the file or folder `path` to `local`, which must not exist, in a folder that must. It appears there
/// whole or not at all. `timeout`: without any progress.
Result<GetReport> get_path(Context& context, CatalogClient& catalog, const std::string& path,
                           const std::string& local, Duration timeout, const Progress& progress = {});

/// The bytes of a file, or of all files below a folder in order of path.
Result<> cat_path(Context& context, CatalogClient& catalog, const std::string& path, Duration timeout,
                  const std::function<Result<>(std::string_view)>& sink);

struct StoreEntry {
  std::string path;
  bool is_folder = false;
  std::uint64_t length = 0;       ///< the length; a folder's is that of all files below it
  std::uint64_t files = 1;        ///< the number of files; a folder's is that of all below it
  std::uint32_t replication = 0;  ///< the replication of a file
  bool operator==(const StoreEntry&) const = default;
};

/// A file by itself; of a folder what lies directly in it, or (`recursive`) every file below it. In order of
/// path.
Result<std::vector<StoreEntry>> list_path(CatalogClient& catalog, const std::string& path, bool recursive);

/// A file, or all below a folder, unfinished files among them. The root is refused: name what is to go.
Result<> remove_path(CatalogClient& catalog, const std::string& path);

}  // namespace proffer::live
