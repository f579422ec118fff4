// The work of `proffer put`, `get`, `cat`, `ls` and `rm`, without output to the terminal. Every failure is
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

/// Called after each piece with the bytes moved so far, and the total.
using Progress = std::function<void(std::uint64_t, std::uint64_t)>;

struct PutReport {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t blocks = 0;
  std::uint64_t missing_replicas = 0;  ///< see WriteReport
  /// Entries below a folder that were passed over: links to folders, and everything that is neither file nor
  /// folder.
  std::uint64_t skipped = 0;
};

/// Copies the file, or all files below the folder, `local` to `path`, which must not exist; it appears there
/// whole or not at all. Links to files are followed. `not_found`: no such file or folder, or no file in it;
/// `exists`; `invalid`: a name that the store cannot have; `refused`: `stop` (may be null) was requested
/// meanwhile.
Result<PutReport> put_path(Context& context, CatalogClient& catalog, const std::string& local,
                           const std::string& path, const StoreOptions& options,
                           const Progress& progress = {}, const Stop* stop = nullptr);

struct GetReport {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

/// Copies the file or folder `path` to `local`, which must not exist, in a folder that must. The copy appears
/// there whole or not at all. `timeout`: time without any progress.
Result<GetReport> get_path(Context& context, CatalogClient& catalog, const std::string& path,
                           const std::string& local, Duration timeout, const Progress& progress = {});

/// The bytes of a file, or of all files below a folder in order of path.
Result<> cat_path(Context& context, CatalogClient& catalog, const std::string& path, Duration timeout,
                  const std::function<Result<>(std::string_view)>& sink);

struct StoreEntry {
  std::string path;
  bool is_folder = false;
  std::uint64_t length = 0;       ///< length of a file, or of all files below a folder
  std::uint64_t files = 1;        ///< number of files below a folder; 1 for a file
  std::uint32_t replication = 0;  ///< replication of a file
  bool operator==(const StoreEntry&) const = default;
};

/// Lists a file by itself, or what lies directly in a folder, or (`recursive`) every file below it. Sorted by
/// path.
Result<std::vector<StoreEntry>> list_path(CatalogClient& catalog, const std::string& path, bool recursive);

/// Removes a file, or everything below a folder, unfinished files included. The root is refused: callers must
/// name what to remove.
Result<> remove_path(CatalogClient& catalog, const std::string& path);

}  // namespace proffer::live
