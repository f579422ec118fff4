// A part of a job's output, on its way into the store.
#pragma once

#include <memory>
#include <string_view>

#include "live/worker/line_counter.hpp"
#include "live/worker/task_end.hpp"
#include "proffer/live/store_client.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

/// Returns the end of a task whose part could not be begun.
inline TaskEnd failed_to_begin(const Error& error) {
  auto end = failed(error);
  end.excused = is_absence(error) || error.code == ErrorCode::no_space;
  end.disk = false;  // no disk of this agent has been written to
  return end;
}

/// Counts records as lines. Unless it is closed nothing becomes visible, and what was written is removed.
class PartWriter {
 public:
  static Result<std::unique_ptr<PartWriter>> create(Context& context, const OutputPath& output, AgentId agent,
                                                    Duration timeout);
  ~PartWriter();
  Result<> write(std::string_view bytes);
  Result<> close();
  /// `end` as it is, but excused where it is a failure that is the store's: see FileWriter::lost(), or full
  /// disks there.
  TaskEnd judged(TaskEnd end) const;
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t records() const { return lines_.count(); }

 private:
  PartWriter() = default;
  Result<> noted(Result<> done);
  std::unique_ptr<CatalogClient> catalog_;
  std::unique_ptr<FileWriter> file_;
  std::uint64_t bytes_ = 0;
  LineCounter lines_;
  bool closed_ = false;
  bool store_is_full_ = false;  // the catalog's disk, or those of agents
};

}  // namespace proffer::live
