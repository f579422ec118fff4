#include "catalog/tables/writers.hpp"

#include "proffer/check.hpp"

namespace proffer::catalog {

void Writers::unlist(const std::string& path, const File& file) {
  const auto of_writer = by_writer_.find(file.writer);
  of_writer->second.erase(path);
  if (of_writer->second.empty()) by_writer_.erase(of_writer);
  if (file.give_up_at) deadlines_.erase({*file.give_up_at, path});
}

void Writers::wrote(const std::string& path, PeerId peer) {
  ended(path);
  files_[path] = {peer, {}};
  by_writer_[peer].insert(path);
}

void Writers::ended(const std::string& path) {
  const auto found = files_.find(path);
  if (found == files_.end()) return;
  unlist(path, found->second);
  files_.erase(found);
}

std::size_t Writers::files_of(PeerId peer) const {
  const auto found = by_writer_.find(peer);
  return found == by_writer_.end() ? 0 : found->second.size();
}

std::vector<std::string> Writers::paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, file] : files_) paths.push_back(path);
  return paths;
}

void Writers::lost(PeerId peer, Time give_up_at) {
  const auto found = by_writer_.find(peer);
  if (found == by_writer_.end()) return;
  for (const auto& path : found->second) {
    auto& file = files_.at(path);
    if (file.give_up_at) deadlines_.erase({*file.give_up_at, path});
    file.give_up_at = give_up_at;
    deadlines_.emplace(give_up_at, path);
  }
}

std::optional<Time> Writers::next_due() const {
  if (deadlines_.empty()) return {};
  return deadlines_.begin()->first;
}

std::vector<std::string> Writers::due(Time now) const {
  std::vector<std::string> paths;
  for (const auto& [at, path] : deadlines_) {
    if (at > now) break;
    paths.push_back(path);
  }
  return paths;
}

void Writers::check_invariants() const {
  std::size_t listed = 0;
  for (const auto& [writer, paths] : by_writer_) {
    PROFFER_CHECK(!paths.empty(), "a writer of nothing is kept");
    for (const auto& path : paths) {
      const auto file = files_.find(path);
      PROFFER_CHECK(file != files_.end() && file->second.writer == writer, "a file under another writer");
    }
    listed += paths.size();
  }
  PROFFER_CHECK(listed == files_.size(), "a file of no writer");
  for (const auto& [at, path] : deadlines_) {
    PROFFER_CHECK(files_.at(path).give_up_at == at, "a deadline of another file");
  }
}

}  // namespace proffer::catalog
