#include "live/run/local_socket.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "live/os/io_error.hpp"

namespace proffer::live {
namespace {

constexpr int kWaiting = 64;  // connections that nobody has accepted yet

/// Names a file in a folder that is open by that folder's descriptor: an address has room for 107 bytes, which
/// the path of an agent's folder may well exceed.
sockaddr_un address_in(const Descriptor& folder, const char* name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto path = "/proc/self/fd/" + std::to_string(folder.get()) + "/" + name;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

Descriptor open_folder(const std::string& folder) {
  return Descriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

Descriptor new_socket() {
  return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

}  // namespace

Result<Descriptor> listen_at(const std::string& folder, const char* name) {
  const auto in = open_folder(folder);
  if (!in.open()) return io_error("cannot open the folder " + folder);
  auto socket = new_socket();
  if (!socket.open()) return io_error("no socket for a run");
  ::unlinkat(in.get(), name, 0);
  const auto address = address_in(in, name);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket.get(), kWaiting) != 0) {
    return io_error("cannot listen at " + folder + "/" + name);
  }
  return socket;
}

Result<Descriptor> connect_to(const std::string& folder, const char* name) {
  const auto in = open_folder(folder);
  auto socket = new_socket();
  const auto address = address_in(in, name);
  if (in.open() && socket.open() &&
      ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return socket;
  }
  const bool nobody = errno == ECONNREFUSED || errno == ENOENT;
  return os_error(nobody ? ErrorCode::not_found : ErrorCode::io, "cannot connect to " + folder + "/" + name);
}

Descriptor accept_from(const Descriptor& listener) {
  return Descriptor(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

Result<SocketPair> SocketPair::make() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) {
    return io_error("no socket for a run");
  }
  return SocketPair{Descriptor(ends[0]), Descriptor(ends[1])};
}

pid_t listener_of(const Descriptor& connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : -1;
}

}  // namespace proffer::live
