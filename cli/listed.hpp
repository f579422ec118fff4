// Lists of what is in a cluster, as tables for people and as rows for programs. One description for `status`,
// the lists and `show`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "proffer/messages/admin.hpp"

namespace proffer::cli {

/// One thing of a list: what it is found by, its JSON as the HTTP interface has it, and a cell a column.
struct ListedRow {
  std::vector<std::string> names;  ///< its id, and what people call it
  std::string json;
  std::vector<std::string> cells;
};

struct Listed {
  std::string noun;                  ///< "agent"
  std::vector<std::string> columns;  ///< headings, in capital letters
  std::size_t usual = 0;             ///< so many of them are shown unless more are asked for
  std::vector<ListedRow> rows;
};

Listed listed_agents(const ClusterState& state);
Listed listed_pools(const ClusterState& state);
Listed listed_frameworks(const ClusterState& state);
Listed listed_tasks(const ClusterState& state);
/// Returns the list of that name; tasks are there if they were asked for.
Listed listed(const std::string& list, const ClusterState& state);

/// Returns the rows that are called that; or, when there are none, those of which a name or an id begins so.
std::vector<const ListedRow*> rows_called(const Listed& list, const std::string& id);

/// Names of the formats of list_text().
inline constexpr const char* kListFormats[] = {"table", "wide", "json", "jsonl", "csv"};
/// Returns whether that format is a table.
bool for_people(const std::string& format);
/// Writes a list. `columns`: headings, in any case; empty: the usual ones, or all (wide, csv). Lines of a
/// table are cut at `width`; 0: they are not. `invalid` for a column that there is not.
Result<std::string> list_text(const Listed& list, const std::string& format,
                              const std::vector<std::string>& columns, std::size_t width);
/// Writes one row, a line a column; or its JSON.
std::string row_text(const Listed& list, const ListedRow& row, const std::string& format);

}  // namespace proffer::cli
