// Messages at an agent's data port: chunks of blocks, of map outputs and of command outputs, pulled with
// bounded credit (a client keeps at most a few requests open), and blocks being stored. Only the live world
// uses them: machines never see these.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "proffer/ids.hpp"
#include "proffer/result.hpp"

namespace proffer {

/// One map's output file at the agent that ran it.
struct MapOutputFile {
  FrameworkId framework;
  JobId job;
  TaskId map;
  bool operator==(const MapOutputFile&) const = default;
};

/// The stdout or stderr of one command at the agent that runs it: kept from the start of its run until its
/// end is acknowledged.
struct CommandOutput {
  FrameworkId framework;
  JobId job;
  TaskId task;
  bool is_err = false;
  bool operator==(const CommandOutput&) const = default;
};

using DataName = std::variant<BlockId, MapOutputFile, CommandOutput>;

/// Asks for the bytes [offset, offset + length); length <= kChunkBytes.
struct Fetch {
  std::uint64_t request = 0;
  std::string token;
  DataName what;
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  bool operator==(const Fetch&) const = default;
};

struct Chunk {
  std::uint64_t request = 0;
  std::string bytes;  ///< shorter than asked for at the end, and from a server that limits its sending rate
  std::uint64_t total = 0;  ///< length of the whole block or file; for a running command: so far
  bool operator==(const Chunk&) const = default;
};

/// Bytes of a new block, in order of offset; `last` closes it, and carries the CRC-32 of the whole.
struct Store {
  std::uint64_t request = 0;
  std::string token;
  BlockId block;
  std::uint64_t offset = 0;
  std::string bytes;
  bool last = false;
  std::uint32_t crc32 = 0;
  bool operator==(const Store&) const = default;
};

struct Stored {
  std::uint64_t request = 0;
  bool operator==(const Stored&) const = default;
};

/// The answer of a Fetch or Store that failed.
struct DataFailed {
  std::uint64_t request = 0;
  Error error;
  bool operator==(const DataFailed&) const = default;
};

}  // namespace proffer
