#include "live/run/spawning.hpp"

#include <fcntl.h>
#include <signal.h>

namespace proffer::live {

void SpawnActions::empty_stdin() {
  ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
}

void SpawnActions::append_to(const std::string& path, int as) {
  ::posix_spawn_file_actions_addopen(&actions_, as, path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
}

SpawnAttributes::SpawnAttributes() {
  sigset_t none;
  sigset_t all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_init(&attributes_);
  ::posix_spawnattr_setsigmask(&attributes_, &none);
  ::posix_spawnattr_setsigdefault(&attributes_, &all);
  ::posix_spawnattr_setpgroup(&attributes_, 0);
  ::posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

std::vector<char*> spawn_words(const std::vector<std::string>& words) {
  std::vector<char*> all;
  all.reserve(words.size() + 1);
  for (const auto& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

}  // namespace proffer::live
