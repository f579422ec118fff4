// The data of a figure: rows of text and numbers, written once as CSV and read from there by its
// specification.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace proffer::study::reporting {

struct Column {
  std::string name;
  bool number = true;
};

class Table {
 public:
  /// A number that is none (NaN) is an empty cell.
  using Cell = std::variant<double, std::string>;

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// As many cells as columns.
  void add(const std::vector<Cell>& row);
  const std::vector<Column>& columns() const { return columns_; }
  bool empty() const { return body_.empty(); }
  /// RFC 4180, with a header line; numbers have six significant digits.
  std::string csv() const;

 private:
  std::vector<Column> columns_;
  std::string body_;
};

}  // namespace proffer::study::reporting
