// Unix sockets by the name of a file in a folder, however long the folder's own name is.
#pragma once

#include <sys/types.h>

#include <string>

#include "live/os/descriptor.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// Listens at `folder`/`name`, in place of what has that name. None of what is returned here blocks. `io`.
Result<Descriptor> listen_at(const std::string& folder, const char* name);
/// Connects to whoever listens there. `not_found` when nobody does (any more); `io`.
Result<Descriptor> connect_to(const std::string& folder, const char* name);
/// Returns the next connection; none when nobody waits for one.
Descriptor accept_from(const Descriptor& listener);
/// Two ends that are connected.
struct SocketPair {
  Descriptor ours;
  Descriptor theirs;
  static Result<SocketPair> make();
};
/// Returns the process that listened where this connection leads; -1 when that cannot be told.
pid_t listener_of(const Descriptor& connection);

}  // namespace proffer::live
