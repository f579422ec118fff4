// The client of the store for put, get and workers: asks the catalog for places, moves bytes at the agents'
// data ports. Blocking, one thread, bounded waits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proffer/live/port.hpp"
#include "proffer/live/stop.hpp"
#include "proffer/message.hpp"

namespace proffer::live {

struct StoreOptions {
  std::uint32_t replication = 3;
  std::uint64_t block_bytes = 64 << 20;
  Duration timeout = std::chrono::seconds(30);  ///< time without any progress
};

/// The time for which a request is repeated: a request that the catalog has no answer to yet, since it has
/// just started or its agents are away, or one that was not answered though earlier ones were.
struct CatalogPatience {
  Duration at_most{};           ///< limit for each request; 0: it is sent once
  bool from_the_start = false;  ///< true: requests are also repeated when this catalog has never answered
  /// Called once a request that waits, with the reason and the longest time. May be empty.
  std::function<void(const std::string&, Duration)> waits = {};
  const Stop* stop = nullptr;  ///< all waiting ends when it is requested; null: nothing ends it early
};

/// A client that sends requests to one catalog.
class CatalogClient {
 public:
  static Result<std::unique_ptr<CatalogClient>> connect(Context& context, const std::string& endpoint,
                                                        Duration timeout, CatalogPatience patience = {});
  ~CatalogClient();
  /// Sends one request (its number is filled in) and waits for the answer. A CatalogDone with an error
  /// becomes that error; `unreachable` when nobody answers in time. FilesListed pages are joined.
  Result<Message> ask(Message request);
  /// Returns whether the last request was sent more than once, so that an earlier one may have been carried
  /// out.
  bool repeated() const;
  const CatalogPatience& patience() const;

 private:
  CatalogClient();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns whether the catalog is away, or has no answer yet: the same request may succeed later.
bool is_absence(const Error& error);

/// The effort that a file took.
struct WriteReport {
  std::uint64_t bytes = 0;  ///< stored so far
  std::uint64_t blocks = 0;
  /// Replicas that are missing, since there were too few agents, or some failed.
  std::uint64_t missing_replicas = 0;
};

/// Writes one file, block by block; blocks end at record (line) ends where one lies within the last 64 KiB of
/// a block. Every replica is written by the writer itself, all at once; a failed target is ignored as long as
/// another one has the block. Holds one block in memory. After an error every call fails with the same one.
/// `path` must be a name that only this writer uses: the catalog may have to be asked for it twice.
class FileWriter {
 public:
  /// `writer` (may be nil): the agent whose node gets the first replica.
  static Result<std::unique_ptr<FileWriter>> create(Context& context, CatalogClient& catalog,
                                                    std::string path, StoreOptions options,
                                                    AgentId writer = {});
  ~FileWriter();
  Result<> write(std::string_view bytes);
  /// Makes the file visible. A file that is never closed stays invisible, and its name stays taken until
  /// somebody removes it.
  Result<> close();
  /// Removes the file again, whether it was closed or not.
  Result<> abandon();
  /// Returns whether the writer failed because the catalog is away, or has forgotten the file, as a restarted
  /// catalog does. Writing the same file again may then succeed.
  bool lost() const;
  const WriteReport& report() const;

 private:
  FileWriter();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The order in which a reader asks replicas: first the one at `agent`, then those in `rack`, then the
/// others. Within each group the order given is rotated by `start`, so that many readers of one block do not
/// all ask the same agent. Agents that have just failed this reader come last.
struct ReplicaChoice {
  AgentId agent;     ///< nil: none
  std::string rack;  ///< empty: none
  std::size_t start = 0;
};
std::vector<Replica> in_order(std::vector<Replica> replicas, const ReplicaChoice& choice);

/// Reads ranges of blocks, of map outputs and of command outputs from the nearest place that answers, with
/// bounded credit.
class Fetcher {
 public:
  explicit Fetcher(Context& context, Duration timeout = std::chrono::seconds(30));
  ~Fetcher();
  /// Hands the bytes [offset, offset + length) of `what` at one endpoint to `sink`, in order. `invalid` when
  /// the range goes past the end; `refused`, `not_found` and so on as the server says; `unreachable` or
  /// `timed_out` when the server does not answer.
  Result<> fetch(const std::string& endpoint, const std::string& token, const DataName& what,
                 std::uint64_t offset, std::uint64_t length,
                 const std::function<Result<>(std::string_view)>& sink);
  /// Returns the bytes from `offset` on, limits::kChunkBytes at most, and the total length so far; no bytes
  /// at the present end. Errors as fetch().
  Result<Chunk> fetch_piece(const std::string& endpoint, const std::string& token, const DataName& what,
                            std::uint64_t offset);
  struct Beginning {
    std::string endpoint;
    DataName what;
  };
  /// Returns first pieces as fetch_piece() does, requested all at once, but at most 8 from one endpoint.
  /// None: the piece could not be had in one try.
  std::vector<std::optional<Chunk>> fetch_beginnings(const std::vector<Beginning>& wanted,
                                                     const std::string& token);
  /// Hands over the same bytes from whichever replica answers; where one fails the next goes on.
  /// `unreachable` when none is left, with the last one's error; an error of `sink` ends it.
  Result<> fetch_from(const std::vector<Replica>& replicas, const ReplicaChoice& choice,
                      const std::string& token, const DataName& what, std::uint64_t offset,
                      std::uint64_t length, const std::function<Result<>(std::string_view)>& sink);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
