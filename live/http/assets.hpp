// The files of the dashboard, as they are built into the program.
#pragma once

#include <span>
#include <string_view>

namespace proffer::live {

struct Asset {
  std::string_view path;  ///< in URLs: "/", "/style.css"
  std::string_view type;  ///< of its content, for Content-Type
  std::string_view text;
};

/// Returns all of them.
std::span<const Asset> assets();

}  // namespace proffer::live
