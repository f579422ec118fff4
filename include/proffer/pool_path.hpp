// Dotted names of pools, and the names people use for the root.
#pragma once

#include <string_view>

namespace proffer {

/// Returns whether the pool named `path` is `pool` or lies below it; every pool lies in the root, whose name
/// is empty.
inline bool lies_in(std::string_view path, std::string_view pool) {
  if (pool.empty() || path == pool) return true;
  return path.starts_with(pool) && path.substr(pool.size()).starts_with('.');
}

/// Returns whether a name begins with `root`: such a pool could not be told from the root itself.
inline bool is_named_root(std::string_view path) { return lies_in(path, "root"); }
inline constexpr std::string_view kNotNamedRoot =
    "cannot begin with root, which is the pool around all others: write what comes behind it";

}  // namespace proffer
