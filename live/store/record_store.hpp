// The records of a machine on disk: one SQLite file, owned by one process at a time. What commit() has
// acknowledged survives a crash of the process and of the machine; all else is as if it had never been.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "proffer/kept.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// The names of the files in the folders of those that keep records.
inline constexpr const char* kAllocatorRecords = "allocator.sqlite";
inline constexpr const char* kAgentRecords = "agent.sqlite";
inline constexpr const char* kFrameworkRecords = "framework.sqlite";

class RecordStore {
 public:
  /// Opens the file, and makes it when there is none (its folder must exist). `exists`: another process has
  /// it open; `version`: another proffer made it; `corrupt`: it is no store of records, or is damaged;
  /// `no_space`; `io`.
  static Result<std::unique_ptr<RecordStore>> open(const std::string& path);
  ~RecordStore();

  /// Returns what was on disk when the store was opened, by kind and key; handed out once, since its machine
  /// keeps it from then on.
  std::vector<Kept> records();

  /// Takes one change into the open group. After an error of these or of commit(), nothing of the group is
  /// durable. `no_space`: the disk is full, and the whole group may be given again once there is room. After
  /// any other error the process must end: its state no longer equals the disk's.
  Result<> keep(const Kept& record);
  Result<> drop(const KeptKey& key);
  /// Makes all changes since the last commit durable, together or not at all. Nothing to do: no cost.
  Result<> commit();
  /// Moves committed changes to their place in the file: see Database::tidy().
  void tidy();

 private:
  struct Impl;
  explicit RecordStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
