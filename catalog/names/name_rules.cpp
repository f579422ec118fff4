#include "catalog/names/name_rules.hpp"

#include <set>

#include "catalog/tables/paths.hpp"
#include "proffer/catalog/catalog.hpp"
#include "proffer/limits.hpp"

namespace proffer::catalog {
namespace {

Error not_found(const std::string& path) {
  return {ErrorCode::not_found, "there is no " + path + " in the store"};
}

/// Returns whether something can be made under this name; `exists` otherwise.
Result<> is_free(const NameTable& names, const std::string& path) {
  if (const auto* file = names.find(path)) {
    return Error{ErrorCode::exists,
                 path + (file->complete ? " exists" : " is being written; remove it first")};
  }
  if (names.is_folder(path)) return Error{ErrorCode::exists, path + " exists and is a folder"};
  if (const auto file = names.file_above(path)) {
    return Error{ErrorCode::exists, *file + " exists and is a file, so that " + path + " cannot be below it"};
  }
  return {};
}

/// Returns the normal path of a file that its writer may change.
Result<std::string> unfinished(const NameTable& names, const std::string& text) {
  auto path = normal_path(text);
  if (!path) return path;
  const auto* file = names.find(*path);
  if (!file) return not_found(*path);
  if (file->complete) return Error{ErrorCode::exists, *path + " is complete"};
  return path;
}

bool sealed_so(const NameTable::File& file, const SealBlock& request) {
  return !file.blocks.empty() &&
         file.blocks.back() == BlockInfo{request.block, request.length, request.first_record, {}};
}

Error no_such_block(const std::string& path, BlockId block) {
  return {ErrorCode::not_found,
          "block " + std::to_string(block.value) + " is not being written as the next of " + path};
}

/// Adds `path` to `others` unless it equals, contains or lies in one of them.
bool add_apart(std::set<std::string>& others, const std::string& path) {
  const auto next = others.lower_bound(path);
  if (next != others.end() && *next == path) return false;
  const auto prefix = folder_prefix(path);
  const auto below = others.lower_bound(prefix);
  if (below != others.end() && below->compare(0, prefix.size(), prefix) == 0) return false;
  for (const auto& folder : folders_of(path)) {
    if (others.contains(folder)) return false;
  }
  others.insert(path);
  return true;
}

Result<> may_move(const NameTable& names, const std::string& from, const std::string& to) {
  const auto [first, past] = names.at_or_below(from);
  if (first == past) return not_found(from);
  for (auto file = first; file != past; ++file) {
    if (!file->second.complete) return Error{ErrorCode::refused, file->first + " is still being written"};
  }
  if (to.starts_with(folder_prefix(from))) {
    return Error{ErrorCode::invalid, from + " cannot be moved into itself"};
  }
  return is_free(names, to);
}

}  // namespace

Result<std::string> may_create(const NameTable& names, const CreateFile& request) {
  auto path = normal_path(request.path);
  if (!path) return path;
  if (request.replication < 1 || request.replication > limits::kReplication) {
    return Error{ErrorCode::invalid,
                 "the replication of " + *path + " must be 1 to " + std::to_string(limits::kReplication)};
  }
  if (names.size() >= limits::kFiles)
    return Error{ErrorCode::slow_down, "the store has no room for more files"};
  if (auto free = is_free(names, *path); !free) return free.error();
  return path;
}

Result<std::string> may_add_block(const NameTable& names, const AddBlock& request) {
  auto path = unfinished(names, request.path);
  if (!path) return path;
  if (names.find(*path)->blocks.size() >= limits::kBlocksPerFile) {
    return Error{ErrorCode::slow_down, *path + " has as many blocks as a file can have"};
  }
  return path;
}

Result<Step> may_seal(const NameTable& names, const SealBlock& request) {
  const auto path = unfinished(names, request.path);
  if (!path) return path.error();
  const auto& file = *names.find(*path);
  if (sealed_so(file, request)) return Step{*path, true};
  if (file.pending != request.block) return no_such_block(*path, request.block);
  if (request.length == 0 || request.length > limits::kBlockBytes || request.first_record > request.length) {
    return Error{ErrorCode::invalid, "block " + std::to_string(request.block.value) + " of " + *path +
                                         " has an impossible length or first record"};
  }
  return Step{*path, false};
}

Result<Step> may_complete(const NameTable& names, const CompleteFile& request) {
  const auto path = normal_path(request.path);
  if (!path) return path.error();
  const auto* file = names.find(*path);
  if (!file) return not_found(*path);
  if (file->pending) {
    return Error{ErrorCode::invalid,
                 "block " + std::to_string(file->pending->value) + " of " + *path + " is not sealed"};
  }
  return Step{*path, file->complete};
}

Result<Moves> may_rename(const NameTable& names, const RenameFiles& request) {
  std::set<std::string> froms;
  std::set<std::string> tos;
  Moves moves;
  for (const auto& [from_text, to_text] : request.pairs) {
    const auto from = normal_path(from_text);
    if (!from) return from.error();
    const auto to = normal_path(to_text);
    if (!to) return to.error();
    if (auto allowed = may_move(names, *from, *to); !allowed) return allowed.error();
    if (!add_apart(froms, *from)) return Error{ErrorCode::invalid, *from + " is renamed twice"};
    if (!add_apart(tos, *to)) return Error{ErrorCode::exists, *to + " would exist twice"};
    const auto [first, past] = names.at_or_below(*from);
    for (auto file = first; file != past; ++file) {
      moves.emplace_back(file->first, *to + file->first.substr(from->size()));
    }
  }
  for (const auto& [from, to] : moves) {
    if (auto path = normal_path(to); !path) return path.error();
  }
  return moves;
}

Result<std::vector<std::string>> may_remove(const NameTable& names, const RemoveFiles& request) {
  const auto path = normal_path(request.path);
  if (!path) return path.error();
  std::vector<std::string> files;
  const auto [first, past] = names.at_or_below(*path);
  for (auto file = first; file != past; ++file) files.push_back(file->first);
  if (files.empty()) return not_found(*path);
  return files;
}

Result<std::vector<std::string>> may_list(const NameTable& names, const ListFiles& request) {
  const auto path = normal_path(request.path);
  if (!path) return path.error();
  std::vector<std::string> files;
  const auto [first, past] = names.at_or_below(*path);
  for (auto file = first; file != past; ++file) {
    if (file->second.complete) files.push_back(file->first);
  }
  if (!files.empty() || *path == "/") return files;
  if (first == past) return not_found(*path);
  return Error{ErrorCode::not_found, *path + " is still being written"};
}

}  // namespace proffer::catalog
