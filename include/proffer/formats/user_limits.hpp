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

/// Reads the limits. `what` is the written form of the list, for sentences: "[[user]]". `invalid` with
/// FILE:LINE:COL for a node that is no such list, a table without one of the keys or with another key, and
/// for a user that occurs twice.
Result<std::vector<UserLimit>> read_user_limits(const TomlNode& list, std::string_view what,
                                                std::string_view file);

/// The limits as [[user]] tables.
std::string print_user_limits(const std::vector<UserLimit>& users);

}  // namespace proffer::formats
