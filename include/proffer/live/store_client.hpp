// The store as put, get and workers use it: asks the catalog for places, moves bytes at the agents' data
// ports. Blocking, one thread, bounded waits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "proffer/live/port.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

struct StoreOptions {
  std::uint32_t replication = 3;
  std::uint64_t block_bytes = 64 << 20;
  Duration timeout = std::chrono::seconds(30);  ///< without any progress
};

/// Requests to one catalog.
class CatalogClient {
 public:
  static Result<std::unique_ptr<CatalogClient>> connect(Context& context, const std::string& endpoint,
                                                        Duration timeout);
  ~CatalogClient();
  /// Sends one request (its number is filled in) and waits for the answer. A CatalogDone with an error
  /// becomes that error; `unreachable` when nobody answers in time. FilesListed pages are joined.
  Result<Message> ask(Message request);

 private:
  CatalogClient();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes one file, block by block; blocks end at record (line) ends where one lies within the last 64 KiB of
/// a block.
class FileWriter {
 public:
  /// `writer` (may be nil): the agent whose node gets the first replica.
  static Result<std::unique_ptr<FileWriter>> create(Context& context, CatalogClient& catalog,
                                                    std::string path, StoreOptions options,
                                                    AgentId writer = {});
  ~FileWriter();
  Result<> write(std::string_view bytes);
  /// Without it the file never becomes visible.
  Result<> close();

 private:
  FileWriter();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads ranges of blocks and of map outputs from the nearest place that answers, with bounded credit.
class Fetcher {
 public:
  explicit Fetcher(Context& context, Duration timeout = std::chrono::seconds(30));
  ~Fetcher();
  /// Bytes [offset, offset + length) of `what` at one endpoint, handed to `sink` in order.
  Result<> fetch(const std::string& endpoint, const std::string& token, const DataName& what,
                 std::uint64_t offset, std::uint64_t length,
                 const std::function<Result<>(std::string_view)>& sink);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
