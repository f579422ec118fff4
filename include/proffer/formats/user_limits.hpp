// Limits of single users, as [[user]] tables or a list of tables:
//
//   [[user]]
//   name = "ann"
//   max_running = 2     # 0: no limit, whatever max_running_per_user of the root is
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "proffer/formats/toml.hpp"
#include "proffer/pool.hpp"

namespace proffer::formats {

/// `what` is how the list is written, for sentences: "[[user]]". `invalid` with FILE:LINE:COL for what is no
/// such list, a table without one of the keys or with another, and for a user that is there twice.
Result<std::vector<UserLimit>> read_user_limits(const TomlNode& list, std::string_view what,
                                                std::string_view file);

/// As [[user]] tables.
std::string print_user_limits(const std::vector<UserLimit>& users);

}  // namespace proffer::formats
