#include "study/report/table.hpp"

#include <cmath>

#include "proffer/check.hpp"
#include "study/report/numbers.hpp"

namespace proffer::study::reporting {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string text_of(const Table::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return quoted(*text);
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
  ++rows_;
}

std::string Table::csv() const {
  std::string text;
  for (const auto& column : columns_) {
    if (!text.empty()) text += ',';
    text += quoted(column.name);
  }
  return text + '\n' + body_;
}

}  // namespace proffer::study::reporting
