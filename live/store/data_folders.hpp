// The folders of an agent's blocks and of the outputs of its tasks. Paths are made of ids only, never of text
// from the wire.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/messages/data.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// The name of the folder of blocks in an agent's folder.
inline constexpr const char* kBlocksFolder = "blocks";

class DataFolders {
 public:
  DataFolders(std::string blocks_dir, std::string outputs_dir)
      : blocks_(std::move(blocks_dir)), outputs_(std::move(outputs_dir)) {}

  /// Makes the folders and deletes what was left half-stored. Returns the whole blocks with their lengths, by
  /// id.
  Result<std::vector<std::pair<BlockId, std::uint64_t>>> prepare() const;

  std::string block(BlockId block) const;
  std::string part(BlockId block) const;
  /// Returns the path at which a copy from another agent is made.
  std::string copied(BlockId block) const;
  /// `invalid` when the task's name cannot be one.
  Result<std::string> output(const MapOutputFile& output) const;
  Result<std::string> command_output(const CommandOutput& output) const;
  /// Returns the token that guards the outputs of a job; `not_found` when there are none.
  Result<std::string> job_token(FrameworkId framework, JobId job) const;

  /// Removes the block; returns whether there was one.
  bool delete_block(BlockId block) const;
  /// Removes the outputs of a job; job 0: of all jobs.
  void delete_outputs(FrameworkId framework, JobId job) const;

 private:
  std::string job_folder(FrameworkId framework, JobId job) const;
  Result<std::string> task_output(FrameworkId framework, JobId job, const TaskId& task) const;
  std::string blocks_;
  std::string outputs_;
};

}  // namespace proffer::live
