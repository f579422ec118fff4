#include "live/worker/split_reader.hpp"

#include <algorithm>
#include <utility>

namespace proffer::live {
namespace {

constexpr std::size_t kSplitBytes = 256 << 10;

}  // namespace

SplitReader::SplitReader(const std::vector<BlockRead>& blocks, const std::string& blocks_dir,
                         Fetcher& fetcher)
    : fetcher_(fetcher) {
  for (const auto& block : blocks) {
    // The map reads its first block from the first record on, and of the others what belongs to its last
    // record.
    const bool is_first = parts_.empty();
    Part part{&block,
              is_first ? block.first_record : 0,
              is_first ? block.length - std::min(block.first_record, block.length) : block.first_record,
              {}};
    auto file = OpenFile::to_read(blocks_dir + "/" + std::to_string(block.block.value), kTaskFile);
    if (file) part.file = std::move(*file);
    parts_.push_back(std::move(part));
  }
}

Result<> SplitReader::read(const Sink& sink) {
  for (auto& part : parts_) {
    if (part.file.fd() >= 0) {
      if (auto done = read_local(part, sink); !done) return done;
    }
    if (part.length == 0) continue;
    if (auto done = read_remote(part, sink); !done) return done;
  }
  return {};
}

/// Reads what can be read here; the rest (of a short or broken file) stays in the part, to be fetched.
Result<> SplitReader::read_local(Part& part, const Sink& sink) {
  std::string buffer(kSplitBytes, '\0');
  while (part.length > 0) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), part.length));
    const auto got = part.file.read_at(part.offset, buffer.data(), wanted);
    if (!got || *got == 0) return {};
    part.offset += *got;
    part.length -= *got;
    local_bytes_ += *got;
    if (auto taken = sink(std::string_view(buffer).substr(0, *got)); !taken) return taken;
  }
  return {};
}

Result<> SplitReader::read_remote(const Part& part, const Sink& sink) {
  // The framework has put the replicas in order, nearest first and in turns.
  const auto counted = [&](std::string_view bytes) {
    remote_bytes_ += bytes.size();
    return sink(bytes);
  };
  return fetcher_.fetch_from(part.block->replicas, ReplicaChoice{}, part.block->token, part.block->block,
                             part.offset, part.length, counted);
}

}  // namespace proffer::live
