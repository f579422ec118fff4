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
  std::string key;   ///< as the file has it: "node_wait", "allocator.batch"; "cell" for a [[cell]]
  std::string text;  ///< "5s"; the name of a [[cell]]
  bool operator==(const CellValue&) const = default;
};

struct Cell {
  std::string name;                ///< "static batch=10ms": what tells it from the others; "" without a sweep
  std::string folder;              ///< that, safe for file systems, and unique in the experiment; never empty
  std::vector<CellValue> values;   ///< one a dimension; a [[cell]] comes first
  std::vector<std::size_t> picks;  ///< the index of each value in its dimension
};

/// The last part of a dotted key: "batch" of "allocator.batch".
std::string_view short_key(std::string_view key);

/// A filter names cells by their values: "5s", "node_wait=5s", "static batch=10ms", "allocator.batch=10ms".
/// An empty one matches all of them.
bool matches(const Cell& cell, std::string_view filter);

/// The cell that a filter means, seen from the cell `base`: it matches, and is as `base` in all that the
/// filter leaves open. Where there is none of that kind: the only one that matches. None: no cell, or no
/// single one.
std::optional<std::size_t> find_cell(const std::vector<Cell>& cells, std::string_view filter,
                                     std::size_t base);

}  // namespace proffer::study
