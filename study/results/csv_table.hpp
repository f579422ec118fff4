// Tables of rows as CSV (RFC 4180), by one list of columns for both ways.
#pragma once

#include <fmt/format.h>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/result.hpp"
#include "proffer/topology.hpp"
#include "study/readers/csv_records.hpp"

namespace proffer::study {

std::string csv_line(const std::vector<std::string>& fields);

// Values as fields and back; false for a text that is none. Numbers are the shortest that read the same.
std::string to_field(const std::string& value);
std::string to_field(double value);
std::string to_field(std::int64_t value);
std::string to_field(std::uint32_t value);
std::string to_field(bool value);  ///< 1 or 0
std::string to_field(Locality value);
bool from_field(const std::string& field, std::string& value);
bool from_field(const std::string& field, double& value);
bool from_field(const std::string& field, std::int64_t& value);
bool from_field(const std::string& field, std::uint32_t& value);
bool from_field(const std::string& field, bool& value);
bool from_field(const std::string& field, Locality& value);
/// Nothing is an empty field.
template <class T>
std::string to_field(const std::optional<T>& value) {
  return value ? to_field(*value) : "";
}
template <class T>
bool from_field(const std::string& field, std::optional<T>& value) {
  value.reset();
  return field.empty() || from_field(field, value.emplace());
}

template <class Row>
struct CsvColumn {
  std::string_view name;
  std::string (*print)(const Row&);
  bool (*read)(const std::string&, Row&);  ///< null: worked out from other columns
};

/// `Member` as in formats::setting.
template <class Row, auto Member>
constexpr CsvColumn<Row> column(std::string_view name) {
  return {name, [](const Row& row) { return to_field(Member(row)); },
          [](const std::string& field, Row& row) { return from_field(field, Member(row)); }};
}
template <class Row, auto Value>
constexpr CsvColumn<Row> derived(std::string_view name) {
  return {name, [](const Row& row) { return to_field(Value(row)); }, nullptr};
}

template <class Row>
std::string print_table(const std::vector<Row>& rows, std::span<const CsvColumn<Row>> columns) {
  std::vector<std::string> fields;
  for (const auto& column : columns) fields.emplace_back(column.name);
  auto text = csv_line(fields);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) fields[i] = columns[i].print(row);
    text += csv_line(fields);
  }
  return text;
}

template <class Row>
Result<Row> read_row(const std::vector<std::string>& fields, std::span<const CsvColumn<Row>> columns,
                     std::string_view file, std::uint32_t line) {
  const auto wrong = [&](std::string_view what) {
    return Error{ErrorCode::corrupt, fmt::format("{}:{}: {}", file, line, what)};
  };
  if (fields.size() != columns.size())
    return wrong(fmt::format("there should be {} columns", columns.size()));
  Row row;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].read == nullptr || columns[i].read(fields[i], row)) continue;
    return wrong(fmt::format("\"{}\" is no {}", fields[i], columns[i].name));
  }
  return row;
}

/// Reads a table that print_table made. `corrupt` or `invalid` with FILE:LINE.
template <class Row>
Result<std::vector<Row>> read_table(std::string_view text, std::span<const CsvColumn<Row>> columns,
                                    std::string_view file) {
  std::vector<Row> rows;
  CsvRecords records(text, file);
  for (bool is_header = true;; is_header = false) {
    auto record = records.next();
    if (!record) return record.error();
    if (!record->has_value()) return rows;
    if (is_header) continue;
    auto row = read_row(**record, columns, file, records.line());
    if (!row) return row.error();
    rows.push_back(std::move(*row));
  }
}

}  // namespace proffer::study
