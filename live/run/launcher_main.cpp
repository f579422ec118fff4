// proffer-launcher DIR IDLE_MS: started by an agent with one end of a socket as descriptor 3.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "live/run/launcher.hpp"
#include "live/run/shim.hpp"

namespace {

constexpr int kSocket = 3;

/// Closes the descriptors that the agent happened to leave open: tasks must not inherit them.
void close_inherited() { ::close_range(kSocket + 1, ~0u, 0); }

/// Fills the low numbers, so that everything we open gets a higher one, out of the way of what tasks get.
void take_low_descriptors() {
  int fd = 0;
  do {
    fd = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  } while (fd >= 0 && fd < proffer::live::kFirstOwnDescriptor - 1);
}

}  // namespace

int main(int argc, char** argv) {
  int type = 0;
  socklen_t size = sizeof type;
  if (argc != 3 || ::getsockopt(kSocket, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
    std::fputs("proffer-launcher is started by proffer agent, not by hand\n", stderr);
    return 2;
  }
  close_inherited();
  proffer::live::Descriptor socket(::fcntl(kSocket, F_DUPFD_CLOEXEC, proffer::live::kFirstOwnDescriptor));
  ::close(kSocket);
  take_low_descriptors();
  if (::chdir("/") != 0) return 1;  // the folder in which the agent was started may be unmounted
  return proffer::live::run_launcher(argv[1], std::move(socket),
                                     std::chrono::milliseconds(std::atoll(argv[2])));
}
