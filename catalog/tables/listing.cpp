#include "catalog/tables/listing.hpp"

#include "proffer/limits.hpp"

namespace proffer::catalog {
namespace {

// Half of what a message may hold: the sizes below are rounded up from the wire's, never exact.
constexpr std::size_t kPageBytes = limits::kFrameBytes / 2;

// Every integer takes at most 9 bytes, every string and list 5 and its content, every id 18.
std::size_t size_of(const FileInfo& file) { return file.path.size() + 40; }

std::size_t size_of(const BlockInfo& block) {
  std::size_t bytes = 40;
  for (const auto& replica : block.replicas) bytes += replica.endpoint.size() + replica.rack.size() + 40;
  return bytes;
}

}  // namespace

Listing::Listing(std::uint64_t request, std::string token, UseWanted use)
    : request_(request), token_(std::move(token)), use_(use) {
  open_page();
}

void Listing::open_page() {
  if (!pages_.empty()) pages_.back().more = true;
  pages_.push_back({request_, {}, token_, false, use_});
  page_bytes_ = token_.size() + 80;
}

bool Listing::has_room(std::size_t bytes) const { return page_bytes_ + bytes <= kPageBytes; }

void Listing::put(FileInfo file) {
  page_bytes_ += size_of(file);
  pages_.back().files.push_back(std::move(file));
}

void Listing::begin_file(FileInfo file) {
  if (!has_room(size_of(file))) open_page();
  put(std::move(file));
}

void Listing::add_block(BlockInfo block) {
  const auto bytes = size_of(block);
  if (!has_room(bytes)) {
    const auto& file = pages_.back().files.back();
    FileInfo head{file.path, file.length, file.replication, file.complete, {}};
    open_page();
    put(std::move(head));
  }
  page_bytes_ += bytes;
  pages_.back().files.back().blocks.push_back(std::move(block));
}

std::vector<FilesListed> Listing::take_pages() { return std::move(pages_); }

}  // namespace proffer::catalog
