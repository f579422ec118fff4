// Policies from shared objects.
#pragma once

#include <string>

#include "proffer/result.hpp"

namespace proffer {

/// A plug-in whose policies are in policies().
struct Plugin {
  std::string path;         ///< absolute, without symbolic links
  std::string fingerprint;  ///< of its bytes: equal for equal ones
};

/// Loads the file, and registers its policies; a file that is loaded already is just told of again. It is
/// never unloaded: policies of it may live as long as the program. Before the first machine or thread, as
/// policies() says.
///
/// `not_found` and `io` for the file; `invalid` when it is no shared object, lacks symbols, has no policies
/// or is built for another interface; `exists` for a name that is taken. Each message begins with the file.
/// Then none of its policies is registered.
Result<Plugin> load_policies(const std::string& path);

}  // namespace proffer
