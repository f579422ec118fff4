// The store as put, get and workers use it: asks the catalog for places, moves bytes at the agents' data
// ports. Blocking, one thread, bounded waits.
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
  Duration timeout = std::chrono::seconds(30);  ///< the longest time without any progress
};

/// The time for which a request is asked again: one that the catalog has no answer to yet, since it has just
/// started or its agents are away, and one that was not answered though earlier ones were.
struct CatalogPatience {
  Duration at_most{};           ///< the time for each request; 0: it is asked once
  bool from_the_start = false;  ///< true: also when this catalog has never answered
  /// Called once a request: why it waits, and for how long at most. May be empty.
  std::function<void(const std::string&, Duration)> waits = {};
  const Stop* stop = nullptr;  ///< then nothing is waited for any more
};

/// Requests to one catalog.
class CatalogClient {
 public:
  static Result<std::unique_ptr<CatalogClient>> connect(Context& context, const std::string& endpoint,
                                                        Duration timeout, CatalogPatience patience = {});
  ~CatalogClient();
  /// Sends one request (its number is filled in) and waits for the answer. A CatalogDone with an error
  /// becomes that error; `unreachable` when nobody answers in time. FilesListed pages are joined.
  Result<Message> ask(Message request);
  /// True when the last request was sent more than once, so an earlier one may have been carried out.
  bool repeated() const;
  const CatalogPatience& patience() const;

 private:
  CatalogClient();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns whether the catalog is away, or has no answer yet: the same may succeed later.
bool is_absence(const Error& error);

/// The result of writing a file.
struct WriteReport {
  std::uint64_t bytes = 0;  ///< stored so far
  std::uint64_t blocks = 0;
  std::uint64_t missing_replicas = 0;  ///< wanted, but there were too few agents, or some failed
};

/// Writes one file, block by block; blocks end at record (line) ends where one lies within the last 64 KiB of
/// a block. Every replica is written by the writer itself, all at once; a target that fails is done without
/// as long as another one has the block. Holds one block in memory. After an error every call fails with the
/// same one. `path` must be a name that only this writer uses: the catalog may have to be asked for it twice.
class FileWriter {
 public:
  /// `writer` (may be nil): the agent whose node gets the first replica.
  static Result<std::unique_ptr<FileWriter>> create(Context& context, CatalogClient& catalog,
                                                    std::string path, StoreOptions options,
                                                    AgentId writer = {});
  ~FileWriter();
  Result<> write(std::string_view bytes);
  /// Makes the file visible. Without this call it never is, and its name stays taken until somebody removes
  /// it.
  Result<> close();
  /// Removes the file again, whether it was closed or not.
  Result<> abandon();
  /// True when writing failed since the catalog is away, or has forgotten the file, as one does that was
  /// started again. The same file may well be written anew.
  bool lost() const;
  const WriteReport& report() const;

 private:
  FileWriter();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The order in which a reader asks replicas: the one at `agent` first, then those in `rack`, then the
/// others. Within each group the order given is rotated by `start`, so that many readers of one block do not
/// all ask the same agent. Agents that have just failed this reader come last.
struct ReplicaChoice {
  AgentId agent;     ///< nil: none
  std::string rack;  ///< empty: none
  std::size_t start = 0;
};
std::vector<Replica> in_order(std::vector<Replica> replicas, const ReplicaChoice& choice);

/// Reads ranges of blocks, of map outputs and of what commands write from the nearest place that answers,
/// with bounded credit.
class Fetcher {
 public:
  explicit Fetcher(Context& context, Duration timeout = std::chrono::seconds(30));
  ~Fetcher();
  /// Bytes [offset, offset + length) of `what` at one endpoint, handed to `sink` in order. `invalid` when the
  /// range goes past the end; `refused`, `not_found` and so on as the server says; `unreachable` or
  /// `timed_out` when it does not.
  Result<> fetch(const std::string& endpoint, const std::string& token, const DataName& what,
                 std::uint64_t offset, std::uint64_t length,
                 const std::function<Result<>(std::string_view)>& sink);
  /// Fetches what there is from `offset` on, limits::kChunkBytes at most, and how much there is in all;
  /// nothing at the end of what there is so far. Errors as those of fetch().
  Result<Chunk> fetch_piece(const std::string& endpoint, const std::string& token, const DataName& what,
                            std::uint64_t offset);
  struct Beginning {
    std::string endpoint;
    DataName what;
  };
  /// First pieces, as of fetch_piece(), asked for all at once: of one endpoint 8 at most. None: it could not
  /// be had so easily.
  std::vector<std::optional<Chunk>> fetch_beginnings(const std::vector<Beginning>& wanted,
                                                     const std::string& token);
  /// The same from whichever replica answers; where one fails the next goes on. `unreachable` when none is
  /// left, with what the last one said; an error of `sink` ends it.
  Result<> fetch_from(const std::vector<Replica>& replicas, const ReplicaChoice& choice,
                      const std::string& token, const DataName& what, std::uint64_t offset,
                      std::uint64_t length, const std::function<Result<>(std::string_view)>& sink);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace proffer::live
