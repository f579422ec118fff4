// Files that are being written, and the connections they are written through. Files of a connection that was
// lost are given up after a while, unless somebody goes on with them. Its invariant: each file has one
// writer.
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

namespace proffer::catalog {

class Writers {
 public:
  /// Notes that a file was begun, or gone on with, through that connection.
  void wrote(const std::string& path, PeerId peer);
  /// Forgets a file that is complete, or removed. No effect on one that is not being written.
  void ended(const std::string& path);
  /// Returns how many files are being written through the connection.
  std::size_t files_of(PeerId peer) const;
  std::vector<std::string> paths() const;

  /// Sets the time at which the files of a connection that is gone are given up.
  void lost(PeerId peer, Time give_up_at);
  std::optional<Time> next_due() const;
  /// Returns the files that are to be given up by now. Each stays until it has ended().
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

}  // namespace proffer::catalog
