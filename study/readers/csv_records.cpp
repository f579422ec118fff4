#include "study/readers/csv_records.hpp"

#include <algorithm>
#include <boost/spirit/home/x3.hpp>

#include "study/readers/field.hpp"

namespace proffer::study {
namespace {

namespace x3 = boost::spirit::x3;

struct QuotedField;
struct PlainField;

/// Moves `first` behind the record and the end of its line.
bool parse_record(const char*& first, const char* last, std::vector<std::string>& fields) {
  const auto quote_inside = "\"\"" >> x3::attr('"');
  const auto quoted = x3::rule<QuotedField, std::string>{} =
      '"' >> *(quote_inside | (x3::char_ - '"')) >> '"';
  const auto plain = x3::rule<PlainField, std::string>{} = *(x3::char_ - x3::char_(",\"\r\n"));
  return x3::parse(first, last, (quoted | plain) % ',' >> (x3::eol | x3::eoi), fields);
}

std::uint32_t newlines_in(std::string_view text) {
  return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

CsvRecords::CsvRecords(std::string_view text, std::string_view file) : rest_(text), file_(file) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // as spreadsheets put it there
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

void CsvRecords::pass_over_blank_lines() {
  const auto blank = rest_.substr(0, std::min(rest_.find_first_not_of("\r\n"), rest_.size()));
  next_line_ += newlines_in(blank);
  rest_.remove_prefix(blank.size());
}

Result<std::optional<std::vector<std::string>>> CsvRecords::next() {
  pass_over_blank_lines();
  if (rest_.empty()) return std::optional<std::vector<std::string>>{};
  line_ = next_line_;
  std::vector<std::string> fields;
  const char* at = rest_.data();
  if (!parse_record(at, rest_.data() + rest_.size(), fields)) {
    return error_at({file_, line_},
                    "a quote does not end, or stands inside a field without quotes; expected fields "
                    "with quotes around them, and \"\" for a quote inside");
  }
  const auto length = static_cast<std::size_t>(at - rest_.data());
  next_line_ += newlines_in(rest_.substr(0, length));
  rest_.remove_prefix(length);
  return std::optional(std::move(fields));
}

}  // namespace proffer::study
