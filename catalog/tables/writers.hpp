// Files that are being written, and through which connection. What a connection that was lost has begun is
// given up after a while, unless somebody goes on with it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proffer/ids.hpp"
#include "proffer/time.hpp"

namespace proffer {

class Writers {
 public:
  /// Begun, or gone on with, through that connection.
  void wrote(const std::string& path, PeerId peer);
  /// The file is complete, or removed. No effect on any other.
  void ended(const std::string& path);
  /// How many files are being written through it.
  std::size_t files_of(PeerId peer) const;
  std::vector<std::string> paths() const;

  /// The connection is gone: its files are to be given up then.
  void lost(PeerId peer, Time give_up_at);
  std::optional<Time> next_due() const;
  /// Files that are to be given up by now. Each stays until it has ended().
  std::vector<std::string> due(Time now) const;

  void check_invariants() const;

 private:
  struct File {
    PeerId writer;
    std::optional<Time> give_up_at;
  };
  void unlist(const std::string& path, const File& file);

  std::map<std::string, File> files_;
  std::map<PeerId, std::set<std::string>> by_writer_;
  std::set<std::pair<Time, std::string>> deadlines_;
};

}  // namespace proffer
