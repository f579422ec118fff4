#include "live/run/leftovers.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

namespace proffer::live {
namespace {

std::vector<pid_t> children() {
  const auto self = std::to_string(::getpid());
  std::ifstream list("/proc/" + self + "/task/" + self + "/children");
  std::vector<pid_t> all;
  for (pid_t child = 0; list >> child;) all.push_back(child);
  return all;
}

}  // namespace

void reap_children(const std::function<bool(pid_t)>& leader_ended) {
  while (true) {
    siginfo_t about{};
    if (::waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) != 0 || about.si_pid == 0) return;
    if (!leader_ended(about.si_pid)) ::waitpid(about.si_pid, nullptr, WNOHANG);
  }
}

void end_all_children() {
  const auto give_up_at = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  // The children of what is killed become ours: so again, until there are none.
  for (auto left = children(); !left.empty(); left = children()) {
    for (const auto child : left) ::kill(child, SIGKILL);
    sigset_t child_ended;
    ::sigemptyset(&child_ended);
    ::sigaddset(&child_ended, SIGCHLD);
    const timespec moment{0, 10'000'000};
    ::sigtimedwait(&child_ended, nullptr, &moment);
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    if (std::chrono::steady_clock::now() > give_up_at) return;
  }
}

}  // namespace proffer::live
