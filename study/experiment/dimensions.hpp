// The dimensions that an experiment varies: its [[cell]] tables are one, each key of [sweep] is another.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "proffer/study/cell.hpp"
#include "study/experiment/tree.hpp"

namespace proffer::study {

struct Option {
  std::string text;                ///< the name for it in the cell's name
  std::vector<TomlMember> values;  ///< the members that it puts into the tree
};

struct Dimension {
  std::string key;  ///< "cell" for the [[cell]] tables
  std::vector<Option> options;
};

/// Written without quotes, a dotted key is a table in a section, { allocator = { batch = "1s" } }. It means
/// the same.
std::vector<TomlMember> with_dotted_keys(const TomlNode& table);

/// `invalid` with its place: no list, an empty one, two alike, no name, a key that leads nowhere.
Result<std::vector<Dimension>> read_dimensions(const TomlNode& root, std::string_view file);

/// Every combination; the last dimension varies fastest.
std::vector<Cell> make_cells(const std::vector<Dimension>& dimensions);

/// The tree as that cell wants it, without [sweep] and [[cell]], and with no variable left.
Result<TomlNode> tree_of_cell(const TomlNode& root, const std::vector<Dimension>& dimensions,
                              const Cell& cell, std::string_view file);

/// One "key=value" from a command line, into the tree. `invalid` with a sentence that quotes it.
Result<> apply_override(TomlNode& root, std::string_view override);

}  // namespace proffer::study
