// A cell of an experiment: one choice of every value that the experiment sweeps. Each cell is run once a
// seed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proffer::study {

struct CellValue {
  std::string key;   ///< the key in the file: "node_wait", "allocator.batch"; "cell" for a [[cell]]
  std::string text;  ///< the value: "5s"; for a [[cell]] its name
  bool operator==(const CellValue&) const = default;
};

struct Cell {
  std::string name;    ///< the values that tell it from other cells: "static batch=10ms"; "" without a sweep
  std::string folder;  ///< the name, safe for file systems, and unique in the experiment; never empty
  std::vector<CellValue> values;   ///< one value a dimension; a [[cell]] comes first
  std::vector<std::size_t> picks;  ///< the index of each value in its dimension
};

/// The last part of a dotted key: "batch" of "allocator.batch".
std::string_view short_key(std::string_view key);

/// A filter names cells by their values: "5s", "node_wait=5s", "static batch=10ms", "allocator.batch=10ms".
/// An empty one matches all of them.
bool matches(const Cell& cell, std::string_view filter);

/// Returns the cell that a filter means, seen from the cell `base`: it matches, and equals `base` in
/// everything that the filter leaves open. Where there is no such cell: the only one that matches. None: no
/// cell, or no single one.
std::optional<std::size_t> find_cell(const std::vector<Cell>& cells, std::string_view filter,
                                     std::size_t base);

}  // namespace proffer::study
