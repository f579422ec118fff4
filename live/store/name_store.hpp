// The catalog's names on disk: one SQLite file, owned by one process at a time. Changes that commit() has
// acknowledged survive a crash of the process and of the machine; all others are as if they had never been.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "proffer/machine.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// The name of the file in the catalog's folder.
inline constexpr const char* kNamesFile = "names.sqlite";

class NameStore {
 public:
  /// Opens the file, and creates it when there is none (its folder must exist). `exists`: another process has
  /// it open; `version`: a newer proffer made it; `corrupt`: it is no store of names, or its rows do not
  /// agree; `io`.
  static Result<std::unique_ptr<NameStore>> open(const std::string& path);
  ~NameStore();

  /// Returns the files that were on disk when the store was opened; handed out once, since the catalog keeps
  /// them from then on.
  std::vector<FileInfo> files();
  BlockId next_block() const;

  /// Takes one change into the open group. After an error of apply or commit, nothing of the group is
  /// durable. `no_space`: the disk is full, and the whole group may be applied again once there is room.
  /// After any other error the process must end: its state no longer equals the disk's.
  Result<> apply(const Persist& change);
  /// Makes all changes since the last commit durable, together or not at all. Nothing to do: no cost.
  Result<> commit();
  /// Moves committed changes to their place in the file, as far as there is room, so that the next changes
  /// are written where these have been and need no room of their own.
  void tidy();

 private:
  struct Impl;
  explicit NameStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
