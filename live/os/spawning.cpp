#include "live/os/spawning.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>

// The header of glibc 2.36 forgets to say that its functions are C.
extern "C" {
#include <sys/pidfd.h>
}

namespace proffer::live {

void SpawnActions::empty_stdin() { read_from("/dev/null", 0); }

void SpawnActions::read_from(const std::string& path, int as) {
  ::posix_spawn_file_actions_addopen(&actions_, as, path.c_str(), O_RDONLY, 0);
}

void SpawnActions::write_to(const std::string& path, int as) {
  ::posix_spawn_file_actions_addopen(&actions_, as, path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
}

void SpawnActions::append_to(const std::string& path, int as) {
  ::posix_spawn_file_actions_addopen(&actions_, as, path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
}

SpawnAttributes::SpawnAttributes(Leads leads) {
  sigset_t none;
  sigset_t all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_init(&attributes_);
  ::posix_spawnattr_setsigmask(&attributes_, &none);
  ::posix_spawnattr_setsigdefault(&attributes_, &all);
  ::posix_spawnattr_setpgroup(&attributes_, 0);
  const auto lead = leads == Leads::session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
  ::posix_spawnattr_setflags(&attributes_,
                             static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | lead));
}

std::vector<char*> spawn_words(const std::vector<std::string>& words) {
  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (const auto& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

Descriptor watch_process(pid_t child) { return Descriptor(::pidfd_open(child, 0)); }

std::optional<int> wait_for_end(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return {};
  }
  return status;
}

ExitStatus exit_status(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {.code = 0, .signal = WTERMSIG(wait_status)};
  return {.code = WEXITSTATUS(wait_status), .signal = 0};
}

}  // namespace proffer::live
