// proffer-launcher: started by an agent with one end of a socket as descriptor 3.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>

#include "live/run/launcher.hpp"

int main() {
  int type = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(3, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
    std::fputs("proffer-launcher is started by proffer agent, not by hand\n", stderr);
    return 2;
  }
  // Out of the way of the descriptors that tasks get.
  const int socket = ::fcntl(3, F_DUPFD_CLOEXEC, 16);
  ::close(3);
  return proffer::live::run_launcher(socket);
}
