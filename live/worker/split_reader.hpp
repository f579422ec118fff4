// Reads exactly the records of one map: from the first that starts in its block to the end of the last, which
// may lie in a later block.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "live/worker/file_appender.hpp"
#include "proffer/live/store_client.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/result.hpp"

namespace proffer::live {

class SplitReader {
 public:
  using Sink = std::function<Result<>(std::string_view)>;

  /// Opens the replicas that this agent has at once, so that none can vanish before its turn; `fetcher` gets
  /// the others. `blocks` and `fetcher` must outlive this object.
  SplitReader(const std::vector<BlockRead>& blocks, const std::string& blocks_dir, Fetcher& fetcher);
  SplitReader(std::vector<BlockRead>&& blocks, const std::string& blocks_dir, Fetcher& fetcher) = delete;

  /// Hands all bytes to `sink` as they come; its first error ends it.
  Result<> read(const Sink& sink);
  std::uint64_t local_bytes() const { return local_bytes_; }
  std::uint64_t remote_bytes() const { return remote_bytes_; }

 private:
  struct Part {
    const BlockRead* block = nullptr;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    OpenFile file;  // closed: not here
  };
  Result<> read_local(Part& part, const Sink& sink);
  Result<> read_remote(const Part& part, const Sink& sink);

  Fetcher& fetcher_;
  std::vector<Part> parts_;
  std::uint64_t local_bytes_ = 0;
  std::uint64_t remote_bytes_ = 0;
};

}  // namespace proffer::live
