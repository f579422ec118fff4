#include "proffer/study/cell.hpp"

namespace proffer::study {
namespace {

bool names_value(std::string_view word, const CellValue& value) {
  if (word == value.text) return true;
  const auto is_pair = [&](std::string_view key) {
    return word.size() == key.size() + 1 + value.text.size() && word.starts_with(key) &&
           word[key.size()] == '=' && word.ends_with(value.text);
  };
  return is_pair(value.key) || is_pair(short_key(value.key));
}

/// Marks the values that one word of a filter names; false when there is none.
bool mark(const Cell& cell, std::string_view word, std::vector<bool>& named) {
  bool found = false;
  for (std::size_t i = 0; i < cell.values.size(); ++i) {
    if (!names_value(word, cell.values[i])) continue;
    named[i] = true;
    found = true;
  }
  return found;
}

/// Returns which of a cell's values a filter names; none when the filter does not match.
std::optional<std::vector<bool>> named_values(const Cell& cell, std::string_view filter) {
  std::vector<bool> named(cell.values.size(), false);
  if (filter.find_first_not_of(' ') == filter.npos) return named;
  if (filter == cell.name) return std::vector<bool>(cell.values.size(), true);
  if (mark(cell, filter, named)) return named;
  while (true) {
    const auto begin = filter.find_first_not_of(' ');
    if (begin == filter.npos) return named;
    filter.remove_prefix(begin);
    const auto word = filter.substr(0, filter.find(' '));
    if (!mark(cell, word, named)) return {};
    filter.remove_prefix(word.size());
  }
}

}  // namespace

std::string_view short_key(std::string_view key) {
  const auto dot = key.rfind('.');
  return dot == key.npos ? key : key.substr(dot + 1);
}

bool matches(const Cell& cell, std::string_view filter) { return named_values(cell, filter).has_value(); }

std::optional<std::size_t> find_cell(const std::vector<Cell>& cells, std::string_view filter,
                                     std::size_t base) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!filter.empty() && cells[c].name == filter) return c;
  }
  std::optional<std::size_t> only;
  std::size_t matching = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const auto named = named_values(cells[c], filter);
    if (!named) continue;
    ++matching;
    only = c;
    bool as_base = true;
    for (std::size_t i = 0; i < named->size(); ++i) {
      as_base = as_base && ((*named)[i] || cells[c].picks[i] == cells[base].picks[i]);
    }
    if (as_base) return c;
  }
  return matching == 1 ? only : std::nullopt;
}

}  // namespace proffer::study
