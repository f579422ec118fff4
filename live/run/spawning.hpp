// What a new process is to find, for posix_spawn.
#pragma once

#include <spawn.h>

#include <string>
#include <vector>

#include "live/run/descriptor.hpp"

namespace proffer::live {

/// Its descriptors and folder, in the order in which they are asked for.
class SpawnActions {
 public:
  SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  /// `as` must not be the number of another end that is yet to be given.
  void give(const Descriptor& end, int as) { ::posix_spawn_file_actions_adddup2(&actions_, end.get(), as); }
  void empty_stdin();
  /// The end of that file, which is made for its owner alone where it is missing.
  void append_to(const std::string& path, int as);
  void enter(const std::string& folder) { ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// Leader of a process group of its own, with no signal blocked and all as by default.
class SpawnAttributes {
 public:
  SpawnAttributes();
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

/// As argv and envp are wanted; valid as long as `words` is.
std::vector<char*> spawn_words(const std::vector<std::string>& words);

}  // namespace proffer::live
