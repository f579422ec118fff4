// Files and folders of our own, which nobody else may read. A file is written under another name and then
// renamed: under its own name there is always a whole one, the old or the new.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proffer/result.hpp"

namespace proffer::live {

enum class FileMode : std::uint8_t { data, program };  ///< a program may be executed by its owner

/// Writes a file as a whole, as PATH.part first: it has these bytes afterwards, or is as it was. A crash of
/// the machine may lose it. `no_space`, `disk` or `io`.
Result<> replace_file(const std::string& path, std::string_view bytes, FileMode mode = FileMode::data);

/// Writes a file as a whole, as PATH.new first; its bytes and its name in the folder are on disk when this
/// returns. `no_space`, and then the file is as it was; `disk` or `io`.
Result<> replace_file_durably(const std::string& path, std::string_view bytes);

/// Gives the whole file `part` the name `path`, in place of one that has it. Neither is synced. `no_space`,
/// `disk` or `io`.
Result<> rename_whole(const std::string& part, const std::string& path);

/// Removes the file; on disk, too, when it returns. No error when there was none. `io`.
Result<> remove_file_durably(const std::string& path);

/// Makes the folder and all folders above it that are missing. `io`.
Result<> make_private_folders(const std::string& path);

}  // namespace proffer::live
