// Comma-separated values (RFC 4180), record by record.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proffer/result.hpp"

namespace proffer::study {

class CsvRecords {
 public:
  CsvRecords(std::string_view text, std::string_view file);

  /// The fields of the next record; none at the end. Blank lines are passed over.
  Result<std::optional<std::vector<std::string>>> next();
  std::uint32_t line() const { return line_; }  ///< line in which the last record began, from 1

 private:
  void pass_over_blank_lines();

  std::string_view rest_;
  std::string_view file_;
  std::uint32_t line_ = 0;
  std::uint32_t next_line_ = 1;
};

}  // namespace proffer::study
