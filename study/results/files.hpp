// Folders and files, with errors as values.
#pragma once

#include <filesystem>
#include <string_view>

#include "proffer/result.hpp"

namespace proffer::study {

// Each: `io` with the path and the system's reason.
Result<> make_folder(const std::filesystem::path& path);
Result<> remove_folder(const std::filesystem::path& path);  ///< no error when there is none
Result<> move_folder(const std::filesystem::path& from, const std::filesystem::path& to);
/// Under another name first: whoever reads it finds all of it, or what was there before.
Result<> write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace proffer::study
