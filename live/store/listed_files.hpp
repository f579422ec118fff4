// Files of the store as the commands that read them see them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/live/store_client.hpp"

namespace proffer::live {

/// Returns the complete files at or below a path, with their blocks, and the token that opens these. Blocks
/// that nobody holds are waited for as long as the catalog's patience lasts, and listed as they are then.
Result<FilesListed> files_with_blocks(CatalogClient& catalog, const std::string& path);

/// Reads all bytes of a file in order. The error of a block that cannot be read names the file.
Result<> read_file(Fetcher& fetcher, const FileInfo& file, const std::string& token,
                   const std::function<Result<>(std::string_view)>& sink);

}  // namespace proffer::live
