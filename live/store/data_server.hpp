// An agent's data port: serves blocks and map outputs, stores new blocks. The server has a thread of its own,
// so that serving never stalls a heartbeat; one token bucket limits the rate of everything it sends.
//
// Readers are served in turn, a piece each. A piece may be shorter than was asked for: always at the end of
// the file, and anywhere when the rate is limited (32 KiB or less), so that nobody waits long behind a big
// request. Chunk.total tells the two apart; the reader asks again for the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/live/port.hpp"
#include "proffer/machine.hpp"

namespace proffer::live {

struct DataServerConfig {
  std::string endpoint = "tcp://127.0.0.1:0";
  std::string blocks_dir;   ///< <id> per block; <id>.part while it is stored
  std::string outputs_dir;  ///< <framework hex>/<job>/<map task id>, with <framework hex>/<job>/.token
  std::optional<std::uint64_t> uplink_bytes_per_s;  ///< none: without limit
};

class DataServer {
 public:
  /// Binds, and starts the thread. `exists`, `invalid` or `io`.
  static Result<std::unique_ptr<DataServer>> start(Context& context, DataServerConfig config);
  ~DataServer();  ///< stops and joins
  const std::string& endpoint() const;
  /// Returns the whole blocks on disk at the start, with lengths.
  const std::vector<std::pair<BlockId, std::uint64_t>>& blocks_at_start() const;
  /// Sets the token, which holds for all that arrives from now on. Until the first one requests for blocks
  /// wait; an empty one opens nothing.
  void set_token(std::string token);
  /// Deletes the block. Answered by BlockVanished once its bytes are gone.
  void drop_block(BlockId block);
  void drop_outputs(FrameworkId framework, JobId job);
  /// Fetches a block from another agent's data port. Answered by BlockStored once it is in place, or by
  /// BlockNotFetched.
  void fetch_block(FetchBlock wanted);
  /// Readable when take_events() has something.
  int event_fd() const;
  /// Returns BlockStored, BlockVanished and BlockNotFetched since the last call.
  std::vector<Event> take_events();

 private:
  DataServer();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
