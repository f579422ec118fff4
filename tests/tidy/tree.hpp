// The real tree, as files of text, and what its build compiles.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "tests/tidy/rules.hpp"

namespace proffer::tidy {

/// All text below `root` that belongs to the repository, in order of path: no build folders, no results of
/// runs.
Tree read_tree(const std::filesystem::path& root);

/// The sources named in a compile_commands.json, those that CMake compiles together too, relative to `root`.
/// Empty when the file cannot be read.
std::set<std::string> compiled_sources(const std::filesystem::path& commands,
                                       const std::filesystem::path& root);

}  // namespace proffer::tidy
