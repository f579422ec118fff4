#include <iterator>
#include <utility>

#include "proffer/messages/catalog.hpp"

namespace proffer {

void append_page(FilesListed& whole, FilesListed page) {
  whole.request = page.request;
  whole.token = std::move(page.token);
  whole.more = page.more;
  whole.use = page.use;
  for (auto& file : page.files) {
    const bool goes_on = !whole.files.empty() && whole.files.back().path == file.path;
    if (!goes_on) {
      whole.files.push_back(std::move(file));
      continue;
    }
    auto& blocks = whole.files.back().blocks;
    blocks.insert(blocks.end(), std::make_move_iterator(file.blocks.begin()),
                  std::make_move_iterator(file.blocks.end()));
  }
}

}  // namespace proffer
