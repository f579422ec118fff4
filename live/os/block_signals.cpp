#include "live/os/block_signals.hpp"

#include <signal.h>

namespace proffer::live {

void block_signals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace proffer::live
