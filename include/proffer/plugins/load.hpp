// Policies from shared objects.
#pragma once

#include <string>

#include "proffer/result.hpp"

namespace proffer {

/// A loaded plug-in: its policies are in policy_registry().
struct Plugin {
  std::string path;         ///< absolute, without symbolic links
  std::string fingerprint;  ///< fingerprint of the file's bytes: equal for equal files
};

/// Loads the file, and registers its policies; a file that is already loaded is only described again. A
/// plug-in is never unloaded: its policies may live as long as the program. Must be called before the first
/// machine or thread, as policy_registry() says.
///
/// Errors: `not_found` and `io` for the file; `invalid` when it is no shared object, lacks symbols, has no
/// policies or is built for another interface; `exists` for a name that is taken. Each message begins with
/// the file. When there is an error, none of its policies is registered.
Result<Plugin> load_policies(const std::string& path);

}  // namespace proffer
