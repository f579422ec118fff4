// Starting programs with posix_spawn, and waiting for their end.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "live/os/descriptor.hpp"
#include "proffer/task_state.hpp"

namespace proffer::live {

/// The descriptors and the folder that a new process finds, in the order in which they are asked for.
class SpawnActions {
 public:
  SpawnActions() { ::posix_spawn_file_actions_init(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }

  /// `as` must not be the number of another end that is yet to be given.
  void give(const Descriptor& end, int as) { ::posix_spawn_file_actions_adddup2(&actions_, end.get(), as); }
  void empty_stdin();
  void read_from(const std::string& path, int as);
  /// The new process writes to that file instead of what was in it. Others may read one that is made.
  void write_to(const std::string& path, int as);
  /// The new process writes to the end of that file, which is made for its owner alone where it is missing.
  void append_to(const std::string& path, int as);
  void enter(const std::string& folder) { ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()); }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

/// Attributes of a process that leads a group (or session) of its own, with no signal blocked and all as by
/// default.
class SpawnAttributes {
 public:
  enum class Leads : std::uint8_t { group, session };
  explicit SpawnAttributes(Leads leads = Leads::group);
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

/// Returns the words in the form of argv and envp; valid as long as `words` is.
std::vector<char*> spawn_words(const std::vector<std::string>& words);

/// Returns a descriptor (a pidfd) that is readable once that child has ended; none, with errno set, when
/// there cannot be one.
Descriptor watch_process(pid_t child);
/// Waits until the child has ended, and returns its wait status; none, with errno set, when it cannot be
/// waited for.
std::optional<int> wait_for_end(pid_t child);
/// Returns the exit code, or the signal, that a wait status of an ended process stands for.
ExitStatus exit_status(int wait_status);

}  // namespace proffer::live
