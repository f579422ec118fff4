// The sorted output of a map, partition by partition, as a file that reduces fetch from.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "live/store/crc32.hpp"
#include "live/worker/file_appender.hpp"
#include "live/worker/worker_env.hpp"

namespace proffer::live {

/// The file appears under its name, whole, with close(); until then it has a name of ours.
class MapOutputWriter {
 public:
  static Result<std::unique_ptr<MapOutputWriter>> create(const WorkerEnv& env, JobId job);
  ~MapOutputWriter();

  /// Lines from here on belong to the next partition, the first one at the beginning.
  void begin_partition();
  Result<> append_line(std::string_view line);
  Result<> close();
  const std::vector<PartitionSpan>& partitions() const { return spans_; }
  std::uint64_t bytes() const { return file_.size(); }

 private:
  MapOutputWriter(std::string part, std::string path, OpenFile file)
      : part_(std::move(part)), path_(std::move(path)), file_(std::move(file)) {}
  void end_partition();

  std::string part_;  // empty: there is nothing to remove
  std::string path_;
  FileAppender file_;
  Crc32 crc_;
  std::vector<PartitionSpan> spans_;
};

/// Returns the path at which the agent's data port looks for a map's output.
std::string map_output_path(const WorkerEnv& env, JobId job, const TaskId& map);

}  // namespace proffer::live
