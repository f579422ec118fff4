// Dotted names of pools.
#pragma once

#include <string_view>

namespace proffer {

/// The pool of that dotted name is `pool`, or lies below it; every pool lies in the root, whose name is
/// empty.
inline bool lies_in(std::string_view path, std::string_view pool) {
  if (pool.empty() || path == pool) return true;
  return path.starts_with(pool) && path.substr(pool.size()).starts_with('.');
}

}  // namespace proffer
