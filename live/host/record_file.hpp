// A few named values in a small text file that is replaced as a whole, durably:
//
//   proffer KIND 1
//   key value
//   crc32 XXXXXXXX
//
// An unknown version or a wrong checksum is refused, never guessed at.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "proffer/result.hpp"

namespace proffer::live {

/// Keys are single words; values have no newline.
using Record = std::map<std::string, std::string>;

/// Returns none when there is no such file. `version`, `corrupt` or `io`.
Result<std::optional<Record>> load_record(const std::string& path, const std::string& kind);
/// Writes the file; it and its name in the folder are on disk when this returns. `no_space` when the disk is
/// full, and then the file is as it was; `io`.
Result<> save_record(const std::string& path, const std::string& kind, const Record& record);

}  // namespace proffer::live
