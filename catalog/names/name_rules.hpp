// The rules by which names may change: pure verdicts, asked before anything changes. A refusal is an error
// for the client.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catalog/tables/name_table.hpp"
#include "proffer/messages/catalog.hpp"

namespace proffer::catalog {

/// Returns the normal path of a file that may be created.
Result<std::string> may_create(const NameTable& names, const CreateFile& request);
/// Returns the normal path of a file that may get one more block.
Result<std::string> may_add_block(const NameTable& names, const AddBlock& request);

/// A verdict on a step that a client may repeat because it never saw the answer.
struct Step {
  std::string path;
  bool done = false;  ///< the step has been taken before: the answer is yes, and nothing changes
};
Result<Step> may_seal(const NameTable& names, const SealBlock& request);
Result<Step> may_complete(const NameTable& names, const CompleteFile& request);

/// The old and the new path of every file that the pairs of a renaming name or contain. All pairs are judged
/// against the names as they are before any of them is carried out.
using Moves = std::vector<std::pair<std::string, std::string>>;
Result<Moves> may_rename(const NameTable& names, const RenameFiles& request);

/// Returns the files that are removed, unfinished ones among them.
Result<std::vector<std::string>> may_remove(const NameTable& names, const RemoveFiles& request);

/// Returns the complete files at or below a path. The root may be empty; any other path without files is
/// `not_found`.
Result<std::vector<std::string>> may_list(const NameTable& names, const ListFiles& request);

}  // namespace proffer::catalog
