// A listing, cut into pages that each fit into one message. A file whose blocks do not fit goes on in the
// next page, under the same path.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "proffer/messages/catalog.hpp"

namespace proffer::catalog {

class Listing {
 public:
  Listing(std::uint64_t request, std::string token, UseWanted use = {});

  void begin_file(FileInfo file);
  /// Adds a block of the file that was begun last.
  void add_block(BlockInfo block);
  /// Returns at least one page; all but the last have `more`.
  std::vector<FilesListed> take_pages();

 private:
  bool has_room(std::size_t bytes) const;
  void open_page();
  void put(FileInfo file);

  std::uint64_t request_;
  std::string token_;
  UseWanted use_;
  std::vector<FilesListed> pages_;
  std::size_t page_bytes_ = 0;
};

}  // namespace proffer::catalog
