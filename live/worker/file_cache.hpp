// Files of the store that this agent keeps for the tasks after this one: each is fetched by one task at a
// time, under the id of its first block in that store, and found by the others.
//
//   <id>       a whole file; its time of modification is when it was used last
//   <id>.part  one that is being fetched, already as long as it will be
//   <id>.lock  held by who fetches, takes or deletes the file; goes with it
//   .lock      held by who makes room
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "live/worker/file_appender.hpp"
#include "proffer/live/store_client.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

struct FileCacheConfig {
  std::string dir;            ///< made when missing; on the file system of the sandboxes
  std::uint64_t max_bytes{};  ///< files that were used longest ago make room for others
  std::string blocks_dir;     ///< replicas that this agent has
};

/// The cached files of one task, in its sandbox for as long as this lives: a link each, so a file that is
/// deleted meanwhile stays whole. Links go at the end, since they would keep the bytes of deleted files;
/// those of a task that is killed are for the agent to remove.
class CachedFiles {
 public:
  CachedFiles(FileCacheConfig config, std::string sandbox)
      : config_(std::move(config)), sandbox_(std::move(sandbox)) {}
  CachedFiles(const CachedFiles&) = delete;
  CachedFiles& operator=(const CachedFiles&) = delete;
  ~CachedFiles();

  /// Finds or fetches the file and links it. Waits for as long as another task fetches it, or files that
  /// others fetch fill the cache. `invalid` when it is larger than all of the cache; errors of the Fetcher,
  /// and `io`. They name the file.
  Result<> add(const CachedFile& file, Fetcher& fetcher);
  /// The bytes that had to be fetched: from this agent's own replicas, and from others.
  std::uint64_t local_bytes() const { return local_bytes_; }
  std::uint64_t remote_bytes() const { return remote_bytes_; }

 private:
  Result<> add_file(const CachedFile& file, Fetcher& fetcher);
  Result<bool> take(const std::string& kept, const std::string& link, std::uint64_t bytes) const;
  Result<> fetch(const CachedFile& file, const std::string& part, Fetcher& fetcher);
  /// Returns the part to be written, once there is room for it.
  Result<OpenFile> make_room(const std::string& part, std::uint64_t bytes) const;

  FileCacheConfig config_;
  std::string sandbox_;
  std::vector<std::string> links_;
  std::uint64_t local_bytes_ = 0;
  std::uint64_t remote_bytes_ = 0;
};

}  // namespace proffer::live
