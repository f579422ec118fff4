// The message that is sent when an operator changes a pool.
#pragma once

#include <string>
#include <vector>

#include "proffer/messages/admin.hpp"
#include "proffer/result.hpp"

namespace proffer::cli {

/// Returns the name of a pool; "root" is the root, whose name is empty. `invalid`: no pool can have that
/// name.
Result<std::string> pool_named(const std::string& text);

/// Returns the message. `verb`: create, set or rm; `settings`: KEY=VALUE, see set_pool in formats/config.hpp.
/// `invalid` with a sentence.
Result<ChangePool> pool_change(const std::string& verb, const std::string& pool,
                               const std::vector<std::string>& settings);

/// Lists the settings, for --help.
std::string pool_settings_help();

}  // namespace proffer::cli
