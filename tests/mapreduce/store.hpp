// A catalog as simple as it gets: names and blocks in a map.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "proffer/message.hpp"

namespace proffer::mapreduce_test {

class Store {
 public:
  std::map<std::string, FileInfo> files;
  UseWanted use = {};                ///< what listings say of reports
  std::vector<RenameFiles> renames;  ///< those that were carried out
  bool full = false;                 ///< names cannot be changed

  void add(const std::string& path, std::vector<BlockInfo> blocks = {}) {
    files[path] = {path, 0, 1, true, std::move(blocks)};
  }
  /// Somebody has that block of a file, too.
  void hold(const std::string& path, std::size_t block, Replica replica) {
    files.at(path).blocks.at(block).replicas.push_back(std::move(replica));
  }
  bool has(const std::string& path) const { return files.contains(path); }
  /// All names below a folder, without it.
  std::vector<std::string> below(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& [path, file] : files) {
      if (path.starts_with(folder + "/")) names.push_back(path.substr(folder.size() + 1));
    }
    return names;
  }

  Message answer(const Message& request) {
    return std::visit(
        [this](const auto& body) -> Message {
          if constexpr (requires { carry_out(body); }) return carry_out(body);
          return CatalogDone{0, Error{ErrorCode::type, "no such request"}};
        },
        request);
  }

  Message carry_out(const ListFiles& request) {
    FilesListed listed{request.request, {}, "store-token", false, use};
    for (const auto& [path, file] : files) {
      const bool named = path == request.path || path.starts_with(request.path + "/");
      if (named && file.complete) listed.files.push_back(file);
    }
    if (listed.files.empty())
      return failed(request.request, ErrorCode::not_found, "there is no " + request.path);
    return listed;
  }
  Message carry_out(const CreateFile& request) {
    if (has(request.path)) return failed(request.request, ErrorCode::exists, request.path + " exists");
    files[request.path] = {request.path, 0, request.replication, false, {}};
    return CatalogDone{request.request, {}};
  }
  Message carry_out(const CompleteFile& request) {
    if (!has(request.path)) return failed(request.request, ErrorCode::not_found, "no " + request.path);
    files[request.path].complete = true;
    return CatalogDone{request.request, {}};
  }
  Message carry_out(const RenameFiles& request) {
    if (full) return failed(request.request, ErrorCode::no_space, "the disk is full");
    for (const auto& [from, to] : request.pairs) {
      if (!has(from)) return failed(request.request, ErrorCode::not_found, "there is no " + from);
      if (has(to)) return failed(request.request, ErrorCode::exists, to + " exists");
    }
    for (const auto& [from, to] : request.pairs) {
      auto node = files.extract(from);
      node.key() = to;
      node.mapped().path = to;
      files.insert(std::move(node));
    }
    renames.push_back(request);
    return CatalogDone{request.request, {}};
  }
  Message carry_out(const RemoveFiles& request) {
    const auto removed = std::erase_if(files, [&](const auto& entry) {
      return entry.first == request.path || entry.first.starts_with(request.path + "/");
    });
    if (removed == 0) return failed(request.request, ErrorCode::not_found, "there is no " + request.path);
    return CatalogDone{request.request, {}};
  }

 private:
  static Message failed(std::uint64_t request, ErrorCode code, const std::string& why) {
    return CatalogDone{request, Error{code, why}};
  }
};

}  // namespace proffer::mapreduce_test
