// Messages between the catalog and its clients (frameworks, workers, the put and get commands) and agents.
// Every request carries a number that its answer repeats.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/messages/work.hpp"
#include "proffer/result.hpp"
#include "proffer/time.hpp"

namespace proffer {

/// A block of a file with all its live replicas.
struct BlockInfo {
  BlockId block;
  std::uint64_t length = 0;
  std::uint64_t first_record = 0;  ///< offset of the first record; see BlockRead
  std::vector<Replica> replicas;   ///< sorted by agent id
  bool operator==(const BlockInfo&) const = default;
};

struct FileInfo {
  std::string path;
  std::uint64_t length = 0;
  std::uint32_t replication = 0;
  bool complete = false;
  std::vector<BlockInfo> blocks;  ///< empty in listings
  bool operator==(const FileInfo&) const = default;
};

/// Begins a file. Fails with `exists` when the path is taken.
struct CreateFile {
  std::uint64_t request = 0;
  std::string path;
  std::uint32_t replication = 1;
  bool operator==(const CreateFile&) const = default;
};

/// Asks for the next block of a file being written: an id is reserved and nodes are chosen. `writer` (may be
/// nil) gets the first replica when it is an agent. Answered by BlockAllocated.
struct AddBlock {
  std::uint64_t request = 0;
  std::string path;
  AgentId writer;
  bool operator==(const AddBlock&) const = default;
};

struct BlockAllocated {
  std::uint64_t request = 0;
  BlockId block;
  std::string token;  ///< shown when storing and reading the block
  std::vector<Replica> targets;
  bool operator==(const BlockAllocated&) const = default;
};

/// The block just allocated is stored at its targets.
struct SealBlock {
  std::uint64_t request = 0;
  std::string path;
  BlockId block;
  std::uint64_t length = 0;
  std::uint64_t first_record = 0;
  bool operator==(const SealBlock&) const = default;
};

/// Ends a file, which has no more blocks: the file becomes visible to readers.
struct CompleteFile {
  std::uint64_t request = 0;
  std::string path;
  bool operator==(const CompleteFile&) const = default;
};

/// Asks for the files below (or equal to) a path, complete ones only, sorted by path; with blocks when
/// `blocks` is true. `not_found` when there is none, except below the root, which may be empty. Answered by
/// FilesListed.
struct ListFiles {
  std::uint64_t request = 0;
  std::string path;
  bool blocks = false;
  bool operator==(const ListFiles&) const = default;
};

/// The use of blocks that the catalog wants to be told of (BlocksUsed), so that it can keep more replicas of
/// those in demand. An interval of 0: none at all, and the counting costs nothing.
struct UseWanted {
  Duration interval{};        ///< the time between two reports
  Duration threshold{};       ///< a longer delay counts as this one
  bool of_pending = false;    ///< true: a waiting job's delay counts for all its pending blocks
  bool remote_reads = false;  ///< true: report the agents that read blocks which they do not hold
  bool operator==(const UseWanted&) const = default;
};

struct FilesListed {
  std::uint64_t request = 0;
  std::vector<FileInfo> files;
  std::string token;  ///< the token that reads their blocks; only with blocks
  /// True: another FilesListed of the same request follows. A file whose blocks did not fit goes on there:
  /// its first entry has the same path, length and so on, and the further blocks.
  bool more = false;
  UseWanted use;  ///< the use to report; only with blocks
  bool operator==(const FilesListed&) const = default;
};

/// Appends the next page of an answer to the pages before it; joins a file that goes on in it.
void append_page(FilesListed& whole, FilesListed page);

/// Renames all pairs (from, to) of files or folders, or none; fails when a `to` exists or a `from` does not.
struct RenameFiles {
  std::uint64_t request = 0;
  std::vector<std::pair<std::string, std::string>> pairs;
  bool operator==(const RenameFiles&) const = default;
};

/// Removes a file, or everything below a folder; also unfinished files.
struct RemoveFiles {
  std::uint64_t request = 0;
  std::string path;
  bool operator==(const RemoveFiles&) const = default;
};

/// The answer of requests that have no answer of their own.
struct CatalogDone {
  std::uint64_t request = 0;
  /// none: the request succeeded. Any request that failed is answered by a CatalogDone too.
  std::optional<Error> error;
  bool operator==(const CatalogDone&) const = default;
};

/// Tasks that were launched to read a block, in one interval.
struct BlockUse {
  BlockId block;
  std::uint32_t tasks = 0;
  std::uint32_t delayed = 0;  ///< tasks whose job had waited for locality
  Duration delay{};           ///< sum of the delays of these tasks, each up to the threshold
  bool operator==(const BlockUse&) const = default;
};

/// A task read a block from another agent.
struct RemoteRead {
  BlockId block;
  AgentId agent;  ///< the agent on which the task ran
  bool operator==(const RemoteRead&) const = default;
};

/// framework -> catalog, once an interval and in pages: the use of blocks since the last time. Whoever has
/// sent one, even an empty one, is told of changes (ReplicasChanged). Lost ones are not made up for.
struct BlocksUsed {
  std::vector<BlockUse> blocks;
  std::vector<RemoteRead> remote;
  bool operator==(const BlocksUsed&) const = default;
};

struct BlockPlaces {
  BlockId block;
  std::vector<Replica> replicas;  ///< all live replicas, sorted by agent id
  bool operator==(const BlockPlaces&) const = default;
};

/// catalog -> framework: replicas of blocks were made, or are about to be deleted.
struct ReplicasChanged {
  std::vector<BlockPlaces> blocks;
  bool operator==(const ReplicasChanged&) const = default;
};

/// agent -> catalog: every block that the agent holds, in pages; the first page of a session opens it. The
/// agent counts as a holder once the last page has come.
struct BlockReport {
  AgentId agent;
  std::string name;
  std::string rack;
  std::string data_endpoint;
  std::uint32_t page = 0;  ///< number of the page, from 0
  bool last = true;
  std::vector<std::pair<BlockId, std::uint64_t>> blocks;  ///< ids with lengths in bytes
  Secret secret = {};  ///< secret of the id at the catalog; nil: any secret that the catalog gives
  bool operator==(const BlockReport&) const = default;
};

/// catalog -> agent: the session in the envelope is yours, and so is the token that readers and writers show.
struct CatalogWelcome {
  std::string token;
  Duration heartbeat{};
  Secret secret = {};  ///< secret of the agent's id at this catalog, with which the agent comes back
  bool operator==(const CatalogWelcome&) const = default;
};

/// agent -> catalog: changes since the report, numbered from 1; a gap is answered by SendBlockReport.
struct BlocksChanged {
  std::uint64_t number = 0;
  std::vector<std::pair<BlockId, std::uint64_t>> added;
  std::vector<BlockId> removed;
  bool operator==(const BlocksChanged&) const = default;
};

/// catalog -> agent: send a full report again.
struct SendBlockReport {
  bool operator==(const SendBlockReport&) const = default;
};

/// catalog -> agent: these replicas are no longer wanted.
struct DeleteBlocks {
  std::vector<BlockId> blocks;
  bool operator==(const DeleteBlocks&) const = default;
};

/// catalog -> agent: fetch this block from one of the sources, and keep it. The agent reports the outcome by
/// BlocksChanged, or CopyFailed.
struct CopyBlock {
  BlockId block;
  std::uint64_t length = 0;
  std::vector<Replica> sources;  ///< agents that hold the block, the first to be tried first
  std::string token;             ///< the token to show to the sources
  bool operator==(const CopyBlock&) const = default;
};

/// agent -> catalog: a CopyBlock failed.
struct CopyFailed {
  BlockId block;
  Error error;
  bool operator==(const CopyFailed&) const = default;
};

/// client -> catalog, once a connection and before anything else: open a session. Requests may follow at
/// once, without the session's number until CatalogSession has come. The session lasts as long as the
/// connection.
struct CatalogHello {
  bool operator==(const CatalogHello&) const = default;
};

/// catalog -> client: the session in the envelope is yours.
struct CatalogSession {
  bool operator==(const CatalogSession&) const = default;
};

}  // namespace proffer
