// Opening files where tasks can write. All that lies below an agent's folder is within the reach of its
// tasks, so a name there may stand for a fifo (opening one waits for ever), a link to elsewhere, a device or
// a folder.
#pragma once

#include <sys/types.h>

#include <string>

#include "live/run/descriptor.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// The regular file of that name; never waits, and never follows a link in its place. `flags` as open(2) has
/// them, without O_TRUNC and with O_CREAT where it may be missing. `not_found`, or `io`.
Result<Descriptor> open_plain(const std::string& path, int flags);

/// A new, empty file instead of whatever has that name; a folder stays, and is an error. Nothing that was
/// there is opened or written to. `flags` beside O_CREAT and O_EXCL. `io`.
Result<Descriptor> make_plain(const std::string& path, int flags, mode_t mode = 0600);

}  // namespace proffer::live
