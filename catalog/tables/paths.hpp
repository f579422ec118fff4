// Paths of the store as the tables keep them: always in the form that normal_path returns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace proffer::catalog {

/// Returns how every path below `folder` starts: "/a/" for "/a", "/" for "/".
std::string folder_prefix(std::string_view folder);

/// Returns the folders a path lies in, nearest last: "/a", "/a/b" for "/a/b/c". The root is not among them.
std::vector<std::string> folders_of(std::string_view path);

}  // namespace proffer::catalog
