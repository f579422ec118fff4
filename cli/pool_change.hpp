// What an operator says of a pool, as the message that is sent.
#pragma once

#include <string>
#include <vector>

#include "proffer/messages/admin.hpp"
#include "proffer/result.hpp"

namespace proffer::cli {

/// "root" is the root, whose name is empty. `invalid`: no pool can be called that.
Result<std::string> pool_named(const std::string& text);

/// `verb`: create, set or rm; `settings`: KEY=VALUE, see set_pool in formats/config.hpp. `invalid` with a
/// sentence.
Result<ChangePool> pool_change(const std::string& verb, const std::string& pool,
                               const std::vector<std::string>& settings);

/// Which settings there are, for --help.
std::string pool_settings_help();

}  // namespace proffer::cli
