#include "study/report/table.hpp"

#include <cmath>

#include "proffer/check.hpp"
#include "study/csv_field.hpp"
#include "study/report/numbers.hpp"

namespace proffer::study::reporting {
namespace {

std::string text_of(const Table::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return csv_field(*text);
  const double number = std::get<double>(cell);
  return std::isnan(number) ? "" : number_text(number);
}

}  // namespace

void Table::add(const std::vector<Cell>& row) {
  PROFFER_CHECK(row.size() == columns_.size(), "a row has one cell a column");
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) body_ += ',';
    body_ += text_of(row[i]);
  }
  body_ += '\n';
}

std::string Table::csv() const {
  std::string text;
  for (const auto& column : columns_) {
    if (!text.empty()) text += ',';
    text += csv_field(column.name);
  }
  return text + '\n' + body_;
}

}  // namespace proffer::study::reporting
